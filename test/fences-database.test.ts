// The repository tests itself: what every table of the database has.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Sql } from '#lib/db.server.ts'
import { problems } from '#problems.ts'
import { testSql } from './database.ts'
import { read, sql_files, unlikeExceptions } from './sources.ts'

describe('the database', () => {
  let sql: Sql
  let drop: () => Promise<void>
  before(async () => {
    ;({ sql, drop } = await testSql())
  })
  after(() => drop())

  const tables = () => sql<{ name: string; rls: boolean; comment: string | null; oid: number }[]>`
    select c.oid::int, n.nspname || '.' || c.relname as name, c.relrowsecurity as rls,
      obj_description(c.oid, 'pg_class') as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'auth', 'private') and not c.relispartition`

  test('every table has row-level security and a sentence', async () => {
    for (const { name, rls, comment } of await tables()) {
      assert.ok(rls, `${name} has no row-level security`)
      assert.ok(comment && comment.length > 20, `${name} has no sentence`)
    }
  })

  test('every table of the business is audited', async () => {
    const audited = await sql<{ name: string }[]>`
      select tgrelid::regclass::text as name from pg_trigger where tgfoid = 'audited'::regproc`
    const names = new Set(audited.map(({ name }) => name))
    const business = (await tables()).map(({ name }) => name).filter((n) => n.startsWith('public.'))
    const missing = business.map((n) => n.slice(7)).filter((n) => !names.has(n))
    assert.deepEqual(unlikeExceptions(missing, unaudited), [])
  })

  test('what a company owns has the company in its primary key and in every key to it', async () => {
    const keys = await sql<{ name: string; kind: string; columns: string[]; to: string | null }[]>`
      select c.conrelid::regclass::text as name, c.contype::text as kind,
        nullif(c.confrelid, 0)::regclass::text as "to",
        to_json(array(select a.attname from unnest(c.conkey) with ordinality k(num, at)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num order by k.at)) as columns
      from pg_constraint c join pg_namespace n on n.oid = c.connamespace
      where n.nspname = 'public' and c.contype in ('p', 'f')`
    const owned = keys.filter((k) => k.kind === 'p' && k.columns[0] === 'company_id')
    const owned_names = new Set(owned.map(({ name }) => name))
    const with_company = await sql<{ name: string }[]>`
      select attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = attrelid
      where attname = 'company_id' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`
    const not_first = with_company.map(({ name }) => name).filter((name) => !owned_names.has(name))
    assert.deepEqual(
      unlikeExceptions(not_first, untenanted),
      [],
      'company_id is not first in its key',
    )
    for (const key of keys.filter(
      (k) => k.kind === 'f' && owned_names.has(k.name) && owned_names.has(k.to ?? ''),
    )) {
      assert.equal(key.columns[0], 'company_id', `${key.name} → ${key.to}`)
    }
  })

  test('who sets a search path looks at temporary tables last: each definer, and what is read when it runs', async () => {
    const routines = await sql<{ name: string; needs: boolean; path: string | null }[]>`
      select p.oid::regprocedure::text as name, (select substring(c from 13)
          from unnest(p.proconfig) c where c like 'search_path=%') as path,
        p.prosecdef or p.prosqlbody is null and l.lanname in ('sql', 'plpgsql') as needs
      from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace::regnamespace::text in ('public', 'auth', 'private')
        and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')`
    const wrong = routines.filter(({ needs, path }) =>
      path === null ? needs : !path.endsWith(', pg_temp'),
    )
    assert.deepEqual(wrong, [])
  })

  test('what a list asks of each of its claims is inlined, which a query within it would end', async () => {
    const plan = await sql<{ 'QUERY PLAN': string }[]>`
      explain (verbose) select claim_refusal_given('approve', c, c.person_id, c.passed_by),
        claim_refusal_given('reverse', c, c.person_id, c.passed_by) from claims c`
    const called = plan.filter((line) => line['QUERY PLAN'].includes('claim_refusal_given('))
    assert.deepEqual(called, [])
  })

  test('a routine has at most five parameters: what is more travels as a record, by names', async () => {
    const wide = await sql<{ name: string }[]>`
      select p.proname as name from pg_proc p
      where p.pronargs > 5 and p.pronamespace::regnamespace::text in ('public', 'auth', 'private')
        and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')`
    assert.deepEqual(
      wide.map(({ name }) => name),
      [],
    )
  })

  test('the logins of requests own nothing and cannot go around row security', async () => {
    const logins = await sql`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
        (select count(*) from pg_class where relowner = r.oid)::int as owned
      from pg_roles r where rolname in ('healthfund_request', 'healthfund_key')`
    const nothing = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      owned: 0,
    }
    assert.deepEqual(
      logins.map((login) => ({ ...login })),
      [nothing, nothing],
    )
  })

  test('what is unique is refused in words, passed over by its name, or never met twice', async () => {
    const unique = await sql<{ name: string }[]>`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indisunique and not i.indisprimary
        and c.relnamespace::regnamespace::text in ('public', 'auth', 'private')`
    const code = sql_files.map(read).join('')
    const foreseen = (name: string) =>
      name in problems || code.includes(`on conflict on constraint ${name} `)
    const met = unique.map(({ name }) => name).filter((name) => !foreseen(name))
    assert.deepEqual(unlikeExceptions(met, Object.keys(never_met)), [])
  })
})

