// The repository tests itself: what keeps the door open to spreading companies over machines (docs/scale.md). It costs nothing on
// one machine. What breaks a rule today may become less, and nothing new may break it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SqlPart, Sql } from '#lib/db.server.ts'
import { testSql } from './database.ts'

describe('companies could be spread', () => {
  let sql: Sql
  let drop: () => Promise<void>
  before(async () => {
    ;({ sql, drop } = await testSql())
  })
  after(() => drop())

  const schemas = ['public', 'private', 'auth']
  const ours = (): SqlPart => sql`
    p.pronamespace::regnamespace::text = any (${schemas})
    and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')`
  const names = async (rows: PromiseLike<readonly { name: string }[]>) =>
    (await rows).map(({ name }) => name).toSorted()
  const atMost = (most: number, found: string[], rule: string) =>
    assert.ok(found.length <= most, `${rule}: ${found.length} and not ${most}: ${found.join(', ')}`)

  test('no more functions take a whole row: the row of a part of a table is of another type', async () => {
    const found = await names(sql<{ name: string }[]>`
      select p.oid::regprocedure::text as name from pg_proc p where ${ours()}
        and exists (select from unnest(p.proargtypes) t join pg_type y on y.oid = t
          join pg_class c on c.oid = y.typrelid where c.relkind in ('r', 'p', 'v'))`)
    // Refusals and acts of one thing, which has been read and locked: rewriting all of them pays only with an engine.
    atMost(116, found, 'give what it needs of the row')
  })

  test('no more functions know the company from who asks alone: give it as an argument', async () => {
    const found = await names(sql<{ name: string }[]>`
      select p.oid::regprocedure::text as name from pg_proc p where ${ours()}
        and coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) ~ 'actor_company\\(\\)'`)
    atMost(144, found, 'compare the argument with actor_company()')
  })

  test('no more functions write in the select list of a query over a table: read first, call after', async () => {
    const routines = await sql<{ name: string; id: string; writes: boolean; body: string }[]>`
      select p.proname as name, p.oid::regprocedure::text as id,
        p.provolatile = 'v' and p.prorettype <> 'trigger'::regtype as writes,
        coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as body from pg_proc p where ${ours()}`
    const writing = new Set(routines.filter(({ writes }) => writes).map(({ name }) => name))
    const found = routines
      .filter(({ body }) => listsOf(body).some((list) => callsIn(list).some((n) => writing.has(n))))
      .map(({ id }) => id)
    atMost(29, found.toSorted(), 'a query that writes runs where its rows are')
  })

  test('triggers that see a statement’s rows as a table are these', async () => {
    const found = await names(sql<{ name: string }[]>`
      select tgrelid::regclass || '.' || tgname as name from pg_trigger
      where tgoldtable is not null or tgnewtable is not null`)
    assert.deepEqual(found, counted_by_statement)
  })

  test('what is unique is unique within the company, but for these', async () => {
    const found = await names(sql<{ name: string }[]>`
      select i.indexrelid::regclass::text as name from pg_index i
        join pg_class c on c.oid = i.indrelid
        join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'company_id'
          and not a.attisdropped
      where i.indisunique and not a.attnum = any (i.indkey::int2[])
        and c.relnamespace::regnamespace::text = any (${schemas})`)
    assert.deepEqual(found, Object.keys(unique_everywhere).toSorted())
  })

  test('numbers that a sequence of the installation gives to companies’ rows are no names that people say', async () => {
    const found = await names(sql<{ name: string }[]>`
      select a.attrelid::regclass::text as name from pg_attribute a
        join pg_class c on c.oid = a.attrelid
      where a.attidentity <> '' and c.relnamespace::regnamespace::text = any (${schemas})
        and exists (select from pg_attribute b where b.attrelid = a.attrelid
          and b.attname = 'company_id')`)
    assert.deepEqual(found, numbered_together)
  })

  test('one check waits for the end of a transaction, and none is a trigger', async () => {
    const found = await names(sql<{ name: string }[]>`
      select conname as name from pg_constraint
        where condeferrable and connamespace::regnamespace::text = any (${schemas})
      union all select tgname from pg_trigger where tgconstraint <> 0 and not tgisinternal`)
    assert.deepEqual(found, ['group_plan_order']) // plans of groups change places with each other
  })
})

/** The text between `select` or `perform` and the name of a table that it reads. */
function listsOf(body: string): string[] {
  const plain = body.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')
  const list = String.raw`((?:(?!\b(?:from|select)\b)[^;])*?)`
  const query = String.raw`\b(?:select|perform)\b${list}\bfrom\b (?!\()(?:only )?[\w.]+(?![\w.(])`
  return [...plain.matchAll(new RegExp(query, 'gi'))].map(([, found = '']) => found)
}

const callsIn = (text: string) => [...text.matchAll(/(\w+) ?\(/g)].map(([, name]) => name!)

/** Triggers that count, notify or admit once for a statement of many rows; for each row that cost many times as much. */
const counted_by_statement = [
  'auth.sessions.publish_ended_sessions',
  'auth.users.accounts_made',
  'employee_group_people.plan_of_picked',
  'employee_group_people.plan_of_taken_out',
  'fund_alerts.notify_alerts',
  'grants.count_waiting_after_delete',
  'grants.count_waiting_after_insert',
  'grants.count_waiting_after_update',
  'grants.enroll_dependents',
  'grants.publish_changed_grants',
  'profiles.count_people_after_delete',
  'profiles.count_people_after_insert',
  'profiles.count_people_after_update',
  'profiles.join_funds',
  'profiles.join_funds_later',
]

const unique_everywhere = {
  profiles_pkey: 'an account, of which a person may have no company yet',
  check_providers_pkey: 'one of the platform is every company’s',
  check_slots_pkey: 'likewise',
  slot_already_there: 'likewise',
  audit_log_pkey: 'the platform’s own changes are in it too',
  'private.forgetting_pkey': 'of an account',
  api_key_secrets_hash_key: 'a key says which company it is of',
  domain_proven_twice: 'a domain leads to one company',
  identity_providers_id_key: 'its address names no company',
}

const numbered_together = [
  'accounts',
  'audit_erasures',
  'audit_log',
  'claim_changes',
  'dependent_events',
  'fund_alerts',
  'pay_withholdings',
  'people_fetches',
  'receipt_openings',
  'scim_calls',
  'transfers',
  'webhook_deliveries',
]
