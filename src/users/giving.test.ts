// Rights are given by an owner and never to oneself, confirmed where they move money, and the last owner stays.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { lost, refuses, type Person } from '../../test/world/people.ts'
import { aDayLater, ownRights, withRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { codesOf } from '../../test/world/notices.ts'
import { plain_step } from '#claims/policies/steps.contract.ts'
import { needText } from '#notifications/needs.contract.ts'
import type { CompanyRight } from './rights.contract.ts'

const scene = openedScene()
const boss = opened(() => scene.superAdmin())

type More = { from_on?: string; until_on?: string }
const give = async (by: Person, to: Person, kind: CompanyRight, more: More = {}) => {
  await scene.confirm(by)
  return by.api.rights.give({ person_id: to.id, kind, ...more })
}
/** A company with a second owner of old. */
async function twoOwners() {
  const stage = await fundedCompany(scene)
  const second = await withRights(scene, stage.company, 'owner')
  return { stage, first: stage.company.admin, second }
}

describe('a right', () => {
  test('is given to an employee, who stays one, is told, and has it from the next request on', async () => {
    const { admin, hire } = await scene.company()
    const ana = await hire('Ana')
    await refuses('forbidden', ana.api.audit.list({}))
    await give(admin, ana, 'auditor')
    const me = await ana.api.users.me({})
    assert.deepEqual([me.role, me.rights, me.has_own], ['company_admin', ['auditor'], true])
    assert.ok(await ana.api.audit.list({}))
    await refuses('forbidden', ana.api.review.queue({}))
    assert.ok(await ana.api.funds.mine({}))
    assert.equal((await admin.api.employees.find({ id: ana.id })).role, 'employee')
    assert.ok((await codesOf(ana)).includes('right_given'))
    assert.ok((await codesOf(boss)).includes('right_given_there'))
    const { entries } = await admin.api.audit.list({})
    assert.ok(
      entries.some(({ table_name, act }) => table_name === 'company_rights' && act === 'insert'),
    )
  })

  test('ends at once, and what else is theirs stays', async () => {
    const { admin, hire } = await scene.company()
    const ana = await hire('Ana')
    const { id } = await give(admin, ana, 'auditor')
    await give(admin, ana, 'viewer')
    await scene.confirm(admin)
    await admin.api.rights.end({ id })
    assert.deepEqual(await ownRights(ana), ['viewer'])
    await refuses('forbidden', ana.api.audit.list({}))
    const { entries } = await admin.api.audit.list({ table: 'company_rights' })
    assert.deepEqual(
      entries.flatMap(({ act, subject, before, after, context }) =>
        subject === 'Ana' && { ...context, ...before, ...after }['kind'] === 'auditor' ? act : [],
      ),
      ['update', 'insert'],
    )
    assert.ok((await codesOf(ana)).includes('right_ended'))
    await refuses('not_found', admin.api.rights.end({ id }))
    await admin.api.companies.remove_admin({ id: ana.id })
    const me = await ana.api.users.me({})
    assert.deepEqual([me.role, me.rights], ['employee', []])
  })

  test('counts from its first day until its last, by the moment', async () => {
    const { stage, first } = await twoOwners()
    const ana = await stage.hire('Ana')
    const { id } = await give(first, ana, 'viewer', { from_on: stage.today, until_on: stage.today })
    assert.deepEqual(await ownRights(ana), ['viewer'])
    await scene.sql`update company_rights set begins_at = now() + interval '1 hour',
      ends_at = now() + interval '2 hours' where id = ${id}`
    assert.deepEqual(await ownRights(ana), [])
    assert.equal((await ana.api.users.me({})).role, 'employee')
    await scene.sql`update company_rights set begins_at = now() - interval '2 hours',
      ends_at = now() - interval '1 second' where id = ${id}`
    await refuses('forbidden', ana.api.funds.overview({}))
    await scene.confirm(first)
    await refuses('right_is_over', first.api.rights.end({ id }))
    await scene.sql`select private.end_rights()`
    const [row] = await scene.sql`select has_rights from profiles where id = ${ana.id}`
    assert.equal(row!['has_rights'], false)
    await give(first, ana, 'viewer')
    assert.deepEqual(await ownRights(ana), ['viewer'])
  })

  test('is refused to oneself, to strangers, twice, backwards, by others than owners, and on an open screen', async () => {
    const { stage, first, second } = await twoOwners()
    const ana = await stage.hire('Ana')
    const stranger = await (await scene.company()).hire('Else')
    await refuses('yourself', give(second, second, 'finance'))
    await refuses('not_found', give(first, stranger, 'viewer'))
    await give(first, ana, 'viewer')
    await refuses('right_already_given', give(second, ana, 'viewer'))
    await refuses('right_ends_too_soon', give(first, ana, 'auditor', { until_on: '2001-01-01' }))
    for (const kind of ['people', 'reviewer', 'finance', 'auditor', 'viewer'] as const) {
      const other = await withRights(scene, stage.company, kind)
      await refuses('forbidden', give(other, ana, 'auditor'))
    }
    await scene.stale(first)
    const again = first.api.rights.give({ person_id: ana.id, kind: 'viewer' })
    await refuses('right_already_given', again)
    const asks = first.api.rights.give({ person_id: ana.id, kind: 'auditor' })
    await refuses('password_needed', asks)
  })

  test('that moves money waits for a second owner, where there is one', async () => {
    const { stage, first, second } = await twoOwners()
    const ana = await stage.hire('Ana')
    const { id } = await give(first, ana, 'finance')
    assert.deepEqual(await ownRights(ana), [])
    await refuses('forbidden', ana.api.payouts.runs({}))
    assert.ok((await codesOf(second)).includes('right_waits'))
    await refuses('right_given_by_you', first.api.rights.confirm({ ids: [id] }))
    await scene.confirm(second)
    await second.api.rights.confirm({ ids: [id] })
    assert.deepEqual(await ownRights(ana), ['finance'])
    assert.ok(await ana.api.payouts.runs({}))
    await refuses('right_already_confirmed', second.api.rights.confirm({ ids: [id] }))
    const alone = await scene.company()
    const ben = await alone.hire('Ben')
    await give(alone.admin, ben, 'finance')
    assert.deepEqual(await ownRights(ben), ['finance'])
  })

  test('that waits is said as that, and needs whoever can confirm it', async () => {
    const { stage, first, second } = await twoOwners()
    const ana = await stage.hire('Ana')
    const right_to_give = { person_id: ana.id, kind: 'finance' } as const
    const { confirmers } = await first.api.rights.confirmers(right_to_give)
    assert.equal(confirmers?.length, 1)
    const for_second = { person_id: second.id, kind: 'reviewer' } as const
    assert.equal((await first.api.rights.confirmers(for_second)).confirmers, null)
    await refuses('forbidden', ana.api.rights.confirmers(right_to_give))
    const { id, waits } = await give(first, ana, 'finance')
    assert.equal(waits, true)
    const waiting = async (person: Person) =>
      (await person.api.needs.list({})).lines
        .filter(({ kind }) => kind === 'right_waits')
        .map((one) => [one.subject_id, one.rights, one.who, needText(one).title])
    const rights = [{ id, kind: 'finance' }]
    assert.deepEqual(await waiting(second), [[ana.id, rights, 'Ana', 'Right to confirm: Finance']])
    assert.deepEqual([await waiting(first), await waiting(ana)], [[], []])
    await scene.confirm(second)
    await second.api.rights.confirm({ ids: [id] })
    assert.deepEqual(await waiting(second), [])
    assert.equal((await give(first, ana, 'viewer')).waits, false)
  })

  test('of a reviewer whom the policy asks ends only knowingly, and owners have it to fix', async () => {
    const { stage, first } = await twoOwners()
    const named = await withRights(scene, stage.company, 'reviewer')
    const { policies, rights, companies, needs } = first.api
    const { version, note: _, ...terms } = await policies.current({})
    const steps = [
      { ...plain_step, who: 'people' as const, person_ids: [named.id] },
      { ...plain_step, above_cents: 50_000, deputy_id: named.id },
    ]
    await policies.change({ version, ...terms, steps })
    const without = await policies.gaps({ without: named.id })
    assert.deepEqual([without.needed, without.reviewers], [2, 1])
    const gaps = without.steps.map(({ number, gap }) => `${number} ${gap}`)
    assert.deepEqual(gaps, ['1 named', '2 deputy'])
    assert.equal(without.refusals.end, 'policy_needs_them')
    assert.deepEqual((await policies.gaps({})).steps, [])
    const theirs = (await rights.list({})).holders.find(({ id }) => id === named.id)!.rights[0]!
    await scene.confirm(first)
    await refuses('policy_needs_them', rights.end({ id: theirs.id }))
    await refuses('policy_needs_them', companies.remove_admin({ id: named.id }))
    await rights.end({ id: theirs.id, knowingly: true })
    const lines = (await needs.list({})).lines.map(({ kind }) => kind)
    assert.deepEqual(
      lines.filter((kind) => kind !== 'people_missing'),
      ['reviewers_missing', 'step_unfilled', 'step_unfilled'],
    )
    const claim = await stage.claim(await stage.hire('Ben'), { amount_cents: 6000 })
    assert.equal((await first.api.review.find({ id: claim.id })).status, 'pending')
    await refuses('forbidden', named.api.policies.gaps({}))
    const cleo = await stage.hire('Cleo')
    const { id, waits } = await give(first, cleo, 'reviewer')
    const ending = await policies.gaps({ without: cleo.id })
    assert.deepEqual([waits, ending.needed > ending.reviewers], [true, true])
    assert.equal(ending.refusals.end, null, 'a right that waits is nobody the policy has')
    await rights.end({ id })
  })

  test('is not confirmed by whom its giver made an owner that day, nor by whom it is for', async () => {
    const { stage, first, second } = await twoOwners()
    const newcomer = await stage.hire('Newcomer')
    const made = await give(first, newcomer, 'owner')
    await scene.confirm(second)
    await second.api.rights.confirm({ ids: [made.id] })
    const ana = await stage.hire('Ana')
    const { id } = await give(first, ana, 'reviewer')
    await scene.confirm(newcomer)
    await refuses('admin_too_new', newcomer.api.rights.confirm({ ids: [id] }))
    await aDayLater(scene, newcomer)
    await newcomer.api.rights.confirm({ ids: [id] })
    assert.deepEqual(await ownRights(ana), ['reviewer'])
  })
})

describe('the last owner', () => {
  test('keeps being one: the right does not end, nor do they leave or go', async () => {
    const { stage, first, second } = await twoOwners()
    const owner = (await first.api.rights.list({})).holders.find(({ id }) => id === second.id)!
      .rights[0]!
    await scene.confirm(first)
    await first.api.rights.end({ id: owner.id })
    const mine = (await first.api.rights.list({})).holders[0]!.rights.find(
      ({ kind }) => kind === 'owner',
    )
    assert.equal(mine!.refusals.end, 'yourself')
    // An owner with a last day is not enough for a company.
    const until = await stage.hire('Until')
    const forever = { until_on: '2199-12-31' }
    const whyNot = async (kind: CompanyRight) =>
      (await first.api.rights.confirmers({ person_id: until.id, kind })).refusals.give
    assert.deepEqual(
      [await whyNot('owner'), await whyNot('people')],
      ['owner_removed_lately', null],
    )
    await refuses('owner_removed_lately', give(first, until, 'owner', forever))
    await scene.sql`update company_rights set ended_at = now() - interval '25 hours'
      where id = ${owner.id}`
    assert.equal(await whyNot('owner'), null)
    await give(first, until, 'owner', forever)
    await scene.confirm(until)
    await refuses('last_owner', until.api.companies.remove_admin({ id: first.id }))
    const theirs = (await until.api.rights.list({})).holders.find(({ id }) => id === first.id)!
    const kept = theirs.rights.find(({ kind }) => kind === 'owner')!
    assert.equal(kept.refusals.end, 'last_owner')
    await refuses('last_owner', until.api.rights.end({ id: kept.id }))
  })

  test('one of two who end each other at the same moment stays', async () => {
    const { first, second } = await twoOwners()
    const ownerOf = async (person: Person) =>
      (await first.api.rights.list({})).holders.find(({ id }) => id === person.id)!.rights[0]!.id
    const [one, two] = [await ownerOf(first), await ownerOf(second)]
    for (const who of [first, second]) await scene.confirm(who)
    const done = await Promise.allSettled([
      first.api.rights.end({ id: two }),
      second.api.rights.end({ id: one }),
    ])
    assert.deepEqual(lost(done), ['forbidden'])
  })
})

describe('an employee with rights', () => {
  let stage: FundedCompany
  let ben: Person
  before(async () => {
    ;({ stage } = await twoOwners())
    ben = await stage.hire('Ben')
    await scene.sql`insert into company_rights (company_id, person_id, kind, given_at, confirmed_at)
      select ${stage.id}, ${ben.id}, k, now() - interval '2 days', now()
        from unnest(array['people', 'reviewer', 'finance']) k`
  })

  test('claims, does not decide it, and is paid', async () => {
    const { admin } = stage.company
    const claim = await stage.claim(ben, { amount_cents: 4000 })
    await refuses('own_claim', ben.api.review.approve(claim))
    await admin.api.review.approve(claim)
    const run = await ben.api.payouts.make({ cut_off_on: stage.today, pay_on: stage.today })
    await admin.api.payouts.release(run)
    assert.equal((await ben.api.claims.find({ id: claim.id })).payment, 'paid')
    assert.ok((await ben.api.funds.mine({})).balances.length > 0)
  })

  test('stays in the list of employees, and is neither suspended, brought back nor sent off by HR', async () => {
    const { admin } = stage.company
    const { employees } = await admin.api.employees.list({ search: 'Ben' })
    assert.deepEqual(
      employees.map(({ id }) => id),
      [ben.id],
    )
    await refuses('has_rights', admin.api.employees.suspend({ id: ben.id }))
    const { version } = await admin.api.employees.find({ id: ben.id })
    const leave = { id: ben.id, version, left_on: stage.today }
    await refuses('has_rights', admin.api.employees.leave(leave))
    const lead = await stage.scene.superAdmin()
    await lead.api.users.suspend({ id: ben.id })
    await refuses('has_rights', admin.api.employees.reactivate({ id: ben.id }))
    await lead.api.users.reactivate({ id: ben.id })
  })
})
