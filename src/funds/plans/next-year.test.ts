// A plan year before it begins.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../../../test/world/company.ts'
import { fund, spread } from '../../../test/world/money.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { keepYearsOf, regrant } from '#funds/jobs.server.ts'

const scene = openedScene()

test('what a year that has not begun will cost is shown by who is there now', async () => {
  const company = await scene.company()
  const { funds } = company.admin.api
  const plan = await funds.plan({})
  const ana = await company.hire('Ana')
  await company.hire('Ben')
  await ana.api.dependents.add({
    full_name: 'Mia Ana',
    relationship: 'child',
    born_on: plan.starts_on,
  })
  const next = await funds.add_year({
    ...plan,
    starts_on: daysAfter(plan.ends_on, 1),
    dependent_cents: 5_000,
  })
  const effect = await funds.preview_plan({ ...next, prevention_cents: 30_000 })
  assert.deepEqual(
    [effect.people, effect.categories.map(({ due_cents }) => due_cents)],
    [2, [60_000, 2 * next.treatment_cents, 2 * next.solidarity_cents + 5_000]],
  )
  assert.equal(effect.categories[0]?.lacking_cents, 60_000)
})

test('a year’s end takes into the next one who is employed and may use it, and nobody else', async () => {
  const company = await scene.company()
  const { funds } = company.admin.api
  const { plan_year, ends_on } = await funds.plan({})
  const cents = 10_000_000
  await fund(await scene.superAdmin(), company, spread(cents, cents, cents), {
    amount_cents: 4 * cents,
  })
  const [ana, ben] = [await company.hire('Ana'), await company.hire('Ben')]
  await company.admin.api.employees.suspend({ id: ben.id })
  const cem = await company.appoint('Cem')
  await keepYearsOf(scene.sql, company.id, daysAfter(ends_on, -30))
  const next = daysAfter(ends_on, 1)
  const enrolled = async (year: string) =>
    (
      await scene.sql<{ person_id: string }[]>`
        select distinct person_id from grants where company_id = ${company.id}
          and plan_year = ${year}`
    ).map(({ person_id }) => person_id)
  assert.deepEqual(new Set(await enrolled(plan_year)), new Set([ana.id, ben.id, cem.id]))
  await keepYearsOf(scene.sql, company.id, daysAfter(ends_on, 200))
  assert.equal((await funds.plan({ plan_year })).closed, true)
  const closed = 'plan_year_closed'
  const refusals = async (year: string) => (await funds.overview({ plan_year: year })).refusals
  assert.deepEqual(await refusals(plan_year), { allocate: closed, rebalance: closed })
  assert.deepEqual(await refusals(next), { allocate: null, rebalance: null })
  assert.deepEqual(await enrolled(next), [ana.id])
  assert.equal((await funds.verify({})).good, true)
})

test('a first year that is moved ahead gives everybody theirs on its new first day, whenever they came', async () => {
  const company = await scene.company()
  const { funds } = company.admin.api
  const ana = await company.hire('Ana')
  const plan = await funds.plan({})
  const today = await todayOf(scene, company)
  const starts_on = daysAfter(today, 40)
  await funds.change_plan({ ...plan, starts_on, proration: 'month' })
  const ben = await company.hire('Ben')
  await keepYearsOf(scene.sql, company.id, starts_on)
  const begun = await scene.sql<{ company_id: string; plan_year: string }[]>`
    select company_id, plan_year from regrants
    where company_id = ${company.id} and finished_at is null`
  for (const year of begun) await regrant(year, scene.tools)
  const due = await scene.sql<{ person_id: string; due_cents: number }[]>`
    select person_id, due_cents from grants
    where company_id = ${company.id} and category = 'treatment'`
  assert.deepEqual(
    new Map(due.map((one) => [one.person_id, one.due_cents])),
    new Map([ana, ben].map(({ id }) => [id, plan.treatment_cents])),
  )
})

