// Grants that come by month: a twelfth at the beginning of each, to the cent, however late the schedule runs.
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
} from '../../test/world/money.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { keepYearsOf, regrant, sealAll } from './jobs.server.ts'

const scene = openedScene()

/** A company whose plan year begins today and comes by month, with so much in each pool. */
async function monthly(pools = 10_000_000) {
  const settings = { ...spread(50_000, 70_000, 10_000), starts_on: utcToday(), by_month: true }
  const { company, funds, plan_year } = await contributedCompany(scene, 3 * pools, settings)
  const plan = await funds.plan({})
  await funds.allocate({ plan_year, ...spread(pools, pools, pools) })
  const months = (
    await scene.sql<{ day: string }[]>`select m.day::text from plan_years y
      cross join private.months_of(y) m (day) where y.company_id = ${company.id} order by m.day`
  ).map(({ day }) => day)
  const job = () => regrant({ company_id: company.id, plan_year }, scene.tools)
  /** Runs the schedule on a day, and the work that it queues. Answers whether it queued any. */
  const comes = async (day: string) => {
    const queuedAt = async () =>
      (
        await scene.sql`select requested_at::text as at from regrants
        where company_id = ${company.id} and plan_year = ${plan_year}`
      )[0]?.['at']
    const earlier = await queuedAt()
    await keepYearsOf(scene.sql, company.id, day)
    const did = (await queuedAt()) !== earlier
    if (did) await job()
    return did
  }
  return { company, funds, plan, plan_year, months: months as [string, ...string[]], job, comes }
}

test('twelfths add up to the year to the cent, from any day, and so do the shares of who joins', async () => {
  const { id } = await scene.company()
  const years = ['2027-01-01', '2027-02-28', '2027-08-31', '2028-02-29', '2028-12-15']
  const found = await scene.sql<{ of: string; wrong: number }[]>`
    with plan as (
      select y, cents, p.proration, s.starts_on from plan_years c
        cross join unnest(${years}::date[]) s (starts_on)
        cross join (values (1), (7), (50000), (99999), (100000000001)) a (cents)
        cross join (values ('full'), ('month'), ('day')) p (proration)
        cross join lateral (select jsonb_populate_record(c, jsonb_build_object(
          'starts_on', s.starts_on, 'by_month', true, 'treatment_cents', cents, 'ends_on',
          (s.starts_on + interval '1 year' - interval '1 day')::date, 'proration', p.proration)) as y) x
        where c.company_id = ${id}),
    due as (
      select p.*, j.day as joins, d.day, private.due_by(p.y, 'treatment', j.day, 0, d.day) as due,
          grant_due(p.y, 'treatment', j.day, 0) as whole
        from plan p
        cross join lateral (select (p.starts_on + n)::date as day
          from unnest(array[-40, 0, 1, 100, 200, 364]) n (n)) j
        cross join lateral private.months_of(p.y) d (day)),
    step as (
      select *, due - lag(due, 1, 0::bigint) over w as more, row_number() over w as month
        from due window w as (partition by starts_on, cents, proration, joins order by day))
    select 'a month too little or too much' as of, count(*)::int as wrong from step
      where joins <= starts_on and abs(more - cents / 12.0) >= 1 or more < 0
    union all select 'not the year', count(*)::int from step where month = 12 and due <> whole
    union all select 'looked at', count(*)::int from due
    union all select 'before the year', count(*)::int from plan p
      where private.due_by(p.y, 'treatment', p.starts_on, 0, p.starts_on - 1) <> 0`
  assert.deepEqual(
    found.map(({ of, wrong }) => [of, wrong]),
    [
      ['a month too little or too much', 0],
      ['not the year', 0],
      ['looked at', 5 * 5 * 3 * 6 * 12],
      ['before the year', 0],
    ],
  )
})

test('a joiner’s months are those of the plan, also where one begins on the last day of a shorter month', async () => {
  const { id } = await scene.company()
  for (const starts_on of ['2027-01-31', '2027-02-28', '2027-08-30', '2028-02-29']) {
    const found = await scene.sql<{ cents: number }[]>`
      select grant_due(x.y, 'treatment', m.day, 0) as cents from plan_years c
        cross join lateral (select jsonb_populate_record(c, jsonb_build_object(
          'starts_on', ${starts_on}::date, 'treatment_cents', 1200, 'proration', 'month',
          'ends_on', (${starts_on}::date + interval '1 year' - interval '1 day')::date)) as y) x
        cross join lateral private.months_of(x.y) m (day)
        where c.company_id = ${id} order by m.day`
    assert.deepEqual(
      found.map(({ cents }) => cents),
      Array.from({ length: 12 }, (_, at) => 1200 - at * 100),
      starts_on,
    )
  }
})

