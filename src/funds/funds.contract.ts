import { z } from 'zod'
import { Category } from '#categories.ts'
import { get, post, Refusal } from '#lib/contract.ts'
import { Day } from '#lib/days.ts'
import { ledger } from '#funds/ledger/ledger.contract.ts'
import { my_money } from '#funds/my-money/my-money.contract.ts'
import { Plan, plans } from '#funds/plans/plans.contract.ts'
import {
  Cents,
  Ids,
  InYear,
  PageLimit,
  MyBalance,
  Note,
  OfCompany,
  PageAfter,
  PlanYearKey,
} from './terms.contract.ts'

/** Fewer days of a plan year say too little of its pace. */
export const forecast_days = 14
export const no_forecast = `A forecast needs ${forecast_days} days of the year.`

export type CategoryFund = z.infer<typeof CategoryFund>
export const CategoryFund = z.object({
  category: Category,
  allocated_cents: z.int(),
  granted_cents: z.int(),
  used_cents: z.int(),
  held_cents: z.int(),
  available_cents: z.int(),
  /** Paid for claims that were reversed afterwards, and not withheld or settled yet. */
  overpaid_cents: z.int(),
  free_cents: z.int(),
  /** The share of what was allocated that is used. */
  percent: z.int(),
  /** The use at the year's end at the current pace; null in the first days, which say too little. */
  forecast_cents: z.int().nullable(),
})

export type WaitingForFunds = z.infer<typeof WaitingForFunds>
export const WaitingForFunds = z.object({
  people: z.int(),
  prevention_cents: z.int(),
  treatment_cents: z.int(),
  solidarity_cents: z.int(),
})

export type FundOverview = z.infer<typeof FundOverview>
export const FundOverview = z.object({
  plan_year: PlanYearKey,
  ends_on: z.iso.date(),
  closed: z.boolean(),
  years: PlanYearKey.array(),
  currency: z.string(),
  funded_cents: z.int(),
  unallocated_cents: z.int(),
  forfeited_cents: z.int(),
  categories: CategoryFund.array(),
  /** The sums over all categories. */
  total: CategoryFund.pick({
    allocated_cents: true,
    granted_cents: true,
    used_cents: true,
    percent: true,
  }).extend({ granted_percent: z.int() }),
  waiting: WaitingForFunds,
  regrant: z.object({ people: z.int(), people_done: z.int() }).nullable(),
  refusals: z.object({ allocate: Refusal, rebalance: Refusal }),
})

const CategoryAmounts = z.object({
  prevention_cents: Cents,
  treatment_cents: Cents,
  solidarity_cents: Cents,
})
const Allocation = CategoryAmounts.extend({
  plan_year: PlanYearKey,
  note: z.string().trim().max(500).optional(),
}).refine((a) => a.prevention_cents + a.treatment_cents + a.solidarity_cents > 0, {
  message: 'Enter an amount above zero',
  path: ['prevention_cents'],
})

const Rebalance = z.object({
  plan_year: PlanYearKey,
  /** The pools as they were on screen: if they have changed, nothing moves. */
  expected: CategoryAmounts,
  targets: CategoryAmounts,
  note: Note,
})
export type RebalanceDone = z.infer<typeof RebalanceDone>
export const RebalanceDone = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  note: z.string().nullable(),
  actor_name: z.string().nullable(),
  undone: z.boolean(),
  moves: z.object({ from: Category, to: Category, amount_cents: z.int() }).array(),
  refusals: z.object({ undo: Refusal }),
})

const PersonBalances = z.object({
  person_id: z.uuid(),
  prevention_cents: z.int(),
  treatment_cents: z.int(),
  solidarity_cents: z.int(),
})
/** A dashboard compares its figures with those of this many days ago. */
export const trend_days = 30

