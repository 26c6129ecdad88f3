// Grants of somebody where their department, their group or the plan changes: in a year that
// has ended, for one person who used more, and while claims hold the money.
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
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { lowerGrant, regrant } from './jobs.server.ts'

const scene = openedScene()

const companys = [20_000, 70_000, 10_000]
const field = [50_000, 70_000, 10_000] as const

const move = ({ id }: { id: string }, department: string | null) =>
  scene.sql`update profiles set department = ${department} where id = ${id}`

/** A company whose year began so many days ago, with a group by department that has a plan of its own. */
async function withField(began: number, settings = {}) {
  const starts_on = daysAfter(utcToday(), -began)
  const made = await contributedCompany(scene, 30_000_000, { starts_on, ...settings })
  const { company, funds, plan_year } = made
  await funds.allocate({ plan_year, ...spread(1_000_000, 1_000_000, 1_000_000) })
  const { groups, group_plans } = company.admin.api
  const group = await groups.add({ name: 'Field', departments: ['Sales'] })
  const job = (of_year = plan_year) =>
    regrant({ company_id: company.id, plan_year: of_year }, scene.tools)
  await group_plans.change({
    plan_year,
    version: 0,
    plans: [{ group_id: group.id, counts_from: plan_year, ...spread(...field) }],
  })
  await job()
  const granted = async (person: Person, year = plan_year) =>
    (
      await scene.sql<{ cents: number }[]>`select granted_cents as cents from grants
        where company_id = ${company.id} and plan_year = ${year} and person_id = ${person.id}
        order by category`
    ).map(({ cents }) => cents)
  const hire = async (name: string, department: string) => {
    const person = await company.hire(name)
    await move(person, department)
    await scene.sql`update profiles set joined_on = ${plan_year} where id = ${person.id}`
    return person
  }
  return { ...made, group, groups, job, granted, hire }
}

const byName = ([prevention, treatment, solidarity]: readonly number[]) => [
  prevention,
  solidarity,
  treatment,
]

test('who moves in the new year keeps what they had in the old one', async () => {
  const { company, funds, plan_year, groups, group, granted, hire, job } = await withField(370)
  const [ben, cem] = [await hire('Ben', 'Sales'), await hire('Cem', 'Office')]
  const had = async () => [await granted(ben), await granted(cem)]
  const old = [byName(field), byName(companys)]
  assert.deepEqual(await had(), old)
  const plan = await funds.plan({})
  const { plan_year: next } = await funds.add_year({
    ...plan,
    starts_on: daysAfter(plan.ends_on, 1),
  })
  await scene.sql`select private.enroll(${company.id}, ${next}, ${[ben.id, cem.id]}::uuid[])`
  const dues = async () =>
    (
      await scene.sql<{ cents: number }[]>`select due_cents as cents from grants
        where company_id = ${company.id} and plan_year = ${next} and category = 'prevention'
          and person_id in (${ben.id}, ${cem.id}) order by person_id = ${cem.id}`
    ).map(({ cents }) => cents)
  assert.deepEqual(await dues(), [50_000, 20_000])
  await move(ben, 'Office')
  await move(cem, 'Sales')
  assert.deepEqual(await dues(), [20_000, 50_000], 'the year that runs follows')
  assert.deepEqual(await had(), old)
  await groups.change({ id: group.id, version: group.version, name: 'Trips', departments: ['Sea'] })
  for (const year of [plan_year, next]) await job(year)
  assert.deepEqual(await dues(), [20_000, 20_000])
  assert.deepEqual(await had(), old)
  // The first day still counts, for each by the plan they had.
  await scene.sql`update plan_years set proration = 'month' where company_id = ${company.id}`
  await scene.sql`update profiles set joined_on = ${daysAfter(plan_year, 200)}
    where id in (${ben.id}, ${cem.id})`
  assert.deepEqual(
    (await had()).map(([prevention]) => prevention),
    [25_000, 10_000],
  )
  assert.equal((await funds.verify({})).good, true)
})

test('one person who used more by an earlier plan keeps nobody from changing the plan', async () => {
  const { company, funds, plan_year, groups, group, hire } = await withField(0)
  const ben = await hire('Ben', 'Sales')
  await hire('Cem', 'Office')
  await moveFunds(
    scene.sql,
    'hold',
    purse(company, plan_year, ben, 'prevention'),
    50_000,
    'claim 1',
  )
  await move(ben, 'Office')
  const plan = await funds.plan({})
  const raised = { ...plan, treatment_cents: 80_000 }
  assert.equal((await funds.preview_plan(raised)).people_below_used, 0)
  await funds.change_plan(raised)
  const parents = await groups.add({ name: 'Parents', departments: null })
  const { group_plans } = company.admin.api
  const plans = [group, parents].map(({ id }) => ({
    group_id: id,
    counts_from: plan_year,
    ...spread(...field),
  }))
  await group_plans.change({ plan_year, version: 1, plans })
  const { version } = await funds.plan({})
  const lower = { ...raised, version, prevention_cents: 19_000 }
  assert.equal((await funds.preview_plan(lower)).people_below_used, 1, 'lowered still further')
  await refuses('grant_below_used', funds.change_plan(lower))
})

test('money that was on hold while a grant was lowered goes back to the pool once it is free', async () => {
  const { company, funds, plan_year, hire } = await withField(0)
  const ben = await hire('Ben', 'Sales')
  const of = purse(company, plan_year, ben, 'prevention')
  const pool = async () =>
    (
      await scene.sql<[{ cents: number }]>`select balance_cents as cents from accounts
        where company_id = ${company.id} and kind = 'pool' and category = 'prevention'`
    )[0].cents
  const before_him = await pool()
  await moveFunds(scene.sql, 'hold', of, 45_000, 'claim 1')
  await move(ben, 'Office')
  assert.deepEqual(await ownBalances(ben), [0, 70_000, 10_000])
  await moveFunds(scene.sql, 'release', of, 45_000, 'claim 1')
  // The reviewer may still undo it, so the money stays to be held again.
  await moveFunds(scene.sql, 'hold', of, 45_000, 'claim 1 2')
  await lowerWaiting()
  assert.deepEqual(await ownBalances(ben), [0, 70_000, 10_000])
  await moveFunds(scene.sql, 'approve', of, 45_000, 'claim 1 2')
  await moveFunds(scene.sql, 'reverse', of, 45_000, 'claim 1 2')
  await lowerWaiting()
  assert.deepEqual(await ownBalances(ben), companys)
  assert.equal(await pool(), before_him + 30_000)
  await moveFunds(scene.sql, 'hold', of, 10_000, 'claim 2')
  await moveFunds(scene.sql, 'release', of, 10_000, 'claim 2')
  assert.equal(await lowerWaiting(), 0, 'nothing is above its due')
  assert.equal((await funds.verify({})).good, true)
})

/** Does what a worker would. Answers how often it was asked. */
async function lowerWaiting() {
  const jobs = await scene.sql<{ payload: Record<string, unknown> }[]>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'funds:lower' returning j.payload`
  for (const { payload } of jobs) {
    await lowerGrant(payload, scene.tools)
  }
  return jobs.length
}
