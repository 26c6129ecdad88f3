// The plans of groups of employees, in place of the company's. A contract of its own: few pages ask for it.
import { z } from 'zod'
import { Day } from '#lib/days.ts'
import { get, post, put } from '#lib/contract.ts'
import { PlanEffect } from './plans.contract.ts'
import { GrantCents, InYear, PlanYearKey } from '#funds/terms.contract.ts'

/** The plan of a group, in the order in which groups' plans count. */
export type GroupPlan = z.infer<typeof GroupPlan>
export const GroupPlan = z.object({
  group_id: z.uuid('Choose a group'),
  counts_from: Day('Choose the day from which it applies'),
  prevention_cents: GrantCents,
  treatment_cents: GrantCents,
  solidarity_cents: GrantCents,
  by_month: z.boolean().default(false),
})
const PlansOfGroups = z.object({
  plan_year: PlanYearKey,
  /** For a person in several groups the first plan counts. */
  plans: GroupPlan.array()
    .max(100, 'At most 100 groups')
    .refine((plans) => new Set(plans.map(({ group_id }) => group_id)).size === plans.length, {
      message: 'This group has a plan already',
    }),
})
export type GroupPlanList = z.infer<typeof GroupPlanList>
export const GroupPlanList = z.object({
  plan_year: PlanYearKey,
  version: z.int(),
  plans: GroupPlan.extend({ name: z.string() }).array(),
})

export const group_plans = {
  list: get('/funds/plan/groups', InYear, GroupPlanList),
  preview: post('/funds/plan/groups/preview', PlansOfGroups, PlanEffect),
  /** `version` is the one that was read. */
  change: put('/funds/plan/groups', PlansOfGroups.extend({ version: z.int() }), GroupPlanList),
}
