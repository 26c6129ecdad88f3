// Background work for the record of changes: its seals, and writing them to the log.
import type { Sql } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'

const entries_at_once = 5000

/** Seals what was written since the last time, and runs again in a moment. The schedule starts it if it was not running. */
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

type Head = { chain: string; of: 'record' | 'ledger'; number: number; hash: string }

/**
 * Writes the newest seal of each chain that has grown to the log, every hour. A log kept elsewhere shows what the database alone
 * can't: that the end of a chain was cut off, or all of it written again (docs/running.md).
 */
export function logSeals(): Task {
  const logged = new Map<string, string>()
  return async (_, { sql, log }) => {
    const heads = await sql<Head[]>`
      select company_id as chain, 'record' as of, number, encode(hash, 'hex') as hash from audit_heads
      union all
      select company_id, 'ledger', number, encode(hash, 'hex') from ledger_heads`
    for (const head of heads) {
      const key = `${head.of} ${head.chain}`
      if (logged.get(key) === head.hash) continue
      logged.set(key, head.hash)
      log.info(head, 'newest seal')
    }
  }
}
