// No sentence about a person outlives them by an oversight: what erasing empties is not in the record of changes either.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sql } from '#lib/db.server.ts'
import { testSql } from '../../test/database.ts'

let sql: Sql
let drop: () => Promise<void>
before(async () => {
  ;({ sql, drop } = await testSql())
})
after(() => drop())

/** What the functions that erase do, as the database has them. */
async function erasing(): Promise<string> {
  const found = await sql<{ text: string }[]>`
    select p.prosrc as text from pg_proc p
    where p.pronamespace = 'private'::regnamespace
        and (p.proname like 'erase\\_%' or p.proname = 'forget_everywhere')
      or p.proname = 'approve_erasure'`
  return found.map(({ text }) => text.replaceAll(/--.*$/gm, '')).join('\n')
}

const named = (table: string) => (table.includes('.') ? table : `public.${table}`)

/** Columns that are set to nothing, or to one word for everybody. */
function emptied(text: string): string[] {
  const updates = text.matchAll(/\bupdate\s+([\w.]+)\s+(?:\w+\s+)?set\s+(.*?)\s(?:where|from)\s/gs)
  return [...updates].flatMap(([, table, set]) =>
    [...set!.matchAll(/(?<=^|,)\s*(\w+)\s*=\s*(?:null|'[^']*')(?=\s*(?:,|$))/g)].map(
      ([, column]) => `${named(table!)}.${column}`,
    ),
  )
}

const removed = (text: string): string[] =>
  [...text.matchAll(/\bdelete\s+from\s+([\w.]+)/g)].map(([, table]) => named(table!))

/** Columns that hold words: not those of which a check names all there can be. */
async function wording(): Promise<{ table: string; column: string }[]> {
  return sql`
    select n.nspname || '.' || c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'auth', 'private')
      and a.attnum > 0 and not a.attisdropped
      and (t.typcategory = 'S' or t.typname in ('jsonb', '_text', '_claim_line'))
      and not exists (select from pg_constraint k where k.conrelid = c.oid
        and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\[')
      and not exists (select from pg_constraint k where k.contypid = t.oid
        and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\[')
    order by 1, 2`
}

/** What the record of changes never says of each table it is kept of. */
async function hidden(): Promise<Map<string, string[]>> {
  const triggers = await sql<{ table: string; args: string }[]>`
    select n.nspname || '.' || c.relname as table, encode(g.tgargs, 'hex') as args
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
      join pg_namespace n on n.oid = c.relnamespace where g.tgname = 'audit'`
  return new Map(
    triggers.map(({ table, args }) => [table, Buffer.from(args, 'hex').toString().split('\0')]),
  )
}

/** Tables of which the entries about a person are erased with them. */
async function cleaned(): Promise<Set<string>> {
  const [{ text }] = await sql<[{ text: string }]>`
    select pg_get_functiondef('private.entries_about(uuid)'::regprocedure) as text`
  return new Set([...text.matchAll(/'(\w+)'::text/g)].map(([, table]) => `public.${table}`))
}

test('the record of changes has no words that are erased where they were written', async () => {
  const text = await erasing()
  const [words, unsaid, erased] = [await wording(), await hidden(), await cleaned()]
  const gone = new Set(emptied(text))
  const tables = new Set(removed(text))
  const looked = words.filter(
    ({ table, column }) => gone.has(`${table}.${column}`) || tables.has(table),
  )
  assert.ok(looked.length > 60, 'the functions are read')
  const told = looked
    .filter(({ table }) => unsaid.has(table) && !erased.has(table))
    .filter(({ table, column }) => !unsaid.get(table)!.includes(column))
  assert.deepEqual(told, [])
})
