// Steps after the year was played and moved: days that are stored as days, and what the demo's people did with the product.
import { rollUpAll } from '#claims/jobs.server.ts'
import { keepHolidays } from '#companies/holidays.server.ts'
import type { Sql, Tx } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { monthsBefore } from './days.ts'
import type { DemoStage } from './stage.ts'

/** Days that an act took from the calendar on the wall follow the moments of that act, by the clock of their company. */
export async function moveDays(sql: Sql) {
  const day = (moment: string) => sql`(${sql(moment)} at time zone o.time_zone)::date`
  await sql`
    update transfers t set occurred_on = ${day('posted_at')} from companies o
    where o.id = t.company_id and t.event <> 'contribution'`
  await sql.begin(async (tx) => {
    await tx`alter table pay_runs disable trigger user`
    await tx`
      update pay_runs r set cut_off_on = ${day('made_at')} - 1, pay_on = (
        -- Two working days on.
        select d + case extract(isodow from d) when 4 then 4 when 5 then 4 when 6 then 3 else 2 end::int
        from greatest(${day('released_at')}, ${day('made_at')}) d)
      from companies o where o.id = r.company_id`
    await tx`alter table pay_runs enable trigger user`
    await tx`alter table claims disable trigger user`
    await tx`
      update claims c set paid_on = r.pay_on from pay_runs r
      where r.company_id = c.company_id and r.id = c.run_id and c.paid_on is not null`
    await tx`
      update claims c set due_at = private.after_working_days(c.submitted_at, p.review_days, o.time_zone,
          private.days_off(o.id))
      from claim_policies p, companies o
      where p.company_id = c.company_id and p.version = c.policy_version and o.id = c.company_id
        and c.due_at is not null`
    await tx`alter table claims enable trigger user`
    await countAutomatic(tx)
    await tx`alter table profiles disable trigger user`
    await tx`
      update profiles p set joined_on = came.day
      from (select q.id, (q.created_at at time zone coalesce(o.time_zone, 'UTC'))::date as day
        from profiles q left join companies o on o.id = q.company_id) came
      where came.id = p.id and p.joined_on > came.day`
    await tx`alter table profiles enable trigger user`
    await tx`alter table dependents disable trigger user`
    await tx`
      update dependents d set added_on = ${day('added_at')} from companies o where o.id = d.company_id`
    await tx`alter table dependents enable trigger user`
  })
  await sql`delete from headcount_days`
  await sql`
    insert into headcount_days (company_id, day, employees)
    select company_id, day, sum(sum(change)) over (partition by company_id order by day)::int
      from profiles p join companies o on o.id = p.company_id,
        lateral (values ((p.created_at at time zone o.time_zone)::date, 1), (left_on + 1, -1)) d (day, change)
      where role = 'employee' and company_id is not null and account_state <> 'requested'
        and (change > 0 or has_left)
      group by company_id, day`
}

/** The whole year was one month while it was played: what a decision counted "this month" is counted again. */
async function countAutomatic(tx: Tx) {
  const month = (moment: string) => tx`date_trunc('month', ${tx(moment)} at time zone o.time_zone)`
  await tx`alter table claim_events disable trigger user`
  await tx`
    update claim_events e set trace = counted.trace
    from (select v.company_id, v.claim_id, v.number, jsonb_agg(case t.step ->> 'rule'
          when 'automatic_this_month' then jsonb_set(t.step, '{facts,this_month}', to_jsonb(m.claims))
          else t.step end order by t.nth)::json as trace
        from claim_events v
          join claims c on c.company_id = v.company_id and c.id = v.claim_id
          join companies o on o.id = c.company_id
          cross join lateral (select count(*) as claims from claims x
            where x.company_id = c.company_id and x.person_id = c.person_id and x.automatic and x.id < c.id
              and ${month('x.submitted_at')} = ${month('v.at')}) m
          cross join lateral jsonb_array_elements(v.trace::jsonb) with ordinality as t (step, nth)
        where v.trace::jsonb @> '[{"rule": "automatic_this_month"}]'
        group by v.company_id, v.claim_id, v.number) counted
    where e.company_id = counted.company_id and e.claim_id = counted.claim_id and e.number = counted.number`
  await tx`alter table claim_events enable trigger user`
}

/** Old news is read news, and nobody is mailed it. */
export async function readNews({ sql }: DemoStage) {
  await sql`update notifications set mailed_at = at`
  await sql`
    update notifications set read_at = at + interval '5 hours' where at < now() - interval '6 days'`
}

/** Holidays are read, counts are rolled up and late claims marked, as the clock would have done meanwhile. */
export async function catchUp({ sql }: DemoStage) {
  await keepHolidays({}, { sql, log: makeLog('silent') })
  await rollUpAll(sql)
  await sql`select private.mark_overdue(1000)`
  await rollUpAll(sql)
}

/** Requests reports, which the worker makes within the first minute. */
export async function requestReports(stage: DemoStage, provider: string) {
  const { reports } = await stage.as(provider)
  const last = monthsBefore(stage.today, 1).slice(0, 7)
  const half = monthsBefore(stage.today, 6).slice(0, 7)
  await reports.generate({ kind: 'fund_allocation', from: half, to: last })
  await reports.generate({ kind: 'claims_activity', from: last, to: last })
  await reports.generate({ kind: 'utilization_trends', from: half, to: last })
  await reports.schedule({ kind: 'company_performance', enabled: true })
}
