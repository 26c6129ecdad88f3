// Proof that counts kept beside the rows agree with the rows.
import type { Sql } from '#lib/db.server.ts'

/** The kept counts of a company that its rows do not bear out; none where all is true. */
export async function wrongCounts(sql: Sql, company: string): Promise<string[]> {
  const found = await sql<{ what: string }[]>`
    with counted as (
      select 'headcounts' as what, concat_ws(' ',
          count(*) filter (where role = 'employee' and account_state = 'pending'),
          count(*) filter (where role = 'employee' and account_state = 'active'),
          count(*) filter (where role = 'company_admin' and status = 'active')) as content
        from profiles where company_id = ${company}
      union all
      select 'departments', concat_ws(' ', department, count(*)) from profiles
        where company_id = ${company} and role = 'employee' and department is not null
        group by department
      union all
      select 'claim_totals', concat_ws(' ', status, type_id, count(*), sum(amount_cents),
          coalesce(sum(approved_cents), 0), count(*) filter (where overdue))
        from claims where company_id = ${company} group by status, type_id
      union all
      select 'claim number', max(id)::text from claims where company_id = ${company}),
    kept as (
      select 'headcounts' as what, concat_ws(' ', pending, active, admins_active) as content
        from headcounts where company_id = ${company}
      union all
      select 'departments', concat_ws(' ', department, people) from departments
        where company_id = ${company}
      union all
      select 'claim_totals', concat_ws(' ', status, type_id, sum(claims), sum(amount_cents), sum(approved_cents),
          sum(overdue))
        from (select company_id, status, type_id, claims, amount_cents, approved_cents, overdue from claim_totals
          union all select company_id, status, type_id, claims, amount_cents, approved_cents, overdue
            from claim_changes) c
        where company_id = ${company} group by status, type_id having sum(claims) <> 0
      union all
      select 'claim number', last_value::text from pg_sequences where schemaname = 'private'
        and sequencename = 'claims_of_' || translate(${company}, '-', ''))
    (select what from (table counted except table kept) c)
    union (select what from (table kept except table counted) k)`
  return found.map(({ what }) => what)
}
