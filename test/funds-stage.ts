// A company with money, for tests of funds, and the purses of its people.
import assert from 'node:assert/strict'
import type { PlanSettings } from '#funds/plans/plans.contract.ts'
import type { Purse } from './move-funds.ts'
import type { Company, Scene } from './scene.ts'

export const spread = (prevention: number, treatment: number, solidarity: number) => ({
  prevention_cents: prevention,
  treatment_cents: treatment,
  solidarity_cents: solidarity,
})

export const purse = (
  company: Company,
  year: string,
  person: { id: string },
  category: string,
): Purse => ({
  company: company.id,
  year,
  person: person.id,
  category,
})

export const utcToday = () => new Date().toISOString().slice(0, 10)

/** With so much contributed, and nothing allocated; its plan may be another from the start. */
export async function funded(
  scene: Scene,
  amount_cents = 30_000_000,
  settings?: Partial<PlanSettings>,
) {
  const provider = await scene.superAdmin()
  const company = await scene.company()
  if (settings) {
    const plan = await company.admin.api.funds.plan({})
    await company.admin.api.funds.change_plan({ ...plan, ...settings })
  }
  await provider.api.funds.contribute({
    company_id: company.id,
    amount_cents,
    occurred_on: utcToday(),
    reference: 'INV-1',
  })
  const { funds } = company.admin.api
  const { plan_year } = await funds.overview({})
  const [year] = await scene.sql<{ starts_on: string }[]>`
    select starts_on from plan_years where company_id = ${company.id}`
  assert.equal(plan_year, year!.starts_on)
  return { provider, company, funds, plan_year }
}

/** With so many people, and so much in each pool. */
export async function staffed(scene: Scene, people: number, { pools = 30_000_000 } = {}) {
  const made = await funded(scene, pools * 4)
  await made.funds.allocate({ plan_year: made.plan_year, ...spread(pools, pools, pools) })
  const hired = []
  for (let at = 0; at < people; at += 1) hired.push(await made.company.hire())
  return { ...made, hired }
}

/** The money that people were overpaid. */
export async function overpaid({ sql }: Scene, company: Company, category: string) {
  const [found] = await sql<{ cents: number }[]>`
    select coalesce(sum(balance_cents), 0)::bigint as cents from accounts
    where company_id = ${company.id} and kind = 'overpaid' and category = ${category}`
  return found!.cents
}

export const balancesOf = async (person: { api: Scene['visitor'] }) =>
  (await person.api.funds.mine({})).balances.map((balance) => balance.balance_cents)
