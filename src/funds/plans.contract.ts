import { z } from 'zod'
import { Category } from '#categories.ts'
import { Day } from '#lib/days.ts'
import { get, post, put } from '#lib/contract.ts'
import { GrantCents, InYear, PlanYearKey } from './terms.contract.ts'

/** So that its twelve months end on a day that can be asked for. */
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
  /** A twelfth at the beginning of each month of the year, or all at once. */
  by_month: z.boolean().default(false),
  leaver_filing_days: z.int().min(0).max(365, 'At most 365 days'),
})
export type Plan = z.infer<typeof Plan>
export const Plan = PlanSettings.extend({
  plan_year: PlanYearKey,
  ends_on: z.iso.date(),
  closed: z.boolean(),
  has_money: z.boolean(),
})
const PlanChange = PlanSettings.extend({ plan_year: PlanYearKey })

/** What the people of a group are given, in the order in which groups' plans count. */
export type GroupPlan = z.infer<typeof GroupPlan>
export const GroupPlan = z.object({
  group_id: z.uuid('Choose a group'),
  counts_from: Day('Choose the day from which it counts'),
  prevention_cents: GrantCents,
  treatment_cents: GrantCents,
  solidarity_cents: GrantCents,
  by_month: z.boolean().default(false),
})
const PlansOfGroups = z.object({
  plan_year: PlanYearKey,
  /** The first that a person is in counts. */
  plans: GroupPlan.array()
    .max(100, 'At most 100 groups')
    .refine((plans) => new Set(plans.map(({ group_id }) => group_id)).size === plans.length, {
      message: 'This group has a plan already',
    }),
})
export type GroupPlans = z.infer<typeof GroupPlans>
export const GroupPlans = z.object({
  plan_year: PlanYearKey,
  version: z.int(),
  plans: GroupPlan.extend({ name: z.string() }).array(),
})

/** What a change of the plan does, in numbers. */
export type PlanEffect = z.infer<typeof PlanEffect>
export const PlanEffect = z.object({
  people: z.int(),
  people_changed: z.int(),
  /** People who have used or hold more than they would be given: the change is refused. */
  people_below_used: z.int(),
  categories: z
    .object({
      category: Category,
      due_cents: z.int(),
      change_cents: z.int(),
      /** What the pool lacks for it. */
      lacking_cents: z.int(),
    })
    .array(),
})

export const plans = {
  plan: get('/funds/plan', InYear, Plan),
  preview_plan: post('/funds/plan/preview', PlanChange, PlanEffect),
  change_plan: put('/funds/plan', PlanChange, Plan),
  group_plans: get('/funds/plan/groups', InYear, GroupPlans),
  preview_group_plans: post('/funds/plan/groups/preview', PlansOfGroups, PlanEffect),
  /** `version` is the one that was read. */
  change_group_plans: put(
    '/funds/plan/groups',
    PlansOfGroups.extend({ version: z.int() }),
    GroupPlans,
  ),
  add_year: post('/funds/years', PlanSettings, Plan),
}