test('each month brings its twelfth once, twice the same day or months late, and the year is whole', async () => {
  const { company, funds, plan, plan_year, months, job, comes } = await monthly()
  const ana = await company.hire('Ana')
  assert.deepEqual(await ownBalances(ana), [4_167, 5_833, 833])
  const { balances } = await ana.api.funds.mine({})
  assert.deepEqual(
    balances.map(({ next_on, next_cents }) => [next_on, next_cents]),
    [
      [months[1], 4_166],
      [months[1], 5_834],
      [months[1], 834],
    ],
  )
  assert.equal(await comes(daysAfter(months[1]!, -1)), false)
  assert.equal(await comes(months[1]!), true)
  assert.deepEqual(await ownBalances(ana), [8_333, 11_667, 1_667])
  assert.equal(await comes(months[1]!), false, 'once')
  await job()
  assert.deepEqual(await ownBalances(ana), [8_333, 11_667, 1_667], 'and by the job alone, too')
  assert.equal(await comes(daysAfter(months[6]!, 3)), true, 'five months at once')
  assert.deepEqual(await ownBalances(ana), [29_167, 40_833, 5_833])
  const { entries } = await ana.api.funds.my_statement({ limit: 50 })
  assert.equal(entries.length, 9, 'three months that came, of three categories')
  const late = await company.hire('Late')
  assert.deepEqual(await ownBalances(late), await ownBalances(ana))
  await comes(plan.ends_on)
  assert.deepEqual(await ownBalances(ana), [50_000, 70_000, 10_000])
  assert.equal((await ana.api.funds.mine({})).balances[0]!.next_on, null)
  await funds.change_plan({ ...plan, carry_over: 'all', filing_days: 0 })
  await job()
  await keepYearsOf(scene.sql, company.id, daysAfter(plan.ends_on, 1))
  const next = daysAfter(plan.ends_on, 1)
  assert.equal((await funds.plan({ plan_year: next })).by_month, true)
  assert.equal((await funds.plan({ plan_year })).closed, true)
  const [brought] = await scene.sql`select sum(carried_cents)::int as cents from grants
    where person_id = ${ana.id} and plan_year = ${next}`
  assert.equal(brought!['cents'], 130_000)
  assert.equal((await funds.verify({})).good, true)
})

test('the check of a claim says what is available now and what comes when', async () => {
  const { company, months } = await monthly()
  const ana = await company.hire('Ana')
  const claim_input = { category: 'treatment', service_on: utcToday(), bill_cents: 9_000 } as const
  const { problems } = (await ana.api.claims.check({
    ...claim_input,
    amount_cents: 9_000,
  })) as never
  assert.match(JSON.stringify(problems), /58\.33 EUR is available now, 58\.34 EUR more on/)
  assert.ok(months.length === 12)
})

test('a month that the pool cannot cover waits; what comes by month is not lowered below what is used', async () => {
  const { company, funds, plan, plan_year, months, job, comes } = await monthly(7_000)
  const ana = await company.hire('Ana')
  await comes(months[1]!)
  assert.deepEqual(await ownBalances(ana), [4_167, 5_833, 833], 'Treatment has 11.67 left')
  const { waiting } = await funds.overview({})
  assert.deepEqual([waiting.people, waiting.treatment_cents], [1, 5_834])
  await funds.deallocate({ plan_year, ...spread(1_000, 0, 0) })
  await funds.allocate({ plan_year, ...spread(1_000, 0, 0) })
  assert.equal((await funds.overview({})).waiting.people, 1)
  await moveFunds(scene.sql, 'hold', purse(company, plan_year, ana, 'treatment'), 5_000, 'claim 1')
  await refuses('grant_below_used', funds.change_plan({ ...plan, treatment_cents: 12_000 }))
  await funds.change_plan({ ...plan, treatment_cents: 30_000 })
  await job()
  assert.deepEqual(await ownBalances(ana), [4_167, 0, 833], '50.00 of two months are on hold')
  assert.equal((await funds.verify({})).good, true)
})

