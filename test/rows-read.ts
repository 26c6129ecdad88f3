// How many rows of these tables were looked at since the database began, one by one or by an index.
import assert from 'node:assert/strict'
import type { Sql } from '#lib/db.server.ts'
import type { Scene } from './world/scene.ts'

export async function rowsRead({ sql, services }: Scene, ...tables: string[]): Promise<number> {
  await Promise.all([...new Set([sql, ...Object.values(services.sql)])].map(flushCounts))
  const [found] = await sql<[{ rows: number }]>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as rows
    from pg_stat_user_tables where schemaname = 'public' and relname = any (${tables})`
  return found.rows
}

/** How many more by these acts. */
export async function rowsReadBy(
  scene: Scene,
  tables: string[],
  acts: (() => Promise<unknown>)[],
): Promise<number> {
  const before = await rowsRead(scene, ...tables)
  for (const act of acts) await act()
  return (await rowsRead(scene, ...tables)) - before
}

/** Each of the questions by itself: in a sum of many one that reads a whole table would not be seen. */
export async function eachReadsBelow<Input>(
  scene: Scene,
  tables: string[],
  most: number,
  ask: (input: Input) => Promise<unknown>,
  inputs: readonly Input[],
) {
  for (const input of inputs) {
    const rows = await rowsReadBy(scene, tables, [() => ask(input)])
    assert.ok(rows < most, `${JSON.stringify(input)}: ${rows} rows`)
  }
}

/** A connection tells its counts about once a second, or when it is asked to: all of them are. */
async function flushCounts(sql: Sql) {
  for (const pool of [sql.pool, sql.single]) {
    const lines: Awaited<ReturnType<typeof pool.take>>[] = []
    while (lines.length < pool.open) lines.push(await pool.take())
    await Promise.all(lines.map(({ tx }) => tx`select pg_stat_force_next_flush()`))
    for (const line of lines) pool.give(line)
  }
}
