// No sentence about a person outlives them by an oversight: what erasing empties is not in the record of changes either.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sql } from '#lib/db.server.ts'
import { testSql } from '../../test/database.ts'
import { about_a_person, left_out } from './about-a-person.ts'

let sql: Sql
let drop: () => Promise<void>
before(async () => {
  ;({ sql, drop } = await testSql())
})
after(() => drop())

/** The functions that erase, as the database has them. */
async function erasing(): Promise<string> {
  const found = await sql<{ text: string }[]>`
    select p.prosrc as text from pg_proc p
    where p.pronamespace = 'private'::regnamespace
        and p.proname like 'erase\\_%'
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
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and (t.typcategory = 'S' or t.typname in ('jsonb', '_text', '_claim_line'))
      and not exists (select from pg_constraint k where k.conrelid = c.oid
        and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\[')
      and not exists (select from pg_constraint k where k.contypid = t.oid
        and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\[')
    order by 1, 2`
}

/** The columns of each table that the record of changes leaves out. */
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
  const sentences = looked
    .filter(({ table }) => unsaid.has(table) && !erased.has(table))
    .filter(({ table, column }) => !unsaid.get(table)!.includes(column))
  assert.deepEqual(sentences, [])
})

/** Tables that lose rows, with tables whose rows are deleted by cascade. */
async function gone(text: string): Promise<Set<string>> {
  const cascading = await sql<{ part: string; of: string }[]>`
    select pn.nspname || '.' || p.relname as part, n.nspname || '.' || c.relname as of
    from pg_constraint k join pg_class p on p.oid = k.conrelid
      join pg_namespace pn on pn.oid = p.relnamespace join pg_class c on c.oid = k.confrelid
      join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and k.confdeltype = 'c'`
  const tables = new Set(removed(text))
  for (const table of tables) {
    for (const { part, of } of cascading) if (of === table) tables.add(part)
  }
  return tables
}

const of_the_trade = 'a word of the trade, nobody’s sentence'
const of_the_company = 'the company’s own'
const for_others = 'names who of HR or of the provider did something for others'
/** Columns that can hold words, stand beside a person and stay when they are erased: each with its reason. */
const kept: Record<string, string> = {
  'auth.audit_log_entries.action': of_the_trade,
  'auth.sso_codes.code_challenge': 'a hash, gone after a day',
  'auth.sso_codes.sid': 'a number, gone after a day',
  'auth.sso_codes.subject': 'a number, gone after a day',
  'auth.users.aud': of_the_trade,
  'auth.users.role': of_the_trade,
  'public.accounts.category': of_the_trade,
  'public.accounts.kind': of_the_trade,
  'public.audit_log.actor_role': of_the_trade,
  'public.audit_log.after': 'erased by `private.erase_entries`',
  'public.audit_log.before': 'erased by `private.erase_entries`',
  'public.audit_log.request_id': 'a number',
  'public.audit_log.row_id': 'a number',
  'public.audit_log.table_name': of_the_trade,
  'public.claims.type_name': 'the type of a claim stays with its amounts',
  'public.companies.country': of_the_company,
  'public.companies.currency': of_the_company,
  'public.companies.domain': of_the_company,
  'public.companies.name': of_the_company,
  'public.companies.region': of_the_company,
  'public.companies.time_zone': of_the_company,
  'public.company_accounts.holder': of_the_company,
  'public.company_accounts.iban': of_the_company,
  'public.erasures.gone': 'how much went, by kind',
  'public.identity_providers.certificates': of_the_company,
  'public.identity_providers.client_id': of_the_company,
  'public.identity_providers.department_rules': of_the_company,
  'public.identity_providers.ending': of_the_company,
  'public.identity_providers.issuer': of_the_company,
  'public.identity_providers.second_step_by': of_the_company,
  'public.identity_providers.sign_in_url': of_the_company,
  'public.identity_providers.sign_out_url': of_the_company,
  'public.import_rows.reason': of_the_trade,
  'public.imports.encoding': for_others,
  'public.imports.file_name': for_others,
  'public.pay_withholdings.category': of_the_trade,
  'public.people_sources.host_key': of_the_company,
  'public.people_sources.host_key_met': of_the_company,
  'public.people_sources.login': of_the_company,
  'public.people_sources.url': of_the_company,
  'public.reports.fault': for_others,
  'public.reports.title': for_others,
  'public.scim_groups.department': of_the_company,
  'public.scim_groups.display_name': of_the_company,
  'public.scim_groups.external_id': of_the_company,
  'public.transfers.cause': 'an event and numbers',
  'public.transfers.event': of_the_trade,
  'public.transfers.note': 'sealed: of a person’s entries by which plan a grant was, no more',
}

test('words that stand beside a person go with them, or stay for a reason', async () => {
  const text = await erasing()
  const [columns, tables] = [new Set(emptied(text)), await gone(text)]
  const about = new Set(
    [...about_a_person.flatMap((entry) => entry.tables), ...Object.keys(left_out)].map(named),
  )
  const staying = (await wording())
    .filter(({ table }) => about.has(table) && !tables.has(table))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !columns.has(name))
  assert.deepEqual(staying.toSorted(), Object.keys(kept).toSorted())
})