export type FundTrend = z.infer<typeof FundTrend>
export const FundTrend = z.object({
  currency: z.string(),
  /** Contributed and not used yet, in the running plan year. */
  balance_cents: z.int(),
  balance_before_cents: z.int(),
  /** The share of the contributions that is used. */
  percent: z.int(),
  percent_before: z.int(),
  /** On hold for open claims. */
  held_cents: z.int(),
  months: z
    .object({
      month: z.iso.date(),
      prevention_cents: z.int(),
      treatment_cents: z.int(),
      solidarity_cents: z.int(),
    })
    .array(),
})

/** Null if fewer than five people used it, or if it would reveal what those used. */
const Use = {
  total_cents: z.int(),
  used_cents: z.int().nullable(),
  percent: z.int().nullable(),
}

/** A company's fund as the provider sees it: never by person, never by category. */
export type CompanyFundSums = z.infer<typeof CompanyFundSums>
export const CompanyFundSums = z.object({
  ...Use,
  currency: z.string(),
  unallocated_cents: z.int(),
  plan: Plan,
})

export const funds = {
  ...plans,
  ...ledger,
  ...my_money,

  overview: get('/funds', InYear, FundOverview),
  waiting: get(
    '/funds/waiting',
    InYear.extend({ ...PageAfter, limit: PageLimit }),
    z.object({
      people: WaitingForFunds.omit({ people: true })
        .extend({ id: z.uuid(), full_name: z.string(), joined_on: z.iso.date() })
        .array(),
      next: z.string().nullable(),
    }),
    { alone: true },
  ),

  allocate: post('/funds/allocations', Allocation, FundOverview, { idempotent: true }),
  deallocate: post('/funds/deallocations', Allocation, FundOverview, { idempotent: true }),
  rebalance: post('/funds/rebalances', Rebalance, RebalanceDone, { idempotent: true }),
  undo_rebalance: post('/funds/rebalances/:id/undo', z.object({ id: z.uuid() }), RebalanceDone),
  rebalances: get('/funds/rebalances', InYear, RebalanceDone.array()),

  /** The present figures beside those of thirty days ago, and the use in each of the last twelve months. */
  trend: get('/funds/trend', z.object({}), FundTrend),

  balances: get('/funds/balances', z.object({ ids: Ids }), PersonBalances.array()),
  /** One person's money: this year's, and what waits in claims of other years. */
  of_person: get(
    '/funds/people/:person_id',
    z.object({ person_id: z.uuid(), left_on: Day().optional() }),
    z.object({
      full_name: z.string(),
      currency: z.string(),
      plan_year: PlanYearKey.nullable(),
      /** The group whose plan they are granted by; empty if it is the company’s again. */
      plan_group: z.string().nullable(),
      balances: MyBalance.array(),
      /** The money in open claims, of any year. */
      held_cents: z.int(),
      /** The days of this year's money if `left_on` were set as their last day today. */
      if_left: z
        .object({
          filing_ends_on: z.iso.date(),
          /** The day on which what is left goes back; null after the year's end, which may carry it over. */
          returns_on: z.iso.date().nullable(),
        })
        .nullable(),
    }),
  ),
  mine: get(
    '/funds/mine',
    z.object({}),
    z.object({
      currency: z.string(),
      plan_year: PlanYearKey.nullable(),
      /** The person's own last day, where it is set. */
      left_on: z.iso.date().nullable(),
      /** The last day of care: the year's, or their own. */
      use_by: z.iso.date().nullable(),
      /** The last day for claims of this year. */
      filing_ends_on: z.iso.date().nullable(),
      /** Whether the company's policy has limits, so that less may be claimed than is left. */
      limited: z.boolean(),
      balances: MyBalance.array(),
    }),
  ),

  of_companies: get(
    '/funds/companies',
    z.object({ ids: Ids }),
    z.array(z.object({ company_id: z.uuid(), ...Use })),
  ),
  of_company: get('/companies/:company_id/fund', OfCompany, CompanyFundSums),
  /** All that the provider's companies hold, by currency, the largest first. */
  managed: get(
    '/funds/managed',
    z.object({}),
    z.array(z.object({ currency: z.string(), companies: z.int(), ...Use })),
  ),
}
