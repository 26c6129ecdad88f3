// What follows the record of changes in the background: its seals.
import type { Sql } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'

const entries_at_once = 5000

/** Seals what was written since, and comes back in a moment. The clock starts it where it was not running. */
export const sealAudit: Task = async (_, { sql }) => {
  await sealEntries(sql)
  await sql`
    select add_job('audit:seal', key => 'audit:seal', run_at => now() + interval '3 seconds')`
}

export async function sealEntries(sql: Sql) {
  for (;;) {
    const [done] = await sql<[{ sealed: number }]>`
      select seal_audit(${entries_at_once}) as sealed`
    if (done.sealed < entries_at_once) return
  }
}