/** Unique indexes that no act breaks unforeseen, each with the reason: that would be an internal error. */
const never_met: Record<string, string> = {
  api_key_secrets_hash_key: 'hashes of random secrets',
  claims_appealed_in_part: 'the claim is locked and can be appealed once',
  domain_proven_twice: 'domain_refusal locks the domain and says whose it is',
  group_plan_order: 'all plans of a year are written together, under a lock',
  identities_provider_provider_id_key: 'accounts are passed over by these columns',
  identity_providers_id_key: 'random ids',
  one_file_key_in_use:
    'the first key is passed over where there is one; the next comes under a lock',
  one_right_of_a_kind: 'rights are passed over by these columns',
  one_set_of_recovery_codes: 'the account is locked and looked at first',
  one_time_tokens_link_hash_key: 'hashes of random tokens',
  phone_exists: 'the auth service has its own sentence for it',
  profiles_company_id_id_key: 'the id alone is unique; keys of others lead to both',
  report_of_the_month: 'passed over: a report that is there is the answer',
  report_under_way: 'passed over: a report that is there is the answer',
  scheduled_once: 'passed over',
  told_once: 'the webhook is locked and remembers what it has reached',
  transfer_seals_company_id_transfer_id_key: 'transfers are sealed in their order, under a lock',
  transfers_undone: 'the claim is locked, and its causes are counted',
}

/** Tables that are records themselves, or hold nothing of the business. */
const unaudited = [
  'people_fetches', // what it did is told by the file it brought
  'scim_people', // what an identity provider calls people, who are audited
  'scim_members', // likewise its groups: what they change of people is audited
  'scim_calls', // a record itself, of some weeks
  'audit_log', // the record itself
  'answered_requests', // copies of answers, gone after a day
  'mails', // on their way, gone when sent
  'migrations',
  'free_mail_domains', // a public list
  'currencies', // likewise
  'holiday_places', // likewise
  'public_holidays', // likewise
  'people_added', // a count of the day, of people who are audited
  'headcounts', // counts kept of profiles, which are audited
  'departments', // likewise
  'headcount_days', // likewise, day by day
  'import_rows', // a file's rows on their way; what becomes of them is audited
  // The ledger is a record itself, append-only and sealed, with the actor of each transfer:
  'accounts',
  'unsealed_transfers',
  'transfer_seals',
  'ledger_heads',
  'kept_totals',
  'daily_totals',
  'grants', // what each transfer of a grant was computed from
  'regrants', // a background act's progress
  'waiting_totals', // sums kept of grants
  'fund_alerts', // what was told, once
  'report_files', // what a report that is recorded consists of
  'audit_seals', // the chain over the record
  'audit_heads', // likewise
  'claim_events', // the record itself, of claims, which are audited
  'pay_claims', // which claims a part of a run pays: the runs and their parts are audited
  'pay_withholdings', // likewise, what they withhold
  'claim_totals', // counts kept of claims
  'claim_changes', // what is not rolled up into them yet
  'preferences', // a person's own switches
  'mail_paces', // when somebody was last mailed
  'demo_world', // whether this is a demo, and its public logins
  'notifications', // what was told, and whether it was read
  'receipt_openings', // a record itself: written once, in the act that opened
  'dependent_events', // the record itself
  'data_export_parts', // where the pieces of an export are; the export is audited
  'check_bookings', // who booked a health check is nobody else's to read; it keeps its own times
]

/** Tables that name a company but are not a company's own. */
const untenanted = [
  'profiles', // a person may have no company yet
  'audit_log', // the platform's own changes are in it too
  'check_providers', // one of the platform is every company's
  'check_slots', // likewise
]
