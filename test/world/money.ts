// Companies with money, and the purses of their people; moves of money as claims and pay runs make them.
import assert from 'node:assert/strict'
import type { PlanSettings } from '#funds/plans/plans.contract.ts'
import type { Sql } from '#lib/db.server.ts'
import { crowdOf, type Api, type Company } from './people.ts'
import type { Scene } from './scene.ts'

type ApiUser = { api: Api }

export const spread = (prevention: number, treatment: number, solidarity: number) => ({
  prevention_cents: prevention,
  treatment_cents: treatment,
  solidarity_cents: solidarity,
})
type Pools = ReturnType<typeof spread>

export const utcToday = () => new Date().toISOString().slice(0, 10)

/** Its one plan year began so many days ago, whatever day it is today. */
export async function beginYearAgo(sql: Sql, company: string, days: number) {
  await sql`delete from plan_years where company_id = ${company}
    and starts_on <> (select min(starts_on) from plan_years where company_id = ${company})`
  await sql`update plan_years set starts_on = company_today(${company}) - ${days}::int
    where company_id = ${company}`
}

/** Contributed for its present plan year, which this answers; HR puts it into pools, or a part of it. */
export async function fund(
  provider: ApiUser,
  company: { id: string; admin: ApiUser },
  pools: Pools | undefined,
  { amount_cents = sumOf(pools), reference = 'INV-1' } = {},
): Promise<string> {
  const { funds } = company.admin.api
  const { plan_year } = await funds.overview({})
  await provider.api.funds.contribute({
    company_id: company.id,
    amount_cents,
    confirmed: true,
    occurred_on: plan_year,
    reference,
  })
  if (pools) await funds.allocate({ plan_year, ...pools })
  return plan_year
}
const sumOf = (pools: Pools = spread(0, 0, 0)) =>
  Object.values(pools).reduce((sum, cents) => sum + cents, 0)

/** A company with this much contributed, and nothing allocated; its plan may be set from the start. */
export async function contributedCompany(
  scene: Scene,
  amount_cents = 30_000_000,
  settings?: Partial<PlanSettings>,
) {
  const provider = await scene.superAdmin()
  const company = await scene.company()
  const { funds } = company.admin.api
  if (settings) await funds.change_plan({ ...(await funds.plan({})), ...settings })
  const plan_year = await fund(provider, company, undefined, { amount_cents })
  const [year] = await scene.sql<{ starts_on: string }[]>`
    select starts_on from plan_years where company_id = ${company.id}`
  assert.equal(plan_year, year!.starts_on)
  return { provider, company, funds, plan_year }
}

/** A company with this many people, and this much in each pool. */
export async function staffedCompany(scene: Scene, people: number, { pools = 30_000_000 } = {}) {
  const made = await contributedCompany(scene, pools * 4)
  await made.funds.allocate({ plan_year: made.plan_year, ...spread(pools, pools, pools) })
  return { ...made, hired: await crowdOf(made.company, people) }
}

/** The money that people were overpaid. */
export async function overpaidCents({ sql }: Scene, company: Company, category: string) {
  const [found] = await sql<{ cents: number }[]>`
    select coalesce(sum(balance_cents), 0)::bigint as cents from accounts
    where company_id = ${company.id} and kind = 'overpaid' and category = ${category}`
  return found!.cents
}

export const ownBalances = async (person: ApiUser) =>
  (await person.api.funds.mine({})).balances.map((balance) => balance.balance_cents)

export type Purse = { company: string; year: string; person: string; category: string }

export const purse = (
  company: { id: string },
  year: string,
  person: { id: string },
  category: string,
): Purse => ({
  company: company.id,
  year,
  person: person.id,
  category,
})

type Step = 'hold' | 'release' | 'approve' | 'return' | 'reverse' | 'reverse_paid' | 'recover'

/** Moved by the owner, without a claim. */
export const moveFunds = (sql: Sql, step: Step, of: Purse, cents: number, cause: string) =>
  sql`select private.move_funds(row(${of.company}, ${of.year}, ${of.person}, ${of.category})::private.purse,
    ${step}, ${cents}, private.origin(${cause}), null)`

/** Approves a part of a hold; the rest is released first. */
export async function approveFunds(sql: Sql, of: Purse, cents: number[], cause: string) {
  const [held = 0, approved = held] = cents
  await sql.begin(async (tx) => {
    if (approved < held) await moveFunds(tx as never, 'release', of, held - approved, cause)
    await moveFunds(tx as never, 'approve', of, approved, cause)
  })
}

export async function spendFunds(sql: Sql, of: Purse, cents: number[], cause: string) {
  await moveFunds(sql, 'hold', of, cents[0]!, cause)
  await approveFunds(sql, of, cents, cause)
}

export const payFunds = (sql: Sql, of: Purse, cents: number, cause: string) =>
  sql`select transfer_all(f.company_id, f.plan_year, 'claim_paid', array[
      (f.id, t.id, ${cents}, private.origin(${`claim_paid ${cause}`}), f.person_id)::private.posting])
    from accounts f join accounts t using (company_id, plan_year, person_id, category)
    where f.company_id = ${of.company} and f.plan_year = ${of.year} and f.person_id = ${of.person}
      and f.category = ${of.category} and f.kind = 'payable' and t.kind = 'paid'`
