// Plan years and plans: what a change of them does to people’s grants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import {
  ownBalances,
  contributedCompany,
  moveFunds,
  purse,
  spread,
  utcToday,
} from '../../../test/world/money.ts'
import { lost, refuses, won } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { until } from '../../../test/until.ts'
import { regrant } from '#funds/jobs.server.ts'

const scene = openedScene()

test('a rebalance moves ungranted money, keeps the sum, and is undone once', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(50_000, 100_000, 20_000) })
  const pools_seen = spread(50_000, 100_000, 20_000)
  const targets = spread(120_000, 20_000, 30_000)
  const note = 'More prevention'
  const pools = async () => (await funds.overview({})).categories.map((c) => c.free_cents)
  await refuses(
    'rebalance_keeps_the_sum',
    funds.rebalance({ plan_year, expected: pools_seen, targets: spread(1, 2, 3), note }),
  )
  await refuses(
    'nothing_to_move',
    funds.rebalance({ plan_year, expected: pools_seen, targets: pools_seen, note }),
  )
  await refuses(
    'invalid_input',
    funds.rebalance({ plan_year, expected: pools_seen, targets, note: '' }),
  )
  const done = await funds.rebalance({ plan_year, expected: pools_seen, targets, note })
  assert.deepEqual(await pools(), [120_000, 20_000, 30_000])
  assert.deepEqual(done.moves, [
    { from: 'treatment', to: 'prevention', amount_cents: 70_000 },
    { from: 'treatment', to: 'solidarity', amount_cents: 10_000 },
  ])
  await refuses(
    'pools_changed',
    funds.rebalance({ plan_year, expected: pools_seen, targets, note }),
  )
  assert.deepEqual(done.refusals, { undo: null })
  const undoing = await Promise.allSettled([1, 2].map(() => funds.undo_rebalance({ id: done.id })))
  assert.deepEqual(lost(undoing), ['rebalance_already_undone'], 'of two at once one undoes it')
  const undone = won(undoing)[0]!
  assert.deepEqual([undone.undone, undone.refusals.undo], [true, 'rebalance_already_undone'])
  assert.deepEqual(await pools(), [50_000, 100_000, 20_000])
  await refuses('rebalance_already_undone', funds.undo_rebalance({ id: done.id }))
  const twice = await Promise.allSettled(
    [1, 2].map(() => funds.rebalance({ plan_year, expected: pools_seen, targets, note })),
  )
  assert.equal(won(twice).length, 1, 'two at once: one moves')
  const latestDone = async () => (await funds.rebalances({}))[0]!
  const latest = await latestDone()
  assert.equal(latest.refusals.undo, null)
  await company.hire('Ana') // her grant takes 20,000 of prevention and can't be covered by treatment
  await funds.deallocate({ plan_year, ...spread(60_000, 0, 0) })
  assert.equal((await latestDone()).refusals.undo, 'pool_exhausted')
  await refuses('pool_exhausted', funds.undo_rebalance({ id: latest.id }))
  assert.equal((await funds.verify({})).good, true)
})

test('a year that closes while money is on its way takes none of it', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  const { allocated } = await scene.sql.begin(async (tx) => {
    await tx`select private.lock_pools(${company.id}, ${plan_year})`
    const allocated = Promise.allSettled([
      funds.allocate({ plan_year, ...spread(1000, 1000, 1000) }),
    ])
    await until(async () => {
      const waiting = await scene.sql`select from pg_locks l join pg_stat_activity a using (pid)
        where a.datname = current_database() and not l.granted`
      return waiting.length > 0
    }, 'an act that waits')
    await tx`update plan_years set closed_at = now() where company_id = ${company.id}`
    return { allocated }
  })
  const [done] = await allocated
  assert.equal(done.status, 'rejected')
  assert.equal((done.reason as { code: string }).code, 'plan_year_closed')
  const [pools] = await scene.sql<[{ cents: number }]>`
    select sum(balance_cents)::bigint as cents from accounts
    where company_id = ${company.id} and kind = 'pool'`
  assert.equal(pools.cents, 0)
})

