// Disk space that a claim takes, with all that is written of it: by table and by index.
import type { Sql } from '#lib/db.server.ts'
import { record } from '../measure.ts'

type StoredPart = { name: string; of: string; bytes: number }

/** The tables and indexes of a database, the largest first. */
export const partsOf = (sql: Sql) => sql<StoredPart[]>`
  select c.oid::regclass::text as name, coalesce(i.indrelid::regclass, c.oid::regclass)::text as of,
      (case when i.indrelid is null then pg_table_size(c.oid) else pg_relation_size(c.oid) end)::float8 as bytes
    from pg_class c left join pg_index i on i.indexrelid = c.oid
    where c.relkind in ('r', 'i') and c.relnamespace in (
      select oid from pg_namespace where nspname in ('public', 'private', 'auth', 'graphile_worker'))
    order by bytes desc`

export async function storage(sql: Sql) {
  const [{ claims }] = await sql<[{ claims: number }]>`select count(*) as claims from claims`
  const parts = await partsOf(sql)
  const line = (name: string, bytes: number) =>
    record({
      workload: 'size',
      name,
      value: bytes / claims,
      unit: 'bytes a claim',
      goal: '',
      holds: () => true,
    })
  line(
    'the whole database',
    parts.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  for (const { name, of, bytes } of parts) {
    if (bytes / claims < 5) break
    line(name === of ? name : `${of}: index ${name}`, bytes)
  }
}
