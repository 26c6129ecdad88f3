// Unspent money at a year’s end: the closing posts what people and HR were shown the day before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categories } from '#categories.ts'
import { keepYearsOf } from '#funds/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { moveFunds } from '../../../test/world/money.ts'
import type { Person } from '../../../test/world/people.ts'
import { randomBy } from '../../../test/random.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

type Left = Record<string, { expires: number; along: number }>

const carry_overs = [
  { carry_over: 'none', carry_over_max_cents: null },
  { carry_over: 'all', carry_over_max_cents: null },
  { carry_over: 'up_to', carry_over_max_cents: 30_000 },
] as const

/** Each person leaves on another side of the days that count, or is not enrolled in the next year. */
const lives: Record<string, (ends_on: string, last: string) => Partial<typeof employed>> = {
  stays: () => ({}),
  leaves_in_the_year: (ends_on) => ({ left_on: daysAfter(ends_on, -1) }),
  leaves_while_claims_are_taken: (_, last) => ({ left_on: last }),
  leaves_once_it_is_closed: (_, last) => ({ left_on: daysAfter(last, 2) }),
  is_suspended: () => ({ status: 'suspended' }),
  is_an_admin_now: () => ({ role: 'company_admin' }),
}
const employed = { left_on: null as string | null, status: 'active', role: 'employee' }

async function shownOf({ company }: FundedCompany, person: Person): Promise<Left> {
  const { balances } = await company.admin.api.funds.of_person({ person_id: person.id })
  const entries = balances.map(({ category, balance_cents, expires_cents }) => [
    category,
    { expires: expires_cents, along: balance_cents - expires_cents },
  ])
  return Object.fromEntries(entries)
}

/** The notices and reminders that would be sent on the last day for claims. */
async function noticesOf({ id }: FundedCompany, person: Person, day: string) {
  const notices = await scene.sql<{ category: string; cents: number }[]>`
    select category, amount_cents as cents from expiring_money(${id}, ${person.id}, ${day})`
  return Object.fromEntries(notices.map(({ category, cents }) => [category, cents]))
}

/** The transfers out of somebody’s money of the year, since an entry. */
async function postedOf({ id, plan_year }: FundedCompany, person: Person, since: number) {
  const posted = await scene.sql<{ category: string; along: number; expires: number }[]>`
    select a.category,
        coalesce(sum(t.amount_cents) filter (where t.event = 'carried_over'), 0)::int as along,
        coalesce(sum(t.amount_cents) filter (where t.event <> 'carried_over'), 0)::int as expires
      from accounts a left join transfers t on t.company_id = a.company_id
        and t.plan_year = a.plan_year and t.from_account = a.id and t.id > ${since}
      where a.company_id = ${id} and a.plan_year = ${plan_year} and a.person_id = ${person.id}
        and a.kind = 'available' group by 1`
  return Object.fromEntries<Left[string]>(posted.map(({ category, ...cents }) => [category, cents]))
}

const lastEntry = async ({ id }: FundedCompany) => {
  const [{ last }] = await scene.sql<[{ last: number }]>`
    select max(id) as last from transfers where company_id = ${id}`
  return last
}

/** Compares what is shown before closing with what closing posts, for everybody. */
async function closesAsShown(acme: FundedCompany, people: Map<string, Person>, day: string) {
  const shown = new Map<string, Left>()
  for (const [name, person] of people) {
    const left = await shownOf(acme, person)
    shown.set(name, left)
    if (name === 'stays') {
      const { balances } = await person.api.funds.mine({})
      for (const { category, expires_cents } of balances)
        assert.equal(expires_cents, left[category]!.expires)
    }
  }
  const since = await lastEntry(acme)
  await keepYearsOf(scene.sql, acme.id, daysAfter(day, 1))
  for (const [name, person] of people)
    assert.deepEqual(await postedOf(acme, person, since), shown.get(name), name)
  return shown
}

async function closing(seed: number) {
  const roll = randomBy(seed).whole
  const acme = await fundedCompany(scene)
  const { funds } = acme.company.admin.api
  const filing_days = 10 + roll(80)
  const plan = await funds.change_plan({
    ...(await funds.plan({})),
    ...carry_overs[seed % carry_overs.length]!,
    filing_days,
    leaver_filing_days: 10 + roll(80),
  })
  // Some years are not followed at once.
  const gap = seed % 2 === 0 ? 0 : filing_days + 20
  const { closed: _, ends_on: ends, ...terms } = plan
  if (gap > 0) await funds.add_year({ ...terms, starts_on: daysAfter(ends, 1 + gap) })
  const day = daysAfter(ends, filing_days)
  const people = new Map<string, Person>()
  for (const [name, become] of Object.entries(lives)) {
    const person = await acme.hire()
    people.set(name, person)
    for (const category of categories) {
      const of = { company: acme.id, year: acme.plan_year, person: person.id, category }
      await moveFunds(scene.sql, 'hold', of, 10_000 + roll(80_000), `${seed} ${name} ${category}`)
    }
    const { left_on, status, role } = { ...employed, ...become(ends, day) }
    await scene.sql`update profiles set left_on = ${left_on}, status = ${status}, role = ${role}
      where id = ${person.id}`
  }
  return { acme, people, day, roll }
}

for (const seed of [1, 2, 3, 4, 5, 6])
  test(`a year closes as it was shown the day before, whoever stays or leaves (${seed})`, async () => {
    const { acme, people, day, roll } = await closing(seed)
    const cents_by_person = new Map<string, Record<string, number>>()
    for (const [name, person] of people)
      cents_by_person.set(name, await noticesOf(acme, person, day))
    const shown = await closesAsShown(acme, people, day)
    for (const [name, cents] of cents_by_person)
      for (const [category, expires] of Object.entries(cents))
        assert.equal(expires, shown.get(name)![category]!.expires, `${name}, as told`)
    // Late decisions give money back, which goes the same way.
    for (const [name, person] of people)
      for (const category of categories) {
        const of = { company: acme.id, year: acme.plan_year, person: person.id, category }
        await moveFunds(scene.sql, 'release', of, 1000 + roll(9000), `${seed} ${name} ${category}`)
      }
    await closesAsShown(acme, people, daysAfter(day, 1))
    assert.ok((await acme.company.admin.api.funds.verify({})).good)
  })