test('a changed plan is shown before, regrants everybody, and takes nobody’s used money', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 50_000) })
  const ana = await company.hire('Ana')
  const ben = await company.hire('Ben')
  const plan = await funds.plan({})
  const raised = { ...plan, prevention_cents: 60_000, treatment_cents: 50_000 }
  const effect = await funds.preview_plan(raised)
  assert.deepEqual(
    [
      effect.people,
      effect.people_changed,
      effect.people_below_used,
      effect.categories.map((c) => c.change_cents),
    ],
    [2, 2, 0, [80_000, -40_000, 0]],
  )
  assert.deepEqual(
    effect.categories.map((c) => c.lacking_cents),
    [20_000, 0, 0],
  )
  await funds.change_plan(raised)
  assert.deepEqual((await funds.overview({})).regrant, { people: 2, people_done: 0 })
  await regrant({ company_id: company.id, plan_year }, scene.tools)
  const found = (await Promise.all([ana, ben].map(ownBalances))).sort((a, b) => b[0]! - a[0]!)
  assert.deepEqual(found, [
    [60_000, 50_000, 10_000],
    [20_000, 50_000, 10_000],
  ])
  const { regrant: progress, waiting } = await funds.overview({})
  assert.deepEqual([progress, waiting.people], [null, 1])

  await moveFunds(scene.sql, 'hold', purse(company, plan_year, ana, 'treatment'), 30_000, 'claim 1')
  const { version } = await funds.plan({})
  const lower = { ...raised, version, treatment_cents: 29_999 }
  await refuses('grant_below_used', funds.change_plan(lower))
  const { people_below_used, below_used_names } = await funds.preview_plan(lower)
  assert.deepEqual([people_below_used, below_used_names], [1, ['Ana']])
  await funds.change_plan({ ...lower, treatment_cents: 30_000 })
  await regrant({ company_id: company.id, plan_year }, scene.tools)
  assert.equal((await ownBalances(ana))[1], 0)
  assert.equal((await funds.verify({})).good, true)
})

test('a year that closes before a changed plan is computed keeps what it gave', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 50_000) })
  const ana = await company.hire('Ana')
  const before = await ownBalances(ana)
  const plan = await funds.change_plan({ ...(await funds.plan({})), treatment_cents: 1000 })
  await scene.sql`update plan_years set closed_at = now() where company_id = ${company.id}`
  await regrant({ company_id: company.id, plan_year }, scene.tools)
  assert.deepEqual(await ownBalances(ana), before)
  await refuses('plan_year_closed', funds.change_plan(plan))
})

test('of two owners who change a plan the later one is told, and takes nothing back', async () => {
  const { company, funds } = await contributedCompany(scene)
  const other = await withRights(scene, company, 'owner')
  const plan = await funds.plan({})
  await other.api.funds.change_plan({ ...plan, treatment_cents: 50_000 })
  const mine = { ...plan, prevention_cents: 30_000 }
  await refuses('changed_meanwhile', funds.change_plan(mine))
  const now = await funds.plan({})
  assert.deepEqual([now.prevention_cents, now.treatment_cents], [20_000, 50_000])
  assert.equal((await funds.change_plan({ ...mine, version: now.version })).version, 2)
})

test('what a plan would cost counts those who leave one day, and not those who left or are suspended', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 50_000) })
  const leaver = await company.hire('Ana')
  const gone = await company.hire('Ben')
  const suspended = await company.hire('Cem')
  await company.admin.api.employees.suspend({ id: suspended.id })
  const { employees } = company.admin.api
  for (const [person, days] of [
    [leaver, 20],
    [gone, -20],
  ] as const) {
    const { id, version } = await employees.find({ id: person.id })
    const [day] = await scene.sql`select (company_today(${company.id}) + ${days}::int)::text as on`
    await scene.sql`update profiles set joined_on = joined_on - 40 where id = ${id}`
    await employees.leave({ id, version: version + 1, left_on: day!['on'] })
  }
  const raised = { ...(await funds.plan({})), prevention_cents: 25_000 }
  const effect = await funds.preview_plan(raised)
  const due = () => scene.sql`select coalesce(sum(due_cents), 0)::int as due from grants
    where company_id = ${company.id} and category = 'prevention'`
  const [before] = await due()
  await funds.change_plan(raised)
  await regrant({ company_id: company.id, plan_year }, scene.tools)
  const [after] = await due()
  assert.equal(effect.categories[0]!.change_cents, after!['due'] - before!['due'])
  assert.ok(effect.categories[0]!.change_cents > 0, 'the one who leaves later is granted more')
  assert.equal((await funds.preview_plan(raised)).people_changed, 0, 'it is done')
})

