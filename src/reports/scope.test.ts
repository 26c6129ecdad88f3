// The companies a report over all of them tells of: those there were by the end of its period.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { monthsAfter } from '#lib/days.ts'
import { todayOf } from '../../test/world/company.ts'
import { fund, moveFunds, purse, spread } from '../../test/world/money.ts'
import { aKey, crowdOf, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { cellOf, csvTables, reportMaker } from '../../test/report-files.ts'
import type { ReportKind } from './reports.contract.ts'

const scene = openedScene()
const makeNow = reportMaker(scene)
let boss: Person
let older: Company
let newer: Company
let today: string
const monthsAgo = (months: number) => monthsAfter(today, -months).slice(0, 7)

before(async () => {
  boss = await scene.superAdmin()
  today = await todayOf(scene, await scene.company())
  older = await founded('Older', `${monthsAgo(12)}-01`)
  newer = await founded('Newer', `${monthsAgo(2)}-15`)
  for (const months of [3, 2, 1]) await claimed(older, `${monthsAgo(months)}-10`)
  await claimed(newer, `${monthsAgo(1)}-10`)
})

/** A company with five people, employed long before the company came to the product. */
async function founded(name: string, day: string): Promise<Company> {
  const company = await scene.company({ name })
  await crowdOf(company, 5)
  await scene.sql`update companies set time_zone = 'UTC', created_at = ${day}::date
    where id = ${company.id}`
  await scene.sql`update profiles set joined_on = joined_on - 1000 where company_id = ${company.id}`
  await fund(boss, company, spread(500_000, 500_000, 500_000))
  return company
}

/** Each of its people claims something on a day. */
async function claimed(company: Company, day: string) {
  const { plan_year } = await company.admin.api.funds.overview({})
  const people = await scene.sql<{ id: string }[]>`
    select id from profiles where company_id = ${company.id} and role = 'employee'`
  for (const person of people) {
    const cause = `claim ${aKey()} 1`
    await moveFunds(scene.sql, 'hold', purse(company, plan_year, person, 'treatment'), 100, cause)
    await scene.sql`update transfers set posted_at = ${day}::date
      where company_id = ${company.id} and cause = ${`claim_held ${cause}`}`
  }
}

const tables = async (kind: ReportKind, from: string, to: string, company_id?: string) =>
  csvTables(boss, (await makeNow(boss, { kind, from, to, ...(company_id && { company_id }) })).id)

test('a company founded after the period is no part of it, nor are its people', async () => {
  const namesIn = async (month: string) => {
    const { Companies } = await tables('company_performance', month, month)
    return Companies!.slice(1).map(([, name, , employees]) => `${name} ${employees}`)
  }
  assert.deepEqual(await namesIn(monthsAgo(3)), ['Older 5', 'All 5'])
  assert.deepEqual(await namesIn(monthsAgo(2)), ['Newer 5', 'Older 5', 'All 10'])
  for (const kind of ['fund_allocation', 'claims_activity'] as const) {
    const { 'By company': by_company = [] } = await tables(kind, monthsAgo(3), monthsAgo(3))
    assert.ok(!by_company.some((cells) => cells.includes('Newer')), kind)
  }
})

test('the months before a company was founded count none of its people', async () => {
  const trends = await tables('utilization_trends', monthsAgo(3), monthsAgo(1))
  const employees = (month: string) => cellOf(trends, 'By month', ['EUR', month], 'Employees')
  assert.deepEqual([3, 2, 1].map(monthsAgo).map(employees), ['5', '10', '10'])
})

test('a company that was asked for by name is told of, whenever it was founded', async () => {
  const month = monthsAgo(3)
  const { Companies } = await tables('company_performance', month, month, newer.id)
  assert.deepEqual(
    Companies!.slice(1).map(([, name]) => name),
    ['Newer', 'All'],
  )
})