test('a last day that is entered late takes back the months after it, and gives them back with it', async () => {
  const { company, funds, months, job, comes } = await monthly()
  const { employees } = company.admin.api
  const ana = await company.hire('Ana')
  await comes(months[6]!)
  await scene.sql`update profiles set joined_on = joined_on - 9 where id = ${ana.id}`
  const { id, version } = await employees.find({ id: ana.id })
  const wrong = await employees.leave({ id, version, left_on: daysAfter(utcToday(), -9) })
  assert.deepEqual(await ownBalances(ana), [0, 0, 0])
  const left = await employees.leave({ id, version: wrong.version, left_on: utcToday() })
  assert.deepEqual(await ownBalances(ana), [4_167, 5_833, 833], 'the month of the last day')
  await job()
  assert.deepEqual(await ownBalances(ana), [4_167, 5_833, 833])
  await employees.stay({ id, version: left.version })
  assert.deepEqual(await ownBalances(ana), [29_167, 40_833, 5_833])
  assert.equal((await funds.verify({})).good, true)
})

test('a group’s plan comes by month while the company’s does not, and the other way round', async () => {
  const { company, funds, plan, plan_year, months, job, comes } = await monthly()
  const [ana, ben] = [await company.hire('Ana'), await company.hire('Ben')]
  await funds.change_plan({ ...plan, by_month: false })
  await job()
  const { groups, group_plans } = company.admin.api
  const { id } = await groups.add({ name: 'Trainees', departments: null })
  await groups.put_person({ id, person_id: ben.id })
  const of_group = { group_id: id, counts_from: plan_year, ...spread(12_000, 24_000, 0) }
  const written = { plan_year, version: 0, plans: [{ ...of_group, by_month: true }] }
  const effect = await group_plans.preview(written)
  assert.equal(effect.categories[0]?.change_cents, 1_000 - 50_000)
  await group_plans.change(written)
  await job()
  await comes(months[2]!)
  assert.deepEqual(await ownBalances(ben), [3_000, 6_000, 0])
  assert.deepEqual(await ownBalances(ana), [50_000, 70_000, 10_000])
  await groups.take_person({ id, person_id: ben.id })
  assert.deepEqual(await ownBalances(ben), [50_000, 70_000, 10_000])
  const recorded = async () => {
    const [found] = await scene.sql`select count(*)::int as entries from audit_log l
      join private.entries_about(${ben.id}) e (id) on e.id = l.id where l.table_name = 'grants'`
    return found!['entries']
  }
  assert.equal(await recorded(), 2, 'what an erasure takes out of the record')
  await funds.change_plan({ ...(await funds.plan({ plan_year })), by_month: true })
  await job()
  assert.deepEqual(await ownBalances(ana), [12_500, 17_500, 2_500])
  assert.equal((await funds.verify({})).good, true)
})

test('a fund that comes by month is running low by the whole year: not early, nor never', async () => {
  const { company, plan, plan_year, months, comes } = await monthly()
  const ana = await company.hire('Ana')
  const of = purse(company, plan_year, ana, 'treatment')
  const toldAfter = async (step: 'hold' | 'release', cents: number, cause: string) => {
    await moveFunds(scene.sql, step, of, cents, cause)
    await sealAll(scene.sql)
    const notices = await scene.sql`
      select from notifications where person_id = ${ana.id} and code = 'fund_low'`
    return notices.length
  }
  assert.equal(await toldAfter('hold', 5_800, 'claim 1'), 0, 'of 58.33; 641.67 are still to come')
  await comes(months[10]!)
  assert.equal(await toldAfter('hold', 50_000, 'claim 2'), 0, '83.67 and 58.33 to come')
  assert.equal(await toldAfter('hold', 300, 'claim 3'), 1, 'less than 140.00, a fifth of 700.00')
  assert.equal(await toldAfter('release', 300, 'claim 3'), 0)
  await comes(plan.ends_on)
  assert.equal(await toldAfter('hold', 200, 'claim 4'), 0, '140.00')
  assert.equal(await toldAfter('hold', 1, 'claim 5'), 1)
})
