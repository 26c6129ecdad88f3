// Once an hour: what has served its time goes.
import type { Task } from '#lib/jobs.server.ts'

export const housekeeping: Task = async (_, { sql }) => {
  await sql`delete from answered_requests where at < now() - interval '1 day'`
  await sql`select auth.tidy()`
  await sql`delete from leads where received_at < now() - interval '1 year'
    or suspect and received_at < now() - interval '30 days'`
  await sql`delete from mails where at < now() - interval '30 days'`
}
