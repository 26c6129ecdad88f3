// The record of changes, as it would read had the year been lived: what the play took from the calendar on the wall,
// or wrote past the acts, has the day and the person it stands for.
import type { Sql } from '#lib/db.server.ts'

/** Days that entries tell of are those of the rows, which follow the moments they were played for. */
const days = [
  { table: 'pay_runs', fields: ['cut_off_on', 'pay_on'] },
  { table: 'claims', fields: ['paid_on'] },
  { table: 'dependents', fields: ['added_on'] },
  { table: 'profiles', fields: ['joined_on'] },
] as const

/** Writes entries before they are sealed. */
export async function writeRecord(sql: Sql) {
  // HR's file has no day of joining: the play wrote it, and nobody changed it.
  await sql`delete from audit_log where actor_role = 'system' and act = 'update'
    and table_name = 'profiles' and after ? 'joined_on'`
  for (const { table, fields } of days)
    await sql`
      update audit_log l set after = l.after || (
          select jsonb_object_agg(f.key, f.value) from jsonb_each(to_jsonb(r)) f
          where f.key = any (${fields}) and jsonb_typeof(l.after -> f.key) = 'string')
      from ${sql(table)} r
      where l.table_name = ${table} and l.row_id = r.id::text
        and coalesce(l.company_id = r.company_id, true) -- who signs up is at no company yet
        and exists (select from jsonb_each(l.after) f
          where f.key = any (${fields}) and jsonb_typeof(f.value) = 'string')`
  // Accounts are given by whose they are, and their passwords nobody has.
  await sql`
    update audit_log l set actor_id = p.id, actor_role = p.role from profiles p
    where l.actor_role = 'system' and l.act = 'insert' and (
      l.table_name = 'bank_accounts' and p.id = (l.after ->> 'person_id')::uuid
      or l.table_name = 'company_accounts' and p.id = (select a.id from profiles a
        where a.company_id = l.company_id and a.role = 'company_admin'
        order by a.created_at, a.id limit 1))`
  // Each from one place: addresses that are nobody's, kept for examples.
  await sql`
    update audit_log set address = '203.0.113.' || 1 + abs(hashtext(actor_id::text)::bigint) % 254
    where actor_id is not null and coalesce(address, '') = ''`
  await sql`
    update auth.users u set last_sign_in_at = l.at
    from (select actor_id, max(at) as at from audit_log group by actor_id) l
    where l.actor_id = u.id and u.last_sign_in_at is null`
}
