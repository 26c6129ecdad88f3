// One person's balance is adjusted by two people, once, beside the plan, and never below zero.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Category } from '#categories.ts'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import { about_a_person } from '#privacy/about-a-person.ts'
import { daysAfter } from '#lib/days.ts'
import { ownBalances } from '../../../test/world/money.ts'
import { payingCompany } from '../../../test/world/payouts.ts'
import { aKey, refuses, won, type Person } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { keepYearsOf, sealAll } from '#funds/jobs.server.ts'

const scene = openedScene()

const reason = 'Promised when she moved here'
const more = (person: Person, cents = 5000, category: Category = 'prevention') => ({
  person_id: person.id,
  category,
  cents,
  reason,
})

/** Ana has 2000.00 of Prevention; `proposer` and `other` have finance and nothing else. */
async function adjusting({ lone = false } = {}) {
  const { acme, hr } = await payingCompany(scene, { lone: true })
  const proposer = lone ? hr : await withRights(scene, acme.company, 'finance')
  const other = lone ? hr : await withRights(scene, acme.company, 'finance')
  const ana = await acme.hire('Ana')
  return { acme, hr, ana, proposer: proposer.api.adjustments, other: other.api.adjustments }
}
const fulfilled = (all: PromiseSettledResult<unknown>[]) => won(all).length
const holds = async (hr: Person) => {
  const open = await hr.api.funds.verify({})
  await sealAll(scene.sql)
  assert.deepEqual([open.good, (await hr.api.funds.verify({})).good], [true, true], open.sentence)
}

test('more or less, once another has confirmed it: told, in every statement, and in no grant', async () => {
  const { acme, hr, ana, proposer, other } = await adjusting()
  const { id, refusals } = await proposer.propose(more(ana))
  assert.deepEqual(refusals, {
    confirm: 'adjustment_needs_another',
    decline: 'adjustment_needs_another',
    withdraw: null,
  })
  assert.deepEqual(await ownBalances(ana), [200_000, 700_000, 100_000])
  const needs = (await hr.api.needs.list({})).lines
  assert.deepEqual(
    needs.map(({ kind, cents, who, subject_id }) => [kind, cents, who, subject_id]),
    [['adjustment_waits', 5000, 'Ana', id]],
  )
  await refuses('adjustment_needs_another', proposer.confirm({ id }))
  const done = await other.confirm({ id })
  assert.equal(done.status, 'confirmed')
  await refuses('adjustment_decided', hr.api.adjustments.confirm({ id }))
  const less = await proposer.propose(more(ana, -1000, 'treatment'))
  await other.confirm({ id: less.id })
  assert.deepEqual(await ownBalances(ana), [205_000, 699_000, 100_000])
  const [mine] = (await ana.api.funds.mine({})).balances
  assert.deepEqual([mine!.total_cents, mine!.percent], [205_000, 100])
  const { notifications } = await ana.api.notifications.list({})
  assert.deepEqual(
    notifications.slice(0, 2).map(({ code, facts }) => [code, facts['cents']]),
    [
      ['balance_adjusted', -1000],
      ['balance_adjusted', 5000],
    ],
  )
  const notices = notifications.slice(0, 2).map((one) => [one.facts, inWords(one, in_mails)])
  assert.ok(!JSON.stringify(notices).includes(reason), 'it may be about health')
  const { entries } = await ana.api.funds.my_statement({})
  assert.deepEqual(
    entries.slice(0, 2).map(({ event, amount_cents, note }) => [event, amount_cents, note]),
    [
      ['adjusted_down', 1000, reason],
      ['adjusted_up', 5000, reason],
    ],
  )
  const companys = await hr.api.funds.statement({ limit: 1 })
  assert.equal(companys.entries[0]!.event, 'adjusted_down')
  // The plan gives less, then more, and what was adjusted stays beside it.
  for (const prevention_cents of [150_000, 220_000]) {
    await hr.api.funds.change_plan({ ...(await hr.api.funds.plan({})), prevention_cents })
    await scene.sql`select private.regrant_people(${acme.id}, ${acme.plan_year},
      array[${ana.id}]::uuid[]), private.grant_soon(${acme.id}, ${acme.plan_year})`
    assert.equal((await ownBalances(ana))[0], prevention_cents + 5000)
  }
  const record = await hr.api.audit.list({ table: 'balance_adjustments' })
  assert.ok(record.entries.some(({ after }) => after?.['reason'] === reason))
  await holds(hr)
})

