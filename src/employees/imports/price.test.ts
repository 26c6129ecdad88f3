// Promises of what a file's new people cost, said before it is imported: what they are granted then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, todayOf } from '../../../test/world/company.ts'
import { fund, moveFunds, spread } from '../../../test/world/money.ts'
import { asCsv, compare, untilFinished, type Entry } from '../../../test/world/people-files.ts'
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
    less_cents: 0,
    people_less: 0,
    more_cents: 0,
    people_more: 0,
  })
  await acme.admin.api.imports.start({ id })
  await untilFinished(acme.admin, id)
  const next = await upload(acme.admin, [one('Fay')])
  const after = await acme.admin.api.imports.price({ id: next.id })
  assert.deepEqual([after.missing_cents, after.people_before], [20_000 + 210_000, 2])
})

test('what changes take from people and give them is said before, and is what happens then', async () => {
  const stage = await fundedCompany(scene)
  const { admin } = stage.company
  const { funds, groups, group_plans, imports } = admin.api
  const opticians = await groups.add({ name: 'Opticians', departments: ['Optik'] })
  await group_plans.change({
    plan_year: stage.plan_year,
    version: 0,
    plans: [
      {
        group_id: opticians.id,
        counts_from: stage.plan_year,
        by_month: false,
        ...spread(260_000, 760_000, 90_000),
      },
    ],
  })
  await funds.change_plan({ ...(await funds.plan({})), proration: 'month' })
  const hire = async (name: string, department: string) => {
    const person = await stage.hire(name)
    await scene.sql`update profiles set department = ${department} where id = ${person.id}`
    return person
  }
  const [asa, bo, cem] = [
    await hire('Asa', 'Optik'),
    await hire('Bo', 'Sales'),
    await hire('Cem', 'Sales'),
  ]
  // Most of her Treatment is on hold: it can't be taken.
  const of = { company: stage.id, year: stage.plan_year, person: asa.id, category: 'treatment' }
  await moveFunds(scene.sql, 'hold', of, 759_000, 'claim 1')
  const balances = async (person: Person) =>
    sumOf((await person.api.funds.mine({})).balances, 'balance_cents')
  const before = [await balances(asa), await balances(bo), await balances(cem)]
  const entry = (first: string, { email }: Person, department: string, joined: string): Entry => {
    return { number: '', first, last: 'Lind', email, department, joined }
  }
  const { id } = await compare(
    admin,
    asCsv([
      entry('Asa', asa, 'Sales', stage.plan_year),
      entry('Bo', bo, 'Optik', stage.plan_year),
      entry('Cem', cem, 'Sales', daysAfter(stage.plan_year, 100)),
    ]),
  )
  const { effects } = await imports.effects({ id })
  effects.sort((a, b) => a.line - b.line)
  const [of_asa, of_bo, of_cem] = effects
  assert.deepEqual(
    [of_asa, of_bo],
    [
      {
        line: 2,
        plan_was: 'Opticians',
        plan_becomes: null,
        less_cents: 61_000,
        more_cents: 10_000,
      },
      {
        line: 3,
        plan_was: null,
        plan_becomes: 'Opticians',
        less_cents: 10_000,
        more_cents: 120_000,
      },
    ],
  )
  assert.ok(
    of_cem?.plan_becomes === null && of_cem.less_cents > 0,
    'who came later is granted less',
  )
  const effectsFor = (by: Person) =>
    scene.straight(by, (tx) => tx`select * from import_effects(${stage.id}, ${id}, null)`)
  assert.deepEqual([(await effectsFor(admin)).length, (await effectsFor(asa)).length], [3, 0])
  const price = await imports.price({ id })
  assert.deepEqual([price.people_less, price.people_more, price.need_cents], [3, 2, 0])
  await imports.start({ id })
  await untilFinished(admin, id)
  const after = [await balances(asa), await balances(bo), await balances(cem)]
  assert.deepEqual(
    after.map((cents, at) => cents - (before[at] ?? 0)),
    effects.map(({ more_cents, less_cents }) => more_cents - less_cents),
  )
  assert.equal(price.more_cents, 130_000)
  assert.equal(price.less_cents, 71_000 + of_cem.less_cents)
})
