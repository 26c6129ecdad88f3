// The money of a year: planned by HR, contributed by the provider's books, allocated, once rebalanced.
import { aurora, yearOf, type PlannedCompany } from './companies.ts'
import { daysAfter, workday } from './days.ts'
import type { Staff } from './people.ts'
import type { DemoPlan } from './plan.ts'
import type { DemoStage } from './stage.ts'

const amount_fields = ['prevention_cents', 'treatment_cents', 'solidarity_cents'] as const
type Amounts = Record<(typeof amount_fields)[number], number>

/** The due of all who are here by the end of the story, give or take a little, in round sums. */
function needed({ company, people }: Staff): Amounts {
  const round = 100_00
  // Families add to Solidarity at Aurora.
  const more = [1, 1, company === aurora ? 1.3 : 1]
  const cents = company.grants.map(
    (units, at) => Math.ceil((units * 100 * people.length * 1.04 * more[at]!) / round) * round,
  )
  return Object.fromEntries(amount_fields.map((kind, at) => [kind, cents[at]!])) as Amounts
}

const sumOf = (amounts: Amounts) => amount_fields.reduce((sum, kind) => sum + amounts[kind], 0)

/** Its first year still takes claims while it is played, and keeps a part for the second. */
const second_year_terms = {
  filing_days: 120,
  carry_over: 'up_to',
  carry_over_max_cents: 200_000,
} as const

export async function changePlan(stage: DemoStage, company: PlannedCompany, starts_on: string) {
  const hr = await stage.as(company.admins[0]!.email)
  const { ends_on: _, closed: __, has_money: ___, ...now } = await hr.funds.plan({})
  const [prevention, treatment, solidarity] = company.grants
  await hr.funds.change_plan({
    ...now,
    starts_on,
    prevention_cents: prevention * 100,
    treatment_cents: treatment * 100,
    solidarity_cents: solidarity * 100,
    dependent_cents: company === aurora ? 5_000 : now.dependent_cents,
    dependent_cap_cents: company === aurora ? 15_000 : now.dependent_cap_cents,
    proration: company === aurora ? 'month' : now.proration,
    ...(company.second_year && second_year_terms),
  })
}

export function fund(plan: DemoPlan, staff: Staff, provider: string) {
  const { company } = staff
  if (company.ends === 'pending') return
  const begins = yearOf(company, plan.today)
  const whole = needed(staff)
  const contribute = (days: number, amount_cents: number, what: string) => {
    const occurred_on = workday(daysAfter(begins, days))
    plan.at(occurred_on, company, { name: 'contribute', occurred_on }, async (stage) => {
      const reference = `${company.name.split(' ')[0]!.toUpperCase()}-${begins.slice(0, 4)}-${what}`
      const by = await stage.as(provider)
      await by.funds.contribute({ company_id: staff.id, amount_cents, occurred_on, reference })
    })
  }
  const first = Math.round((sumOf(whole) * 0.7) / 100_000) * 100_000
  contribute(0, sumOf(whole), '1')
  contribute(120, Math.round(first / 14 / 100_000) * 100_000 || 100_000, '2')
  plan.at(workday(daysAfter(begins, 1)), company, { name: 'allocate' }, (stage) =>
    allocate(stage, staff, begins, whole),
  )
  if (company === aurora)
    plan.at(workday(daysAfter(begins, 190)), company, { name: 'rebalance' }, (stage) =>
      rebalance(stage, staff),
    )
}

async function allocate(
  stage: DemoStage,
  { company, id }: Staff,
  plan_year: string,
  amounts: Amounts,
) {
  const hr = await stage.as(company.admins[0]!.email)
  await stage.sql`analyze grants, accounts, transfers, unsealed_transfers`
  await hr.funds.allocate({ plan_year, ...amounts, note: 'For the year' })
  // A job grants those beyond the first two hundred who wait; here it is done at once.
  await stage.sql`select private.grant_waiting(${id}, ${plan_year}, 1000)`
}

/** Treatment money that nobody is granted goes where more is used. */
async function rebalance(stage: DemoStage, { company }: Staff) {
  const hr = await stage.as(company.admins[0]!.email)
  const { plan_year, categories } = await hr.funds.overview({})
  const free = (category: string) =>
    categories.find((one) => one.category === category)?.free_cents ?? 0
  const pools_now = {
    prevention_cents: free('prevention'),
    treatment_cents: free('treatment'),
    solidarity_cents: free('solidarity'),
  }
  const moved = Math.floor(pools_now.treatment_cents / 3 / 10_000) * 10_000
  if (moved === 0) return
  const targets = {
    ...pools_now,
    solidarity_cents: pools_now.solidarity_cents + moved,
    treatment_cents: pools_now.treatment_cents - moved,
  }
  const note = 'More families than planned'
  await hr.funds.rebalance({ plan_year, expected: pools_now, targets, note })
}
