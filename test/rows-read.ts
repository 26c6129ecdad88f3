// How many rows of these tables were looked at since the database began, one by one or by an index.
import type { Sql } from '#lib/db.server.ts'
import type { Scene } from './scene.ts'

export async function rowsRead({ sql, house }: Scene, ...tables: string[]): Promise<number> {
  await Promise.all([...new Set([sql, ...Object.values(house.sql)])].map(tellCounts))
  const [found] = await sql<[{ rows: number }]>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as rows
    from pg_stat_user_tables where schemaname = 'public' and relname = any (${tables})`
  return found.rows
}

/** A connection tells its counts about once a second, or when it is asked to: all of them are. */
async function tellCounts(sql: Sql) {
  const lines: Awaited<ReturnType<typeof sql.pool.take>>[] = []
  while (lines.length < sql.pool.open) lines.push(await sql.pool.take())
  // Each takes long enough for none to be asked twice while another is not.
  const asked = Array.from(
    { length: sql.options.max },
    () => sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`,
  )
  await Promise.all([...asked, ...lines.map(({ tx }) => tx`select pg_stat_force_next_flush()`)])
  for (const line of lines) sql.pool.give(line)
}
