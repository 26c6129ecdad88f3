// Promises of what a file's new people cost, said before it is imported: what they are granted then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, todayOf } from '../../../test/world/company.ts'
import { fund, spread } from '../../../test/world/money.ts'
import { untilFinished } from '../../../test/world/people-files.ts'
import type { Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ worker: true })

const upload = ({ api }: Person, rows: string[][]) =>
  api.imports.upload(
    { file_name: 'new.csv' },
    {
      file: new Blob([
        ['Name;Email;Abteilung;Eintritt', ...rows.map((row) => row.join(';'))].join('\n'),
      ]),
    },
  )

/** The sum of an amount of each pool. */
const sumOf = <Name extends string>(pools: Record<Name, number>[], name: Name) =>
  pools.reduce((sum, pool) => sum + pool[name], 0)

for (const [company_plan, group_plan] of [
  ['year', 'year'],
  ['month', 'year'],
  ['year', 'month'],
])
  test(`it is what they are granted at once by their plans: by ${company_plan}, in a group by ${group_plan}`, () =>
    pricedAsGranted(company_plan === 'month', group_plan === 'month'))

async function pricedAsGranted(by_month: boolean, group_by_month: boolean) {
  const stage = await fundedCompany(scene)
  const { admin, domain } = stage.company
  const { funds, groups, group_plans, imports } = admin.api
  await funds.change_plan({ ...(await funds.plan({})), by_month })
  const { plan_year } = stage
  const interns = await groups.add({ name: 'Interns', departments: ['Interns'] })
  const plan = {
    group_id: interns.id,
    counts_from: plan_year,
    by_month: group_by_month,
    ...spread(20_000, 70_000, 10_000),
  }
  const { version } = await group_plans.list({ plan_year })
  await group_plans.change({ plan_year, version, plans: [plan] })
  const people: [name: string, department: string, joined: string][] = [
    ['Ana', 'Interns', plan_year],
    ['Ben', 'Interns', ''],
    ['Cem', 'Sales', plan_year],
    ['Dan', '', ''],
    ['Eva', 'Sales', daysAfter(stage.today, 30)],
    ['Fay', 'Sales', daysAfter(plan_year, 366)],
  ]
  const { id, fresh } = await upload(
    admin,
    people.map(([name, ...more]) => [name, `${name.toLowerCase()}@${domain}`, ...more]),
  )
  assert.equal(fresh, 6)
  const { need_cents, year_cents, missing_cents } = await imports.price({ id })
  await imports.start({ id })
  await untilFinished(admin, id)
  const { pools } = await admin.api.companies.first_day({})
  assert.equal(sumOf(pools, 'invited_cents'), need_cents, 'once invited they need the same')
  await scene.sql`update profiles set status = 'active', confirmed_at = now()
    where company_id = ${stage.id} and role = 'employee'`
  const [granted] = await scene.sql<[{ cents: number; people: number }]>`
    select sum(granted_cents)::int as cents, count(distinct person_id)::int as people
    from grants where company_id = ${stage.id}`
  assert.deepEqual([granted.people, missing_cents], [5, 0])
  assert.equal(need_cents, granted.cents)
  assert.equal(year_cents > need_cents, by_month || group_by_month)
  const newcomer = await stage.company.hire('Gil')
  const got = (await newcomer.api.funds.mine({})).balances
  assert.equal(sumOf(pools, 'each_cents'), sumOf(got, 'balance_cents'), 'who joins today')
}

test('what is missing counts those who wait or are invited: they come first', async () => {
  const acme = await scene.company({ name: 'Short' })
  // Everybody gets 200, 700 and 100; Treatment has enough for three.
  const provider = await scene.superAdmin()
  await fund(provider, acme, spread(100_000, 210_000, 100_000), { amount_cents: 1_000_000 })
  for (const name of ['Ana', 'Ben', 'Cem', 'Dan']) await acme.hire(name)
  const today = await todayOf(scene, acme)
  const one = (name: string) => [name, `${name.toLowerCase()}@${acme.domain}`, '', today]
  const { id } = await upload(acme.admin, [one('Eva')])
  const priced = await acme.admin.api.imports.price({ id })
  // Dan waits for 700, and Eva would wait behind.
  assert.deepEqual(priced, {
    currency: 'EUR',
    need_cents: 100_000,
    year_cents: 100_000,
    pool_cents: 40_000 + 70_000,
    missing_cents: 140_000,
    people_before: 1,
  })
  await acme.admin.api.imports.start({ id })
  await untilFinished(acme.admin, id)
  const next = await upload(acme.admin, [one('Fay')])
  const after = await acme.admin.api.imports.price({ id: next.id })
  assert.deepEqual([after.missing_cents, after.people_before], [20_000 + 210_000, 2])
})
