// The plan year that an act is about.
import { Problem } from '#problems.ts'
import type { Tx } from '#lib/db.server.ts'
import type { Actor } from '#actor.ts'

export type Year = {
  company_id: string
  plan_year: string
  ends_on: string
  closed: boolean
  currency: string
  time_zone: string
}

export const noYear = () => new Problem('no_plan_year')

/** The plan year of the request, or else the one shown by default. */
export async function yearOf(tx: Tx, actor: Actor, plan_year: string | undefined): Promise<Year> {
  const company_id = actor.company_id ?? ''
  const [year] = await tx<Year[]>`
    select y.company_id, y.starts_on as plan_year, y.ends_on, y.closed_at is not null as closed,
      c.currency, c.time_zone
    from plan_years y join companies c on c.id = y.company_id
    where y.company_id = ${company_id}
      and y.starts_on = coalesce(${plan_year ?? null}::date,
        (select current_plan_year(${company_id})))`
  if (!year) throw noYear()
  return year
}
