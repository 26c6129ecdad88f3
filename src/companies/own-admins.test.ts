// An owner invites somebody to run the company with them, and can't make themselves two people by it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keyOf } from '../../test/key-stage.ts'
import { openScene, refuses, type Scene } from '../../test/scene.ts'

let scene: Scene
before(async () => (scene = await openScene()))
after(() => scene.close())

const cleo = (domain: string) => ({ full_name: 'Cleo Second', email: `cleo@${domain}` })

test('an admin sees who runs the company, and invites somebody with their password', async () => {
  const { admin, domain } = await scene.company()
  const boss = await scene.superAdmin()
  await scene.stale(admin)
  await refuses('password_needed', admin.api.companies.invite_admin(cleo(domain)))
  await scene.confirm(admin)
  const made = await admin.api.companies.invite_admin(cleo(domain))
  assert.equal(made.status, 'pending')
  const admins = await admin.api.rights.list({})
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
  await assert.rejects(key.api.companies.invite_admin(cleo(domain)))
  assert.equal((await admin.api.rights.list({})).length, 1)
  const young = await scene.company({ status: 'pending' })
  await scene.confirm(young.admin)
  await refuses('outside_own_domain', young.admin.api.companies.invite_admin(cleo('else.test')))
})