test('never below nothing, never more than the pool has, whatever happened since it was proposed', async () => {
  const { acme, hr, ana, proposer, other } = await adjusting()
  await refuses('less_available', proposer.propose(more(ana, -200_001)))
  await refuses('pool_exhausted', proposer.propose(more(ana, 1e10)))
  const less = await proposer.propose(more(ana, -200_000))
  const offered = async (proposal: { id: string }) => [
    (await other.find(proposal)).refusals.confirm,
    (await hr.api.needs.list({})).lines.filter(({ kind }) => kind === 'adjustment_waits').length,
  ]
  assert.deepEqual(await offered(less), [null, 1])
  const { id } = await acme.claim(ana, { amount_cents: 9000 })
  await refuses('less_available', other.confirm({ id: less.id }))
  assert.deepEqual(await offered(less), ['less_available', 0])
  await ana.api.claims.withdraw({ id })
  await other.confirm({ id: less.id })
  assert.deepEqual(await ownBalances(ana), [0, 700_000, 100_000])
  const { categories } = await hr.api.funds.overview({})
  const { free_cents } = categories.find(({ category }) => category === 'solidarity')!
  const all = await proposer.propose(more(ana, free_cents, 'solidarity'))
  await hr.api.funds.deallocate({
    plan_year: acme.plan_year,
    prevention_cents: 0,
    treatment_cents: 0,
    solidarity_cents: 1,
  })
  await refuses('pool_exhausted', other.confirm({ id: all.id }))
  assert.deepEqual(await offered(all), ['pool_exhausted', 0])
  assert.equal((await other.find({ id: all.id })).status, 'waiting')
  assert.deepEqual(await ownBalances(ana), [0, 700_000, 100_000])
  await holds(hr)
})

test('any other word decides nothing, by whoever proposed it or by another', async () => {
  const { acme, hr, ana, proposer } = await adjusting()
  const { id } = await proposer.propose(more(ana))
  const finance = await withRights(scene, acme.company, 'finance')
  for (const act of ['takeback', '', null])
    for (const person of [hr, finance])
      await assert.rejects(
        scene.straight(person, (tx) => tx`select decide_adjustment(${id}, ${act})`),
        { message: 'forbidden' },
        `${act}`,
      )
  assert.equal((await proposer.find({ id })).status, 'waiting')
})

test('is declined by another, withdrawn by who proposed it, and decided once', async () => {
  const { hr, ana, proposer, other } = await adjusting()
  const first = await proposer.propose(more(ana))
  await refuses('adjustment_of_another', other.withdraw(first))
  assert.equal((await other.decline(first)).status, 'declined')
  const next = await proposer.propose(more(ana))
  assert.equal((await proposer.withdraw(next)).status, 'withdrawn')
  await refuses('adjustment_decided', other.confirm(next))
  assert.deepEqual((await hr.api.needs.list({})).lines, [])
  const key = { idempotency_key: aKey() }
  const twice = await Promise.all([1, 2].map(() => proposer.propose(more(ana, 700), key)))
  assert.equal(twice[0]!.id, twice[1]!.id)
  const last = { id: twice[0]!.id }
  const acts = [other.confirm, hr.api.adjustments.confirm, other.decline, proposer.withdraw]
  assert.equal(fulfilled(await Promise.allSettled(acts.map((act) => act(last)))), 1)
  const { status } = await other.find(last)
  assert.equal((await ownBalances(ana))[0], status === 'confirmed' ? 200_700 : 200_000)
  const { adjustments } = await other.list({ person_id: ana.id })
  assert.deepEqual(
    new Set(adjustments.map((one) => one.status)),
    new Set(['declined', 'withdrawn', status]),
  )
  await holds(hr)
})

test('one alone decides alone; two accounts that one person may have count as one', async () => {
  const { acme, hr, ana, proposer } = await adjusting({ lone: true })
  const { id } = await proposer.propose(more(ana))
  assert.equal((await proposer.confirm({ id })).status, 'confirmed')
  const ben = await acme.hire('Ben')
  await scene.confirm(hr)
  await hr.api.rights.give({ person_id: ben.id, kind: 'finance' })
  const next = await proposer.propose(more(ana))
  await refuses('admin_too_new', ben.api.adjustments.confirm(next))
  await refuses('admin_too_new', hr.api.adjustments.propose(more(ben)))
  const proposes = async (by: Person, person?: Person) =>
    (await by.api.adjustments.list({ person_id: person?.id })).refusals.propose
  assert.deepEqual(
    [
      await proposes(hr, ben),
      await proposes(ben, ben),
      await proposes(hr, ana),
      await proposes(hr),
    ],
    ['admin_too_new', 'yourself', null, null],
  )
  const offered = await hr.api.adjustments.people({})
  assert.deepEqual(
    offered.map(({ id: person_id }) => person_id),
    [ana.id],
    'those whom the proposal would refuse are not among them',
  )
  await refuses('yourself', ben.api.adjustments.propose(more(ben)))
  const less = await hr.api.adjustments.propose({ ...more(ana), cents: -500 })
  await scene.sql`update balance_adjustments set person_id = ${hr.id} where id = ${less.id}`
  await refuses('admin_too_new', ben.api.adjustments.decline(less))
})