test('a year by month that is moved before it begins costs what was shown, groups included', async () => {
  const company = await scene.company()
  const { funds, groups, group_plans } = company.admin.api
  const ana = await company.hire('Ana')
  await company.hire('Ben')
  const plan = await funds.plan({})
  const by_month = { ...plan, by_month: true, starts_on: daysAfter(plan.ends_on, 91) }
  const next = await funds.add_year(by_month)
  const { id } = await groups.add({ name: 'Trainees', departments: null })
  await groups.put_person({ id, person_id: ana.id })
  const amounts = { prevention_cents: 1_200, treatment_cents: 2_400, solidarity_cents: 0 }
  const trainees = { group_id: id, counts_from: daysAfter(next.starts_on, 20), ...amounts }
  await group_plans.change({
    plan_year: next.plan_year,
    version: 0,
    plans: [{ ...trainees, by_month: false }],
  })
  const moved = async (days: number) => {
    const plan_seen = await funds.plan({ plan_year: (await funds.overview({})).years[0]! })
    const settings = { ...plan_seen, starts_on: daysAfter(plan.ends_on, days) }
    const shown = (await funds.preview_plan(settings)).categories.map(({ due_cents }) => due_cents)
    await funds.change_plan(settings)
    return { shown, first_day: settings.starts_on }
  }
  const later = await moved(121)
  assert.deepEqual(later.shown, [1_200 + 1_667, 2_400 + 5_833, 833])
  const { shown, first_day } = await moved(1)
  await keepYearsOf(scene.sql, company.id, first_day)
  await regrant(
    { company_id: company.id, plan_year: first_day },
    { sql: scene.sql, log: scene.services.log },
  )
  const grants = await scene.sql<{ cents: number }[]>`
    select sum(due_cents)::int as cents from grants
    where company_id = ${company.id} and plan_year = ${first_day}
    group by category order by array_position('{prevention,treatment,solidarity}', category)`
  assert.deepEqual(
    shown,
    grants.map(({ cents }) => cents),
  )
})

test('a year that is moved is shown to cost what those are granted who are employed in its new days', async () => {
  const company = await scene.company()
  const { funds, employees } = company.admin.api
  await company.hire('Ana')
  const [ben, cem] = [await company.hire('Ben'), await company.hire('Cem')]
  const plan = { ...(await funds.plan({})), proration: 'full' } as const
  const next = await funds.add_year({ ...plan, starts_on: daysAfter(plan.ends_on, 1) })
  const { id, version } = await employees.find({ id: ben.id })
  await employees.leave({ id, version, left_on: daysAfter(next.starts_on, 40) })
  await scene.sql`
    update profiles set joined_on = ${daysAfter(next.ends_on, 21)} where id = ${cem.id}`
  const moved = (days: number) => ({ ...next, starts_on: daysAfter(next.starts_on, days) })
  const shown = async (days: number) => {
    const { people, categories } = await funds.preview_plan(moved(days))
    return { people, cents: categories[1]?.due_cents }
  }
  const inFull = (people: number) => ({ people, cents: people * next.treatment_cents })
  assert.deepEqual(await shown(0), inFull(2), 'Cem comes after its last day')
  assert.deepEqual(await shown(30), inFull(3))
  assert.deepEqual(await shown(60), inFull(2), 'Ben leaves before its first day')

  const { plan_year } = await funds.change_plan(moved(60))
  await keepYearsOf(scene.sql, company.id, plan_year)
  await regrant({ company_id: company.id, plan_year }, { sql: scene.sql, log: scene.services.log })
  const [granted] = await scene.sql`
    select count(*)::int as people, sum(due_cents)::int as cents from grants
    where company_id = ${company.id} and plan_year = ${plan_year} and category = 'treatment'`
  assert.deepEqual(granted, inFull(2), 'and it was so')
})

test('the year after this one comes also where a later one was planned before it', async () => {
  const company = await scene.company()
  const { funds } = company.admin.api
  const plan = await funds.plan({})
  const later = daysAfter(plan.ends_on, 400)
  await funds.add_year({ ...plan, starts_on: later, treatment_cents: 90_000 })
  for (const day of [-70, -30, -29]) {
    await keepYearsOf(scene.sql, company.id, daysAfter(plan.ends_on, day))
  }
  const { years } = await funds.overview({})
  assert.deepEqual(years, [later, daysAfter(plan.ends_on, 1), plan.plan_year])
  const next = await funds.plan({ plan_year: daysAfter(plan.ends_on, 1) })
  assert.equal(next.treatment_cents, plan.treatment_cents)
})