test('plan years: their dates move until money has, and they never overlap', async () => {
  const company = await scene.company()
  const { funds } = company.admin.api
  const { plan_year, ...plan } = await funds.plan({})
  const starts_on = `${daysAfter(utcToday(), -100).slice(0, 8)}15`
  const next = `${Number(starts_on.slice(0, 4)) + 1}${starts_on.slice(4)}`
  const moved = await funds.change_plan({ ...plan, plan_year, starts_on })
  assert.equal(moved.ends_on, daysAfter(next, -1))
  await refuses('plan_years_overlap', funds.add_year({ ...plan, starts_on: moved.ends_on }))
  await funds.add_year({ ...plan, starts_on: next })
  await refuses(
    'plan_years_overlap',
    funds.change_plan({ ...moved, starts_on: daysAfter(starts_on, 1) }),
  )
  await refuses('carry_over_needs_a_limit', funds.change_plan({ ...moved, carry_over: 'up_to' }))
  const provider = await scene.superAdmin()
  await provider.api.funds.contribute({
    company_id: company.id,
    amount_cents: 1,
    occurred_on: utcToday(),
    reference: '1',
  })
  const owner = await withRights(scene, company, 'owner')
  assert.equal((await owner.api.funds.plan({ plan_year: starts_on })).has_money, true)
  const earlier = daysAfter(starts_on, -60)
  await refuses('plan_year_has_money', funds.change_plan({ ...moved, starts_on: earlier }))
})

test('a plan year is added once, and years that overlap are refused beside their first day', async () => {
  const { funds, plan_year } = await contributedCompany(scene)
  const plan = await funds.plan({})
  const next = `${Number(plan_year.slice(0, 4)) + 1}-01-01`
  const overlap = await funds
    .add_year({ ...plan, starts_on: `${plan_year.slice(0, 4)}-07-01` })
    .then(
      () => undefined,
      (error: { code: string; fields: object }) => error,
    )
  assert.deepEqual(
    [overlap?.code, Object.keys(overlap?.fields ?? {})],
    ['plan_years_overlap', ['starts_on']],
  )
  await refuses('plan_years_overlap', funds.add_year({ ...plan, starts_on: plan_year }))
  const added = await funds.add_year({ ...plan, starts_on: next, treatment_cents: 80_000 })
  assert.deepEqual([added.plan_year, added.treatment_cents, added.closed], [next, 80_000, false])
  assert.equal((await funds.overview({})).plan_year, plan_year)
  await refuses('plan_years_overlap', funds.add_year({ ...plan, starts_on: next }))
})

test('what expires is what the plan does not take along, and what was carried in goes first', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const ana = await company.hire('Ana')
  const expires = async () => {
    const { balances, filing_ends_on, currency } = await ana.api.funds.mine({})
    // Ninety days from the year's end: 31 March, in a leap year 30 March.
    const last_day = daysAfter(`${plan_year.slice(0, 4)}-12-31`, 90)
    assert.deepEqual([filing_ends_on, currency], [last_day, 'EUR'])
    return balances.map(({ expires_cents }) => expires_cents)
  }
  assert.deepEqual(await expires(), [20_000, 70_000, 10_000])
  const plan = await funds.change_plan({ ...(await funds.plan({})), carry_over: 'all' })
  assert.deepEqual(await expires(), [0, 0, 0])
  await funds.change_plan({ ...plan, carry_over: 'up_to', carry_over_max_cents: 15_000 })
  assert.deepEqual(await expires(), [5_000, 55_000, 0])
})
