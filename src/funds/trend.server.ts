// The course of a company's money, from the totals that are kept day by day.
import { categories } from '#categories.ts'
import { parts, row, type Tx } from '#lib/db.server.ts'
import type { Actor } from '#actor.ts'
import { FundTrend, trend_days } from './funds.contract.ts'

const months = 12

/** The running plan year, now and `trend_days` ago; and the newly used money of each month, of whatever year. */
export const trendOf = (tx: Tx, { company_id }: Actor) =>
  row(
    FundTrend,
    tx`
      with today as materialized (select company_today(${company_id}) as day,
        current_plan_year(${company_id}) as plan_year),
      change as materialized (
        select f.plan_year, f.kind, f.category, f.day, f.change_cents
        from fund_changes f
        where f.company_id = ${company_id} and f.kind = any (array['funding', 'held'] || used_kinds())),
      of_year as (
        select day > (select day from today) - ${trend_days}::int as is_new, kind, change_cents
        from change where plan_year = (select plan_year from today)),
      sums as (
        select -coalesce(sum(change_cents) filter (where kind = 'funding'), 0) as came,
          -coalesce(sum(change_cents) filter (where kind = 'funding' and not is_new), 0)
            as came_before,
          coalesce(sum(change_cents) filter (where kind = any (used_kinds())), 0) as used,
          coalesce(sum(change_cents) filter (where kind = any (used_kinds()) and not is_new), 0)
            as used_before
        from of_year),
      month as materialized (
        select (date_trunc('month', day::timestamp) - make_interval(months => back))::date as month
        from today cross join generate_series(0, ${months - 1}::int) back),
      used_in as materialized (
        select date_trunc('month', day::timestamp)::date as month, category, sum(change_cents) as cents
        from change where kind = any (used_kinds())
          and day >= (select min(month) from month) group by 1, 2)
      select c.currency, (came - used)::bigint as balance_cents,
        (came_before - used_before)::bigint as balance_before_cents,
        percent_of(used, came) as percent,
        percent_of(used_before, came_before) as percent_before,
        (select coalesce(sum(change_cents), 0)::bigint from change where kind = 'held') as held_cents,
        (select json_agg(m order by m.month) from (
          select month.month${usedIn(tx)}
          from month left join used_in on used_in.month = month.month
          group by month.month) m) as months
      from sums, companies c where c.id = ${company_id}`,
  )

const usedIn = (tx: Tx) =>
  parts(
    categories.map(
      (category) => tx`, coalesce(sum(used_in.cents)
        filter (where used_in.category = ${category}), 0)::bigint as ${tx(`${category}_cents`)}`,
    ),
  )
