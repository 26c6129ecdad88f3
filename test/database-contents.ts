// All that a database holds, to be compared with another's: of another PostgreSQL, too.
import { quoted, schemas as ours, tablesOf } from '#backups/archive.server.ts'
import type { Sql } from '#lib/db.server.ts'

// A running server's own heartbeat goes on where the backup was made.
const heartbeats = [
  'private.processes',
  'private.response_minutes',
  'private.last_backup',
  'private.last_drill',
]

/**
 * Every table as one line: how many rows, and a hash over all of them. Then all that gives the
 * tables their shape.
 */
export async function contentsOf(sql: Sql): Promise<string[]> {
  return sql.begin(async (tx) => {
    await tx`set local timezone to 'UTC'`
    const tables = (await tablesOf(tx)).filter(({ name }) => !heartbeats.includes(name))
    const lines: string[] = []
    for (const { name } of tables) {
      const [row] = await tx.unsafe<[{ rows: number; hash: string }]>(
        `select count(*)::int as rows,
          md5(coalesce(string_agg(t::text, E'\\n' order by t::text collate "C"), '')) as hash
         from ${quoted(name)} t`,
      )
      lines.push(`${name} ${row.rows} ${row.hash}`)
    }
    // PostgreSQL 18 keeps `not null` as a constraint, those before it with the column.
    const shape = await tx<{ line: string }[]>`
      select line from (
        select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
          from pg_constraint where contype <> 'n' and connamespace = any (${ours}::regnamespace[])
        union all
        select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull)
          from pg_attribute a join pg_class c on c.oid = a.attrelid
          where a.attnum > 0 and not a.attisdropped and c.relkind = 'r'
            and c.relnamespace = any (${ours}::regnamespace[])
        union all
        select concat_ws(' ', tgrelid::regclass, tgname, tgenabled::text)
          from pg_trigger where not tgisinternal
        union all
        select concat_ws(' ', sequencename, coalesce(last_value, 0)) from pg_sequences) t
      order by line collate "C"`
    return [...lines, ...shape.map(({ line }) => line)]
  })
}
