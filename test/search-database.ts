// Looks for words in the whole database, as somebody would who has stolen it.
import type { Sql } from '#lib/db.server.ts'

/** Where any of these words is, in any column of any table of the whole database. */
export async function searchDatabase(sql: Sql, words: string[]): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `select t::text as row from ${name} t where t::text ~* $1`,
      [words.join('|')],
    )
    for (const { row } of rows) found.push(`${name}: ${row}`)
  }
  return found
}
