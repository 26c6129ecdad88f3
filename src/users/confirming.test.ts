// The rights of an admin that wait are confirmed in one act: all that an owner was shown, or none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needText } from '#notifications/needs.contract.ts'
import { inWords } from '#notifications/words.contract.ts'
import { in_mails } from '#lib/writing.ts'
import { lost, refuses, type Company, type Person } from '../../test/world/people.ts'
import { confirmRights, ownRights, withRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import type { CompanyRight } from './rights.contract.ts'

const scene = openedScene()
const boss = opened(() => scene.superAdmin())

const waitingOf = async (owner: Person, { id }: Person) =>
  (await owner.api.rights.list({})).holders
    .find((one) => one.id === id)!
    .rights.map((right) => right.id)
const needsOf = async ({ api }: Person) =>
  (await api.needs.list({})).lines.filter(({ kind }) => kind === 'right_waits')
const confirm = async (by: Person, ids: string[]) => {
  await scene.confirm(by)
  return by.api.rights.confirm({ ids })
}
const give = async (by: Person, to: Person, kind: CompanyRight) => {
  await scene.confirm(by)
  return (await by.api.rights.give({ person_id: to.id, kind })).id
}
/** An employee whom the provider made an admin, with four rights that wait. */
async function madeByProvider(acme: Company, name = 'Ana') {
  const ana = await acme.hire(name)
  await boss.api.users.change_role({ id: ana.id, role: 'company_admin', company_id: acme.id })
  return ana
}

test('four rights are one thing to do, confirmed by one password, each with its entry in the record', async () => {
  const acme = await scene.company()
  const ana = await madeByProvider(acme)
  const [line, ...more] = await needsOf(acme.admin)
  assert.deepEqual(more, [])
  assert.equal(needText(line!).title, 'Rights to confirm: Owner, People, Reviewer, Finance')
  assert.deepEqual(
    [line!.items, line!.subject_id, line!.who, line!.given_by],
    [4, ana.id, 'Ana', [null]],
  )
  const ids = await waitingOf(acme.admin, ana)
  assert.deepEqual(line!.rights!.map(({ id }) => id).toSorted(), ids.toSorted())
  await scene.stale(acme.admin)
  await refuses('password_needed', acme.admin.api.rights.confirm({ ids }))
  await confirm(acme.admin, ids)
  assert.deepEqual(await ownRights(ana), ['finance', 'owner', 'people', 'reviewer'])
  assert.deepEqual(await needsOf(acme.admin), [])
  const { entries } = await acme.admin.api.audit.list({ table: 'company_rights' })
  const confirmed = entries
    .filter(({ act }) => act === 'update')
    .map(({ subject, context }) => `${subject}, ${String(context?.['kind'])}`)
  const kinds = ['finance', 'owner', 'people', 'reviewer'].map((kind) => `Ana, ${kind}`)
  assert.deepEqual(confirmed.toSorted(), kinds)
  const notices = (await ana.api.notifications.list({})).notifications
    .filter(({ code }) => code === 'right_given')
    .map((one) => inWords(one, in_mails).title)
  assert.deepEqual(notices, ['You have new rights: Owner, People, Reviewer, Finance'])
})

test('whoever waits is told which rights, by whom they were given, and who can confirm them', async () => {
  const acme = await scene.company()
  const second = await withRights(scene, acme, 'owner')
  const ana = await acme.hire('Ana')
  const asks = async ({ api }: Person) => {
    const { given_at: _, kinds, ...rest } = await api.rights.waiting({})
    return { ...rest, kinds: kinds.toSorted(), wait: (await api.users.me({})).rights_wait }
  }
  const nothing = { kinds: [], given_by: [], begins_at: null, confirmers: [], wait: false }
  assert.deepEqual(await asks(ana), nothing)
  await give(acme.admin, ana, 'finance')
  const [one, other] = await Promise.all([acme.admin, second].map(({ api }) => api.users.me({})))
  assert.deepEqual(await asks(ana), {
    kinds: ['finance'],
    given_by: [one!.full_name],
    begins_at: null,
    confirmers: [other!.full_name],
    wait: true,
  })
  await confirmRights(scene, second, ana)
  assert.deepEqual(await asks(ana), nothing)
  const bea = await madeByProvider(acme, 'Bea')
  const question = await asks(bea)
  assert.deepEqual(
    [question.kinds.length, question.given_by, question.confirmers.toSorted()],
    [4, [null], [one!.full_name, other!.full_name].toSorted()],
  )
  await refuses('forbidden', boss.api.rights.waiting({}))
})

test('some of them can be confirmed alone, and the others go on waiting', async () => {
  const acme = await scene.company()
  const ana = await madeByProvider(acme)
  const [owner = '', people = ''] = await waitingOf(acme.admin, ana)
  await confirm(acme.admin, [people])
  assert.deepEqual(await ownRights(ana), ['people'])
  const [line] = await needsOf(acme.admin)
  assert.equal(needText(line!).title, 'Rights to confirm: Owner, Reviewer, Finance')
  assert.ok(line!.rights!.some(({ id }) => id === owner))
})

test('one that an owner may not confirm leaves all that were sent with it waiting', async () => {
  const acme = await scene.company()
  const first = acme.admin
  const second = await withRights(scene, acme, 'owner')
  const ana = await acme.hire('Ana')
  const [finance, reviewer] = [
    await give(first, ana, 'finance'),
    await give(second, ana, 'reviewer'),
  ]
  await refuses('right_given_by_you', confirm(second, [finance, reviewer]))
  assert.deepEqual(await ownRights(ana), [])
  const [line] = await needsOf(second)
  assert.deepEqual([line!.rights, line!.given_by], [[{ id: finance, kind: 'finance' }], ['admin']])
  await confirm(second, [finance])
  await refuses('right_already_confirmed', confirm(first, [finance, reviewer]))
  assert.deepEqual(await ownRights(ana), ['finance'])
  const stranger = await scene.company()
  const theirs = await madeByProvider(stranger)
  const foreign = await waitingOf(stranger.admin, theirs)
  await refuses('not_found', confirm(first, [reviewer, ...foreign]))
  assert.deepEqual([await ownRights(ana), await ownRights(theirs)], [['finance'], []])
})

test('of two owners who confirm the same ones at the same moment one does', async () => {
  const acme = await scene.company()
  const owners = [acme.admin, await withRights(scene, acme, 'owner')]
  const ana = await madeByProvider(acme)
  const ids = await waitingOf(acme.admin, ana)
  const done = await Promise.allSettled(owners.map((owner) => confirm(owner, ids)))
  assert.deepEqual(lost(done), ['right_already_confirmed'])
  const by = await scene.sql`select distinct confirmed_by from company_rights
    where person_id = ${ana.id} and confirmed_at is not null`
  assert.equal(by.length, 1)
  const notices = (await ana.api.notifications.list({})).notifications
  assert.equal(notices.filter(({ code }) => code === 'right_given').length, 1)
})
