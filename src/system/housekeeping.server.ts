// Deletes once an hour what has been kept long enough, some thousand rows at a time, and records how much.
import type { Sql, Tx } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import type { Days, RetentionRule } from '#lib/retention.ts'

const rows_at_once = 5000
/** After so many batches the rest waits for the next hour. */
const batches_at_once = 40

type Due = { days: number; most: number }
type Drop = (tx: Tx, due: Due) => Promise<number>

/** Each drops the oldest of what is over its days. */
const drops: Record<RetentionRule, Drop> = {
  answers: (tx, { days, most }) =>
    tx`delete from answered_requests where ctid = any (array(
    select ctid from answered_requests where at < now() - ${days}::int * interval '1 day'
    order by at limit ${most}))`.affected(),
  exports: (tx, { days, most }) =>
    tx`delete from data_exports where id = any (array(
    select id from data_exports where status in ('ready', 'failed')
      and coalesce(made_at, requested_at) < now() - ${days}::int * interval '1 day' limit ${most}))`.affected(),
  mails: (tx, { days, most }) =>
    tx`delete from mails where id = any (array(
    select id from mails where at < now() - ${days}::int * interval '1 day' order by id limit ${most}))`.affected(),
  suspects: (tx, { days, most }) =>
    tx`delete from inquiries where id = any (array(
    select id from inquiries where suspect and received_at < now() - ${days}::int * interval '1 day'
    limit ${most}))`.affected(),
  deliveries: (tx, { days, most }) =>
    tx`delete from webhook_deliveries where id = any (array(
    select id from webhook_deliveries where status <> 'waiting'
      and made_at < now() - ${days}::int * interval '1 day' order by made_at limit ${most}))`.affected(),
  scim_calls: (tx, { days, most }) =>
    tx`delete from scim_calls where id = any (array(
    select id from scim_calls where at < now() - ${days}::int * interval '1 day'
    order by at limit ${most}))`.affected(),
  // The file stays in HR's list; who was in it does not.
  file_rows: (tx, { days, most }) =>
    tx`delete from import_rows where ctid = any (array(
    select r.ctid from imports i
      join import_rows r on r.company_id = i.company_id and r.import_id = i.id
    where i.touched_at < now() - ${days}::int * interval '1 day'
      and i.status not in ('reading', 'importing', 'undoing') limit ${most}))`.affected(),
  inquiries: (tx, { days, most }) =>
    tx`delete from inquiries where id = any (array(
    select id from inquiries where received_at < now() - ${days}::int * interval '1 day' limit ${most}))`.affected(),
  sign_ins: (tx, { days, most }) =>
    tx`delete from auth.audit_log_entries where id = any (array(
    select id from auth.audit_log_entries where at < now() - ${days}::int * interval '1 day'
    order by id limit ${most}))`.affected(),
  // Rows are found by their key: the ctid of one that is marked as mailed at this moment changes.
  notifications: (tx, { days, most }) =>
    tx`delete from notifications where (person_id, id) in (
    select person_id, id from notifications where at < now() - ${days}::int * interval '1 day'
    limit ${most})`.affected(),
  reports: (tx, { days, most }) =>
    tx`delete from reports where id = any (array(
    select id from reports where status in ('ready', 'failed')
      and created_at < now() - ${days}::int * interval '1 day' limit ${most}))`.affected(),
  receipts: (tx, { days, most }) =>
    tx`delete from receipts where ctid = any (array(
    select r.ctid from plan_years y
      join claims c on c.company_id = y.company_id and c.plan_year = y.starts_on
        and c.status <> 'pending' and private.is_to_be_paid(c.payment) is not true
      join receipts r on r.company_id = c.company_id and r.claim_id = c.id
    where y.ends_on < current_date - ${days}::int limit ${most}))`.affected(),
  record: async (tx, { days, most }) => {
    const [dropped] = await tx<[{ count: number }]>`
      select private.delete_old_entries(now() - ${days}::int * interval '1 day', ${most}) as count`
    return dropped.count
  },
}

/** `days`: how long each kind is kept. */
export const housekeeping =
  (days: Days): Task =>
  async (_, { sql }) => {
    await sql`select auth.delete_expired()`
    for (const [rule, drop] of Object.entries(drops) as [RetentionRule, Drop][]) {
      await dropAll(sql, rule, drop, days[rule])
    }
  }

async function dropAll(sql: Sql, rule: RetentionRule, drop: Drop, days: number) {
  for (let batch = 0; batch < batches_at_once; batch += 1) {
    const dropped = await sql.begin(async (tx) => {
      const count = await drop(tx, { days, most: rows_at_once })
      if (count > 0)
        await tx`insert into drops (rule, days, rows) values (${rule}, ${days}, ${count})`
      return count
    })
    if (dropped < rows_at_once) return
  }
}
