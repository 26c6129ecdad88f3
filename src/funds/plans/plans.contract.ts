import { z } from 'zod'
import { Category } from '#categories.ts'
import { Day } from '#lib/days.ts'
import { get, post, put, Refusal } from '#lib/contract.ts'
import { GrantCents, InYear, PlanYearKey } from '#funds/terms.contract.ts'

/** A plan year's last day must still be one that can be entered. */
const last_start = '2200-01-01'

export type PlanSettings = z.infer<typeof PlanSettings>
export const PlanSettings = z.object({
  starts_on: Day('Choose the day on which the year starts').refine(
    (day) => day <= last_start,
    'A plan year has to end by the year 2200',
  ),
  prevention_cents: GrantCents,
  treatment_cents: GrantCents,
  solidarity_cents: GrantCents,
  dependent_cents: GrantCents,
  dependent_cap_cents: GrantCents.nullable(),
  proration: z.enum(['full', 'month', 'day']),
  carry_over: z.enum(['none', 'up_to', 'all']),
  carry_over_max_cents: GrantCents.nullable(),
  filing_days: z.int().min(0).max(365, 'At most 365 days'),
  /** Grants come in twelfths, at the beginning of each month of the year; otherwise all at once. */
  by_month: z.boolean().default(false),
  leaver_filing_days: z.int().min(0).max(365, 'At most 365 days'),
})
export type Plan = z.infer<typeof Plan>
export const Plan = PlanSettings.extend({
  plan_year: PlanYearKey,
  version: z.int(),
  ends_on: z.iso.date(),
  closed: z.boolean(),
  has_money: z.boolean(),
})
const PlanTry = PlanSettings.extend({ plan_year: PlanYearKey })
/** `version` is the one that was read, so that the later of two who change it is told. */
const PlanChange = PlanTry.extend({ version: z.int() })

/** The effect of a change of the plan, in numbers. */
export type PlanEffect = z.infer<typeof PlanEffect>
export const PlanEffect = z.object({
  people: z.int(),
  people_changed: z.int(),
  /** People who have used or hold more than they would be given: the change is refused. */
  people_below_used: z.int(),
  /** The first few of them; empty for a reader who may not see balances. */
  below_used_names: z.string().array(),
  refusals: z.object({ save: Refusal }),
  categories: z
    .object({
      category: Category,
      due_cents: z.int(),
      change_cents: z.int(),
      /** The amount that the pool lacks for the change. */
      lacking_cents: z.int(),
    })
    .array(),
})

export const plans = {
  plan: get('/funds/plan', InYear, Plan),
  preview_plan: post('/funds/plan/preview', PlanTry, PlanEffect),
  change_plan: put('/funds/plan', PlanChange, Plan),
  add_year: post('/funds/years', PlanSettings, Plan),
}
