// The things that entries are about: the record itself has only their ids.
import type { Tx } from '#lib/db.server.ts'

/** The name of the thing that an entry is about, by a look-up for each entry: a join read whole tables for a page of fifty. */
export const subjectOf = (tx: Tx) => tx`
  coalesce(case e.table_name
      when 'profiles' then ${personOf(tx)} when 'grants' then ${personOf(tx)}
      when 'company_rights' then ${holderOf(tx)} when 'absences' then ${holderOf(tx)}
      when 'balance_adjustments' then ${holderOf(tx)} when 'payment_blocks' then ${holderOf(tx)}
      when 'claim_policies' then 'version ' || (e.after ->> 'version')
      when 'downloads' then ${reportOf(tx)}
      when 'claim_limits' then (${limitOf(tx)})
      when 'transfers' then (${reversedOf(tx)})
      when 'saved_views' then ${contextOf(tx)} ->> 'name'
      when 'dependents' then (select d.full_name from dependents d
        where d.company_id = e.company_id and d.id = nullif(e.row_id, '')::uuid) end,
    e.after ->> 'full_name', e.before ->> 'full_name',
    case when e.table_name = 'companies' then c.name end,
    e.after ->> 'name', e.before ->> 'name',
    case when e.table_name = 'group_plans' then (select g.name from employee_groups g
      where g.company_id = e.company_id and g.id = nullif(e.row_id, '')::uuid) end,
    e.after ->> 'title', e.before ->> 'title', e.after ->> 'file_name', e.before ->> 'file_name',
    case when e.after ->> 'event' = 'contribution' then e.after ->> 'note'
      when e.after ->> 'event' = 'contribution_reversed' then null
      when e.row_id ~ '^[0-9]{1,18}$' then '#' || e.row_id
      when e.table_name = 'book_codes' then replace(e.row_id, '_', ' ') end)`

const personOf = (tx: Tx) =>
  tx`(select p.full_name from profiles p where p.id = nullif(e.row_id, '')::uuid)`

/** Which limit an entry is about, also of one that is gone: for which claims, and of which kind. */
const limitOf = (tx: Tx) => tx`
  select coalesce(t.name, w.content ->> 'category', 'all claims') || ', ' || case w.content ->> 'kind'
      when 'per_year' then 'per plan year' when 'per_dependent' then 'per dependent'
      when 'frequency' then 'number of claims' else 'first months' end
    from (select coalesce((select to_jsonb(c) from claim_limits c where c.company_id = e.company_id
        and c.id = nullif(e.row_id, '')::uuid), e.after, e.before) as content) w
      left join claim_types t on t.company_id = e.company_id and t.id::text = w.content ->> 'type_id'`

/** The reference of what a reversal undoes. */
const reversedOf = (tx: Tx) => tx`
  select r.note from transfers t
    join transfers r on r.company_id = t.company_id and r.id = t.undoes
    where t.company_id = e.company_id and t.id = nullif(e.row_id, '')::bigint`

/** The person whose row an entry is about, which an update does not say. */
const holderOf = (tx: Tx) => tx`(select p.full_name from profiles p where p.id = coalesce(
  e.after ->> 'person_id', e.before ->> 'person_id', ${contextOf(tx)} ->> 'person_id')::uuid)`

const reportOf = (tx: Tx) => tx`case when e.after ->> 'file' = 'reports.file' then coalesce(
  (select r.title from reports r where r.id = nullif(e.row_id, '')::uuid),
  (select l.after ->> 'title' from audit_log l where l.of_platform and l.table_name = 'reports'
    and l.act = 'insert' and l.row_id = e.row_id limit 1)) end`

/** The terms that a version of the policy took the place of. */
export const beforeOf = (tx: Tx) => tx`case when e.table_name = 'claim_policies'
  then (select to_jsonb(p) from claim_policies p where p.company_id = e.company_id
    and p.version = (e.after ->> 'version')::integer - 1) else e.before end`

/** Facts looked up only for entries that leave out what they are about. */
export const contextOf = (tx: Tx) => tx`case
  when e.erased_at is null and (e.table_name in ('transfers', 'saved_views')
    or e.act = 'update' and (e.table_name in ('balance_adjustments', 'company_rights', 'payment_blocks')
      or e.table_name = 'claims' and e.after ?| array['status', 'passed_by']))
  then entry_context(e.company_id, e.table_name, e.row_id, e.at) end`
