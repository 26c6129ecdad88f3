// A company's plan, the effect of a change, and the change.
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { Plan, PlanEffect, type plans, type PlanSettings } from './plans.contract.ts'
import type { GroupPlan } from './group-plans.contract.ts'
import { yearOf } from './years.server.ts'

export const plansHandlers: Handlers<typeof plans> = {
  plan: async ({ tx, actor, input }) =>
    findPlan(tx, actor.company_id, (await yearOf(tx, actor, input.plan_year)).plan_year),

  preview_plan: async ({ tx, actor, input }) => {
    await yearOf(tx, actor, input.plan_year)
    const { plan_year, ...settings } = input
    return effectOf(tx, actor, plan_year, settings)
  },

  change_plan: async ({ tx, actor, input }) => {
    const { plan_year, version, ...settings } = input
    const [saved] = await besideFields(
      about_day,
      tx<[{ people: number }]>`
        select save_plan_year(${actor.company_id}, ${plan_year}, ${version}, ${tx.json(settings)})
          as people`,
    )
    refuseBelowUsed(saved.people)
    return findPlan(tx, actor.company_id, settings.starts_on)
  },

  add_year: async ({ tx, actor, input }) => {
    const { company_id } = actor
    await besideFields(about_day, tx`insert into plan_years ${tx({ ...input, company_id })}`)
    await tx`select regrant(${company_id}, ${input.starts_on}), publish(${`admins:${company_id}`})`
    return findPlan(tx, company_id, input.starts_on)
  },
}

/** A year that overlaps another, or that has money, is refused beside its first day. */
const about_day = {
  plan_years_pkey: ['starts_on', 'plan_years_overlap'],
  plan_years_overlap: 'starts_on',
  plan_year_has_money: 'starts_on',
} as const

export const findPlan = (tx: Tx, company_id: string | null, plan_year: string) =>
  row(
    Plan,
    tx`
      select y.*, y.starts_on as plan_year, y.closed_at is not null as closed,
        exists (select from fund_totals t where t.company_id = y.company_id
          and t.plan_year = y.starts_on) as has_money
      from plan_years y where y.company_id = ${company_id} and y.starts_on = ${plan_year}`,
  )

const belowUsedRefusal = (people: number) => (people > 0 ? 'grant_below_used' : null)

export function refuseBelowUsed(people: number) {
  const refusal = belowUsedRefusal(people)
  if (refusal) throw new Problem(refusal, { facts: { people } })
}

export async function effectOf(
  tx: Tx,
  actor: Actor,
  plan_year: string,
  settings: Partial<PlanSettings>,
  plans: GroupPlan[] | null = null,
) {
  const found = await rows(
    CategoryEffect,
    tx`select * from plan_effect(${actor.company_id}, ${plan_year}, ${tx.json(settings)},
      ${plans && tx.json(plans)})`,
  )
  const most = (name: 'people' | 'people_changed' | 'people_below_used') =>
    Math.max(...found.map((effect) => effect[name]))
  const people_below_used = most('people_below_used')
  return {
    people: most('people'),
    people_changed: most('people_changed'),
    people_below_used,
    refusals: { save: belowUsedRefusal(people_below_used) },
    below_used_names: found[0]?.below_used_names ?? [],
    categories: found,
  }
}

const CategoryEffect = PlanEffect.shape.categories.element.extend({
  people: PlanEffect.shape.people,
  people_changed: PlanEffect.shape.people,
  people_below_used: PlanEffect.shape.people,
  below_used_names: PlanEffect.shape.below_used_names,
})