test('is Finance’s, of one’s own company, about somebody with a fund in an open year', async () => {
  const { acme, hr, ana, proposer, other } = await adjusting()
  const { id } = await proposer.propose(more(ana))
  for (const right of ['owner', 'people', 'reviewer', 'auditor', 'viewer'] as const) {
    const { api } = await withRights(scene, acme.company, right)
    await refuses('forbidden', api.adjustments.propose(more(ana)))
    await refuses('forbidden', api.adjustments.confirm({ id }))
  }
  await refuses('forbidden', ana.api.adjustments.list({}))
  const strangers = (await scene.company({ name: 'Other' })).admin.api.adjustments
  for (const act of [strangers.find, strangers.confirm, strangers.decline, strangers.withdraw])
    await refuses('not_found', act({ id }))
  await refuses('not_found', strangers.propose(more(ana)))
  assert.deepEqual((await strangers.list({})).adjustments, [])
  assert.deepEqual(await strangers.people({ search: 'Ana' }), [])
  assert.deepEqual(
    (await proposer.people({ search: 'ana' })).map((one) => one.id),
    [ana.id],
  )
  await refuses('invalid_input', proposer.propose(more(ana, 0)))
  await refuses('no_fund_in_year', proposer.propose(more(hr)))
  const last = daysAfter(acme.plan_year, -1)
  await refuses('no_plan_year', proposer.propose({ ...more(ana), plan_year: last }))
  assert.deepEqual((await proposer.years({})).years, [acme.plan_year])
  const [before_it] = await scene.sql<[{ plan_year: string }]>`
    insert into plan_years (company_id, starts_on)
      values (${acme.id}, ${acme.plan_year}::date - interval '2 years')
      returning starts_on as plan_year`
  await refuses('filing_days_over', proposer.propose({ ...more(ana), ...before_it }))
  assert.deepEqual((await proposer.years({})).years, [acme.plan_year])
  await scene.sql`update plan_years set closed_at = now()
    where company_id = ${acme.id} and starts_on = ${acme.plan_year}`
  await refuses('plan_year_closed', other.confirm({ id }))
  await refuses('plan_year_closed', proposer.propose(more(ana)))
  assert.deepEqual((await proposer.years({})).years, [])
  await other.decline({ id })
})

test('a transaction that dies in the middle moves nothing and leaves the proposal', async () => {
  const { hr, ana, proposer, other } = await adjusting()
  const { id } = await proposer.propose(more(ana))
  await scene.sql`alter table notifications add constraint storage_full check (code <> 'balance_adjusted') not valid`
  try {
    await refuses('storage_full', other.confirm({ id }))
  } finally {
    await scene.sql`alter table notifications drop constraint storage_full`
  }
  assert.equal((await other.find({ id })).status, 'waiting')
  assert.equal((await ownBalances(ana))[0], 200_000)
  assert.equal((await other.confirm({ id })).status, 'confirmed')
  await holds(hr)
})

test('at the year’s end it is this year’s money: carried over as the plan says, the rest goes back', async () => {
  const { acme, hr, ana, proposer, other } = await adjusting()
  const plan = await hr.api.funds.plan({})
  await hr.api.funds.change_plan({ ...plan, carry_over: 'all', carry_over_max_cents: null })
  for (const adjustment of [more(ana, 5000), more(ana, -700_000, 'treatment')]) {
    const { id } = await proposer.propose(adjustment)
    await other.confirm({ id })
  }
  assert.equal((await ana.api.funds.mine({})).balances[0]!.expires_cents, 0)
  await keepYearsOf(scene.sql, acme.id, daysAfter(plan.ends_on, -30))
  await keepYearsOf(scene.sql, acme.id, daysAfter(plan.ends_on, 200))
  const carried = await scene.sql<{ category: string; carried_cents: number }[]>`
    select category, carried_cents from grants where company_id = ${acme.id}
      and person_id = ${ana.id} and plan_year > ${plan.starts_on} order by category`
  assert.deepEqual(
    carried.map((one) => [one.category, one.carried_cents]),
    [
      ['prevention', 205_000],
      ['solidarity', 100_000],
      ['treatment', 0],
    ],
  )
  await holds(hr)
})

test('is in its person’s export, and erasure leaves no reason, in the ledger neither', async () => {
  const { acme, ana, proposer, other } = await adjusting()
  const { query } = about_a_person.find(({ name }) => name === 'balance_adjustments')!
  const { id } = await proposer.propose(more(ana))
  await other.confirm({ id })
  await proposer.propose(more(ana, 100))
  const exported = async () =>
    (await scene.sql.unsafe(query, [ana.id])).map((row) => [row['status'], row['reason']])
  assert.deepEqual(await exported(), [
    ['confirmed', reason],
    ['waiting', reason],
  ])
  await scene.sql`select private.erase_claims(${acme.id}, ${ana.id})`
  assert.deepEqual(await exported(), [
    ['confirmed', 'Erased'],
    ['withdrawn', 'Erased'],
  ])
  const { entries } = await acme.company.admin.api.funds.statement({ limit: 1 })
  assert.deepEqual(
    entries.map(({ event, note }) => [event, note]),
    [['adjusted_up', 'Erased']],
  )
})
