// The provider's four cards, computed by hand.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sealAll } from '#funds/jobs.server.ts'
import { spendFunds } from '../../test/world/money.ts'
import type { Company, Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let boss: Person
let acme: Company
let year: string
before(async () => {
  boss = await scene.superAdmin()
  acme = await scene.company()
  year = (await acme.admin.api.funds.overview({})).plan_year
})

const figures = () => boss.api.system.figures({})
const contribute = (company_id: string, amount_cents: number, reference: string) =>
  boss.api.funds.contribute({ company_id, amount_cents, occurred_on: year, reference })

test('an empty platform has figures, too', async () => {
  const found = await figures()
  assert.equal(found.companies, 1)
  assert.equal(found.companies_before, 0)
  assert.equal(found.employees, 0)
  assert.deepEqual(found.money[0], {
    currency: 'EUR',
    companies: 1,
    managed_cents: 0,
    managed_before_cents: 0,
    used_cents: 0,
    used_before_cents: 0,
    percent: null,
    percent_before: null,
  })
})

test('funds, use and people now, and as they were thirty days ago', async () => {
  const ana = await acme.hire('Ana')
  await contribute(acme.id, 500_000, 'A')
  await acme.admin.api.funds.allocate({
    plan_year: year,
    prevention_cents: 100_000,
    treatment_cents: 350_000,
    solidarity_cents: 50_000,
  })
  const { sql } = scene
  const claim = async (cents: number, cause: string, { id } = ana) => {
    const of = { company: acme.id, year, person: id, category: 'treatment' }
    await spendFunds(sql, of, [cents], cause)
  }
  await claim(16_000, 'claim 1 1')
  assert.equal((await figures()).money[0]!.used_cents, null, 'what one person used is not told')
  for (let at = 2; at <= 5; at += 1) await claim(1_000, `claim 1 ${at}`, await acme.hire())
  await sealAll(sql)
  // Moves all of it forty days back.
  await sql`update daily_totals set day = day - 40`
  await sql`update transfers set posted_at = posted_at - interval '40 days'`
  await sql`update headcount_days set day = day - 40`
  await sql`update companies set created_at = now() - interval '40 days' where id = ${acme.id}`
  const early = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10) >= year
  await contribute(acme.id, 300_000, 'B')
  await claim(30_000, 'claim 2 1')
  await acme.hire('Bo')
  await scene.company({ name: 'New' })
  for (const sealed of [false, true]) {
    if (sealed) await sealAll(sql)
    const found = await figures()
    assert.equal(found.companies, 2)
    assert.equal(found.companies_before, 1)
    assert.equal(found.employees, 6)
    assert.equal(found.employees_before, 5)
    const [euro] = found.money
    assert.equal(euro!.managed_cents, 800_000)
    assert.equal(euro!.used_cents, 50_000)
    assert.equal(euro!.percent, 6)
    if (!early) continue // in the first weeks of a year that was another plan year
    assert.equal(euro!.managed_before_cents, 500_000)
    assert.equal(euro!.used_before_cents, 20_000)
    assert.equal(euro!.percent_before, 4)
  }
})

test('the cards agree with the other pages, and nobody counts who has left', async () => {
  const { id } = await acme.hire('Gone')
  await scene.sql`update profiles set joined_on = joined_on - 9, left_on = joined_on - 9 where id = ${id}`
  const [found, summary, overview, people, { companies }] = await Promise.all([
    figures(),
    boss.api.companies.summary({}),
    acme.admin.api.funds.overview({}),
    acme.admin.api.employees.summary({}),
    boss.api.companies.list({}),
  ])
  assert.equal(people.leavers, 1)
  const listed = companies.find((company) => company.id === acme.id)
  assert.equal(listed?.employees, people.total - people.leavers)
  const [today] = await scene.sql`select employees from headcount_days
    where company_id = ${acme.id} order by day desc limit 1`
  assert.equal(today?.['employees'], listed?.employees)
  assert.equal(found.companies, summary.total)
  assert.equal(found.employees, summary.employees)
  assert.equal(found.money[0]!.managed_cents, overview.funded_cents)
})

test('each currency by itself, the one of most companies first', async () => {
  const swiss = await scene.company({ name: 'Swiss' })
  await scene.countsIn(swiss.id, 'CHF')
  await contribute(swiss.id, 70_000, 'C')
  const { money } = await figures()
  assert.deepEqual(
    money.map(({ currency, managed_cents }) => [currency, managed_cents]),
    [
      ['EUR', 800_000],
      ['CHF', 70_000],
    ],
  )
})

const inCurrency = async (company: Company, currency: string) => {
  await scene.countsIn(company.id, currency)
  return async () => (await figures()).money.find((sums) => sums.currency === currency)
}

/** The company's one plan year begins in some days. */
async function beginsIn({ id }: Company, days: number) {
  await scene.sql`delete from plan_years where company_id = ${id} and starts_on <> (
    select min(starts_on) from plan_years where company_id = ${id})`
  await scene.sql`update plan_years set starts_on = company_today(${id}) + ${days}::int
    where company_id = ${id}`
}

test('what fewer than five people had used thirty days ago is not told, either', async () => {
  const { sql } = scene
  const company = await scene.company({ name: 'Growing' })
  const crowns = await inCurrency(company, 'CZK')
  await beginsIn(company, -100)
  const { funds } = company.admin.api
  const { plan_year } = await funds.overview({})
  await contribute(company.id, 600_000, 'D')
  await funds.allocate({
    plan_year,
    prevention_cents: 200_000,
    treatment_cents: 350_000,
    solidarity_cents: 50_000,
  })
  const use = async (cause: string) => {
    const { id: person } = await company.hire()
    const of = { company: company.id, year: plan_year, person, category: 'treatment' }
    await spendFunds(sql, of, [1000], cause)
  }
  for (const cause of ['claim 1 1', 'claim 2 1']) await use(cause)
  await sealAll(sql)
  await sql`update daily_totals set day = day - 40 where company_id = ${company.id}`
  await sql`update transfers set posted_at = posted_at - interval '40 days'
    where company_id = ${company.id}`
  for (const cause of ['claim 3 1', 'claim 4 1', 'claim 5 1']) await use(cause)
  const found = await crowns()
  assert.deepEqual([found?.used_cents, found?.percent], [5000, 0])
  assert.deepEqual([found?.used_before_cents, found?.percent_before], [null, null])
})

test('money of a first plan year that is to come is in the cards as on the other pages', async () => {
  const company = await scene.company({ name: 'Coming' })
  const zloty = await inCurrency(company, 'PLN')
  await beginsIn(company, 30)
  await contribute(company.id, 90_000, 'E')
  const listed = (await boss.api.funds.managed({})).find(({ currency }) => currency === 'PLN')
  assert.equal(listed?.total_cents, 90_000)
  assert.equal((await zloty())?.managed_cents, 90_000)
})
