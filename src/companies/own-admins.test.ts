// An owner invites somebody to run the company with them, and can't make themselves two people by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '../../test/world/keys.ts'
import { refuses } from '../../test/world/people.ts'
import { confirmRights, withRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

const cleo = (domain: string) => ({ full_name: 'Cleo Second', email: `cleo@${domain}` })

test('an admin sees who runs the company, and invites somebody with their password', async () => {
  const { admin, domain } = await scene.company()
  const boss = await scene.superAdmin()
  await scene.stale(admin)
  await refuses('password_needed', admin.api.companies.invite_admin(cleo(domain)))
  await scene.confirm(admin)
  const made = await admin.api.companies.invite_admin(cleo(domain))
  assert.equal(made.status, 'pending')
  const { holders: admins } = await admin.api.rights.list({})
  assert.deepEqual(
    admins.map(({ email, status }) => [email, status]),
    [
      [admin.email, 'active'],
      [`cleo@${domain}`, 'pending'],
    ],
  )
  const { notifications } = await boss.api.notifications.list({})
  assert.ok(notifications.some(({ code }) => code === 'admin_made'))
  const rights = await scene.sql<{ kind: string; given_by: string }[]>`
    select kind, given_by from company_rights where person_id = ${made.id} order by kind`
  assert.deepEqual(
    rights.map(({ kind, given_by }) => [kind, given_by]),
    ['finance', 'owner', 'people', 'reviewer'].map((kind) => [kind, admin.id]),
  )
  const [job] = await scene.sql<[{ ids: string[]; by: string }]>`
    select j.payload -> 'ids' as ids, j.payload ->> 'by' as by from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'users:invite' order by j.id desc limit 1`
  assert.deepEqual([job.ids, job.by], [[made.id], admin.id], 'a link by mail, from them')
})

test('each refusal has its reason, and nobody else may', async () => {
  const { admin, domain, hire } = await scene.company()
  const other = await scene.company()
  const ana = await hire('Ana')
  await scene.confirm(admin)
  const invite = admin.api.companies.invite_admin
  await refuses('already_here', invite({ full_name: 'Ana', email: ana.email }))
  await refuses('email_taken', invite({ full_name: 'Theirs', email: other.admin.email }))
  await refuses('invalid_input', invite({ full_name: 'X', email: 'nobody' }))
  await refuses('forbidden', ana.api.companies.invite_admin(cleo(domain)))
  await refuses('forbidden', ana.api.rights.list({}))
  const key = await keyOf(scene, admin, ['people:read', 'people:write'])
  await refuses('not_found', key.api.companies.invite_admin(cleo(domain)))
  assert.equal((await admin.api.rights.list({})).holders.length, 1)
  const young = await scene.company({ status: 'pending' })
  await scene.confirm(young.admin)
  await refuses('outside_own_domain', young.admin.api.companies.invite_admin(cleo('else.test')))
})

test('before activation, an address at the company’s own domain can be invited', async () => {
  const { admin, domain } = await scene.company({ status: 'pending' })
  await scene.confirm(admin)
  const made = await admin.api.companies.invite_admin(cleo(domain))
  assert.equal(made.status, 'pending')
})

/** Follows the invitation's link, and sets the password that all have here. */
async function come(id: string, like: string) {
  const [{ email }] = await scene.sql<[{ email: string }]>`
    update auth.users set email_confirmed_at = now(), password_hash = (
      select password_hash from auth.users where id = ${like}) where id = ${id} returning email`
  return scene.signIn(email)
}

test('with a second owner, an invited admin is no owner, reviewer or finance before that one confirms it', async () => {
  const company = await scene.company()
  const { admin, domain } = company
  const second = await withRights(scene, company, 'owner')
  await scene.confirm(admin)
  const { id } = await admin.api.companies.invite_admin(cleo(domain))
  const invited = await come(id, admin.id)
  assert.deepEqual((await invited.api.users.me({})).rights, ['people'])
  await refuses('forbidden', invited.api.review.queue({}))
  await refuses('right_given_by_you', confirmRights(scene, admin, invited))
  const { notifications } = await second.api.notifications.list({})
  assert.ok(notifications.some(({ code }) => code === 'admin_waits'))
  const { lines } = await second.api.needs.list({})
  assert.deepEqual(
    lines.map(({ rights }) => rights?.map(({ kind }) => kind).sort()),
    [['finance', 'owner', 'reviewer']],
  )
  await confirmRights(scene, second, invited)
  const { rights } = await invited.api.users.me({})
  assert.deepEqual(rights, ['finance', 'owner', 'people', 'reviewer'])
})

test('whoever removed the second owner makes no admin alone that day, and no button offers it', async () => {
  const company = await scene.company()
  const { admin, domain } = company
  const second = await withRights(scene, company, 'owner')
  await admin.api.companies.set_auto_registration({ enabled: false })
  const asks = await scene.signUp(`asks@${domain}`, 'company_admin')
  const offered = async () => {
    const [{ people }, { refusals }] = await Promise.all([
      admin.api.employees.requests({}),
      admin.api.rights.list({}),
    ])
    return [people[0]!.refusals.approve, refusals.invite]
  }
  assert.deepEqual(await offered(), [null, null])
  await scene.confirm(admin)
  await admin.api.companies.remove_admin({ id: second.id, knowingly: true })
  const invite = () => admin.api.companies.invite_admin(cleo(domain))
  const approve = () => admin.api.employees.approve({ id: asks.id })
  assert.deepEqual(await offered(), ['owner_removed_lately', 'owner_removed_lately'])
  for (const make of [invite, approve]) await refuses('owner_removed_lately', make())
  const auditor = await withRights(scene, company, 'auditor')
  for (const [who, code] of [
    [admin, 'owner_removed_lately'],
    [auditor, null],
  ] as const) {
    const [answer] = await scene.straight(
      who,
      (tx) => tx<[{ code: unknown }]>`select giving_refusal('owner', null) as code`,
    )
    assert.equal(answer.code, code)
  }
  await scene.sql`update company_rights set ended_at = now() - interval '25 hours'
    where person_id = ${second.id} and ended_at is not null`
  assert.deepEqual(await offered(), [null, null])
  for (const make of [invite, approve]) await make()
})

test('an address invited a day before it is used is no second person that day', async () => {
  const { admin, domain } = await scene.company()
  await scene.confirm(admin)
  const { id } = await admin.api.companies.invite_admin(cleo(domain))
  const day_old =
    () => scene.sql`update company_rights set given_at = given_at - interval '25 hours',
    begins_at = begins_at - interval '25 hours' where person_id = ${id}`
  await day_old()
  const same = async () => {
    const [row] = await scene.sql`select counts_as_one('finance', ${admin.id}, ${id}) as same`
    return row!['same']
  }
  assert.equal(await same(), true)
  await come(id, admin.id)
  assert.equal(await same(), true)
  await scene.sql`update profiles set confirmed_at = now() - interval '25 hours' where id = ${id}`
  assert.equal(await same(), false)
})
