// The plans of a company's groups: what they are, what a change of them would do, and the change.
import { row, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { GroupPlanList, type group_plans } from './group-plans.contract.ts'
import { effectOf, refuseBelowUsed } from './plans.server.ts'
import { yearOf } from './years.server.ts'

export const groupPlansHandlers: Handlers<typeof group_plans> = {
  list: async ({ tx, actor, input }) =>
    groupPlansOf(tx, actor, (await yearOf(tx, actor, input.plan_year)).plan_year),

  preview: async ({ tx, actor, input: { plan_year, plans } }) => {
    await yearOf(tx, actor, plan_year)
    return effectOf(tx, actor, plan_year, {}, plans)
  },

  change: async ({ tx, actor, input: { plan_year, version, plans } }) => {
    const [saved] = await tx<[{ people: number }]>`
      select save_group_plans(${actor.company_id}, ${plan_year}, ${version}, ${tx.json(plans)})
        as people`
    refuseBelowUsed(saved.people)
    return groupPlansOf(tx, actor, plan_year)
  },
}

const groupPlansOf = (tx: Tx, { company_id }: Actor, plan_year: string) =>
  row(
    GroupPlanList,
    tx`
      select y.starts_on as plan_year, y.groups_version as version, coalesce((
        select json_agg(json_build_object('group_id', o.group_id, 'name', g.name,
            'counts_from', o.counts_from, 'prevention_cents', o.prevention_cents,
            'treatment_cents', o.treatment_cents, 'solidarity_cents', o.solidarity_cents,
            'by_month', o.by_month)
          order by o.position)
        from group_plans o join employee_groups g on g.company_id = o.company_id
          and g.id = o.group_id
        where o.company_id = y.company_id and o.plan_year = y.starts_on), '[]') as plans
      from plan_years y where y.company_id = ${company_id} and y.starts_on = ${plan_year}`,
  )
