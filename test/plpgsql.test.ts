// Every statement in every function in PL/pgSQL is parsed against the schema, as PostgreSQL does only when it runs.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client, type DatabaseError } from 'pg'
import { columnsOf } from './columns-of.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { piecesOf } from './plpgsql.ts'

type Routine = {
  name: string
  bare: string
  source: string
  path: string
  names: string[] | null
  types: string[]
  of_table: string | null
  /** Transition tables of its triggers. */
  transition_tables: string[]
}

describe('functions in PL/pgSQL', () => {
  let database: TestDatabase
  let client: Client
  before(async () => {
    database = await testDatabase()
    client = new Client(database.url)
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const routines = async (): Promise<Routine[]> => {
    const { rows } = await client.query<Routine>(`
    select p.oid::regprocedure::text as name, p.proname as bare, p.prosrc as source,
      coalesce((select substring(c from 13) from unnest(p.proconfig) c where c like 'search_path=%'),
        'public, pg_catalog') as path, p.proargnames as names,
      array(select format_type(t, null) from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) t) as types,
      (select min(t.tgrelid::regclass::text) from pg_trigger t where t.tgfoid = p.oid) as of_table,
      array(select distinct n from pg_trigger t, unnest(array[t.tgoldtable, t.tgnewtable]::text[]) n
        where t.tgfoid = p.oid and n is not null) as transition_tables
    from pg_proc p join pg_language l on l.oid = p.prolang
    where l.lanname = 'plpgsql' and p.pronamespace::regnamespace::text in ('public', 'auth', 'private')
    order by 1`)
    return rows
  }

  test('say nothing that the schema does not know', async () => {
    const wrong: string[] = []
    let looked = 0
    const all = await routines()
    // One function reads the temporary tables of another: they are made first, without rows.
    const makers = all.filter(({ source }) => source.includes('create temp table'))
    for (const routine of [...makers, ...makers]) await check(client, routine)
    for (const routine of all) {
      const checked = await check(client, routine)
      looked += checked.looked
      wrong.push(...checked.wrong.map((text) => `${routine.name}: ${text}`))
    }
    assert.ok(looked > 1000, `only ${looked} statements were looked at`)
    assert.deepEqual(wrong, [])
  })

  test('and would be told of: a column, a table, a function or a field that is not there', async () => {
    await client.query(`create function wrong(company uuid, cents bigint) returns claims
      language plpgsql set search_path = public, pg_catalog, pg_temp as $$
      declare
        c claims;
        p record;
      begin
        select * into c from claims x where x.company_id = company and x.amount_cents = wrong.cents;
        select 1 into c from claims where nothing = company;
        for p in select id, status from profiles loop
          perform missing(p.id), publish(p.status);
          if p.stage = 'x' then c.amount_cents := c.amounts_cents + cents; end if;
        end loop;
        insert into nowhere values (cents);
        return c;
      end $$`)
    const routine = (await routines()).find(({ bare }) => bare === 'wrong')
    const { wrong } = await check(client, routine!)
    assert.deepEqual(
      wrong.map((text) => text.split(' in: ')[0]),
      [
        'column "nothing" does not exist',
        'function missing(uuid) does not exist',
        'missing FROM-clause entry for table "p"',
        'column "amounts_cents" not found in data type claims',
        'relation "nowhere" does not exist',
      ],
    )
    await client.query('drop function wrong(uuid, bigint)')
  })
})

const of_each = {
  found: 'boolean',
  sqlerrm: 'text',
  sqlstate: 'text',
  tg_name: 'text',
  tg_op: 'text',
  tg_table_name: 'text',
  tg_nargs: 'integer',
  tg_argv: 'text[]',
}

async function check(client: Client, routine: Routine) {
  const { declared, pieces } = piecesOf(routine.source)
  const variables = new Map<string, string>([...Object.entries(of_each), ...declared])
  routine.names?.forEach((name, at) => variables.set(name, routine.types[at] ?? 'record'))
  if (routine.of_table) for (const name of ['new', 'old']) variables.set(name, routine.of_table)
  await client.query(`set search_path = ${routine.path}`)
  const wrong: string[] = []
  // The fields of a record that a dynamic statement fills can't be known.
  const built = [...routine.source.matchAll(/\bexecute\b[^;]*\binto (\w+)/g)].map(
    ([, name]) => name,
  )
  const isOfBuilt = (text: string) =>
    built.some((name) => variables.get(name ?? '') === 'record' && text.includes(`${name}.`))
  const records = new Map<string, Map<string, string>>()
  let looked = 0
  for (const { sql: text, into } of pieces) {
    if (isOfBuilt(text)) continue
    looked += 1
    const found = await analyse(client, {
      text: withSeen(text, routine),
      variables,
      records,
      bare: routine.bare,
    })
    if (found.fault) wrong.push(`${found.fault} in: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
    if (into && /^\w+$/.test(into) && variables.get(into) === 'record')
      records.set(into, found.columns)
    if (text.startsWith('create temp table') && !found.fault) await makeEmpty(client, found.text)
  }
  await client.query('reset search_path')
  return { looked, wrong }
}

/** A transition table is there only while its trigger runs: here its table stands for it. */
function withSeen(text: string, { transition_tables, of_table }: Routine): string {
  const used = transition_tables.filter((name) =>
    new RegExp(`\\b(from|join)\\s+${name}\\b`).test(text),
  )
  if (used.length === 0) return text
  const first = used.map((name) => `${name} as (select * from ${of_table})`).join(', ')
  return /^\s*with\b/.test(text)
    ? text.replace(/^\s*with\b/, `with ${first},`)
    : `with ${first} ${text}`
}

type RoutineText = {
  text: string
  variables: Map<string, string>
  records: Map<string, Map<string, string>>
  bare: string
}
type Analysis = { fault?: string; text: string; columns: Map<string, string> }

async function makeEmpty(client: Client, text: string) {
  const [, name] = /^create temp table (\w+)/.exec(text) ?? []
  await client.query(`drop table if exists pg_temp.${name}`)
  await client.query(`${text.replace('on commit drop', '')} with no data`)
}

/** A name that is no column is a variable: PostgreSQL says where it stands, and a null of its type takes its place. */
async function analyse(client: Client, routine: RoutineText): Promise<Analysis> {
  let { text } = routine
  for (let tries = 0; tries < 80; tries += 1) {
    try {
      const columns = await columnsOf(client, text)
      return { text, columns: await typesOf(client, columns) }
    } catch (error) {
      const next = fixed(text, error as DatabaseError, routine)
      if (next === undefined) return { text, fault: (error as Error).message, columns: new Map() }
      text = next
    }
  }
  return { text, fault: 'too many variables', columns: new Map() }
}

function fixed(text: string, error: DatabaseError, { variables, records, bare }: RoutineText) {
  // no such column; no such table, where a record's field was meant
  if (!['42703', '42P01'].includes(error.code ?? '') || !error.position) return undefined
  const at = Number(error.position) - 1
  const [whole = '', first = '', second] = /^(\w+)(?:\.(\w+|\*))?/.exec(text.slice(at)) ?? []
  const put = (type: string, length: number) =>
    `${text.slice(0, at)}(null::${type})${text.slice(at + length)}`
  if (first === bare && second && variables.has(second))
    return put(variables.get(second) ?? '', whole.length)
  const type = variables.get(first)
  if (!type) return undefined
  if (type !== 'record') return put(type, first.length)
  const field = second && records.get(first)?.get(second)
  return field ? put(field, whole.length) : undefined
}

async function typesOf(client: Client, columns: { name: string; type: number }[]) {
  const types = new Map<string, string>()
  for (const { name, type } of columns) {
    const { rows } = await client.query<{ type: string }>('select format_type($1, null) as type', [
      type,
    ])
    types.set(name, rows[0]!.type)
  }
  return types
}
