// The same reads and writes as a claim's acts, as bare prepared SQL on tables without rules, triggers or row
// security: what a perfect server in front of this database would reach.
import { randomUUID } from 'node:crypto'
import type { Sql } from '#lib/db.server.ts'
import type { Signed } from './world.ts'

const tables = [
  'claims',
  'claim_events',
  'claim_changes',
  'transfers',
  'unsealed_transfers',
  'audit_log',
  'answered_requests',
  'notifications',
]

export async function openRaw(sql: Sql) {
  await sql`drop schema if exists raw cascade`
  await sql`create schema raw`
  for (const table of [...tables, 'accounts']) {
    await sql.unsafe(`create table raw.${table} (like public.${table} including all)`)
  }
  await sql`alter table raw.claims alter id add generated always as identity`
  await sql`insert into raw.accounts overriding system value select * from accounts`
  await sql`select setval(pg_get_serial_sequence('raw.accounts', 'id'), max(id)) from accounts`
  // Each person's accounts are there: opening one is not what is measured.
  await sql`insert into raw.accounts (company_id, plan_year, kind, category, person_id)
    select company_id, plan_year, k, category, person_id from accounts,
      unnest(array['held', 'payable']) k where kind = 'available'
    on conflict do nothing`
  await sql`vacuum analyze raw.accounts`
}

const settled = (all: PromiseLike<unknown>[]) => Promise.all(all)

export async function rawSubmit(sql: Sql, person: Signed, type_of: Map<string, string>) {
  const { id, company_id } = person
  const type_id = type_of.get(company_id) ?? ''
  const key = randomUUID()
  const bill = 10 + Math.floor(Math.random() * 90)
  const line = await sql.pool.take()
  const { tx } = line
  try {
    const [, , , year, policy, type, , , accounts] = (await settled([
      tx`begin`,
      who(tx, id),
      tx`select question, answer from raw.answered_requests where person_id = ${id} and key = ${key}`,
      tx`select starts_on, ends_on, filing_days from public.plan_years
        where company_id = ${company_id} and current_date between starts_on and ends_on`,
      tx`select * from public.claim_policies where company_id = ${company_id}
        order by version desc limit 1`,
      tx`select name, category, active from public.claim_types
        where company_id = ${company_id} and id = ${type_id}`,
      tx`select joined_on, left_on, has_left from public.profiles where id = ${id}`,
      tx`select count(*) filter (where automatic) as automatic,
          json_agg(id) filter (where service_on = current_date and bill_cents = ${bill}) as same
        from raw.claims where company_id = ${company_id} and person_id = ${id}`,
      tx`select id, kind, balance_cents from raw.accounts where company_id = ${company_id}
        and person_id = ${id} and category = 'treatment' and kind in ('available', 'held')`,
    ])) as [unknown, unknown, unknown, TextRow[], TextRow[], TextRow[], unknown, unknown, TextRow[]]
    const plan_year = year[0]!['starts_on']!
    const of = (kind: string) => accounts.find((account) => account['kind'] === kind)!['id']!
    const trace = JSON.stringify(a_trace)
    const [, made] = (await settled([
      tx`update raw.accounts set balance_cents = balance_cents + case when id = ${of('held')} then 10
          else -10 end where company_id = ${company_id} and plan_year = ${plan_year}
          and id in (${of('available')}, ${of('held')}) returning id, balance_cents`,
      tx`
        with c as (
          insert into raw.claims (company_id, person_id, category, type_id, type_name, provider,
              service_on, plan_year, bill_cents, amount_cents, receipts, stage, policy_version, spot_check_draw, due_at)
            values (${company_id}, ${id}, 'treatment', ${type_id}, ${type[0]!['name']!}, 'Harbour Clinic',
              current_date, ${plan_year}, ${bill}, 10, 0, 'first_review', ${policy[0]!['version']!}, 50,
              now() + interval '3 days') returning *),
        t as (
          insert into raw.transfers (company_id, plan_year, from_account, to_account, amount_cents,
              from_balance_cents, to_balance_cents, event, cause, claim_id, person_id, actor_id, occurred_on)
            select ${company_id}, ${plan_year}, ${of('available')}, ${of('held')}, 10, 0, 10,
              'claim_held', 'claim_held claim ' || c.id || ' 1', c.id, ${id}, ${id}, current_date from c
            returning id),
        u as (insert into raw.unsealed_transfers select ${company_id}, id from t),
        e as (
          insert into raw.claim_events (company_id, claim_id, number, event, by_id, by_role, amount_cents,
              trace)
            select ${company_id}, c.id, 1, 'submitted', ${id}, 'employee', 10, ${trace}::json from c),
        n as (
          insert into raw.claim_changes (company_id, status, category, type_id, claims, amount_cents,
              approved_cents, overdue)
            values (${company_id}, 'pending', 'treatment', ${type_id}, 1, 10, 0, 0)),
        a as (
          insert into raw.audit_log (company_id, actor_id, actor_role, address, request_id, act,
              table_name, row_id, after)
            select ${company_id}, ${id}, 'employee', '127.0.0.1', ${key}, 'insert', 'claims', c.id::text,
              to_jsonb(c) from c)
        select id, version, submitted_at from c`,
    ])) as [unknown, TextRow[]]
    await settled([
      tx`insert into raw.answered_requests (person_id, key, question, answer)
        values (${id}, ${key}, ${Buffer.alloc(32)}, ${JSON.stringify(made[0])}::jsonb)`,
      tx`commit`,
    ])
  } finally {
    sql.pool.give(line)
  }
}

type TextRow = Record<string, string>
type Tx = Sql['pool'] extends { take: () => Promise<infer Connection> }
  ? Connection extends { tx: infer T }
    ? T
    : never
  : never

const who = (tx: Tx, id: string) => tx`
  select u.id, f.role, f.status, f.company_id, c.status as company_status, u.two_step
  from auth.sessions s join auth.users u on u.id = s.user_id join public.profiles f on f.id = u.id
  left join public.companies c on c.id = f.company_id where s.user_id = ${id}`

export async function rawApprove(
  sql: Sql,
  claim: { id: number; company_id: string },
  admins: Map<string, Signed>,
) {
  const { id, company_id } = claim
  const admin = admins.get(company_id)!
  const line = await sql.pool.take()
  const { tx } = line
  try {
    const [, , claims] = (await settled([
      tx`begin`,
      who(tx, admin.id),
      tx`select * from raw.claims where company_id = ${company_id} and id = ${id} for no key update`,
      tx`select steps from public.claim_policies where company_id = ${company_id}
        and version = 1`,
    ])) as [unknown, unknown, TextRow[], unknown]
    const { person_id, plan_year, type_id } = claims[0]!
    const accounts = await tx<{ id: string; kind: string }[]>`
      select id, kind from raw.accounts where company_id = ${company_id} and person_id = ${person_id!}
        and category = 'treatment' and kind in ('held', 'payable')`
    const of = (kind: string) => accounts.find((account) => account.kind === kind)!.id
    await settled([
      tx`update raw.accounts set balance_cents = balance_cents + case when id = ${of('held')} then -10
          else 10 end where company_id = ${company_id} and plan_year = ${plan_year!}
          and id in (${of('payable')}, ${of('held')}) returning id, balance_cents`,
      tx`
        with c as (
          update raw.claims set status = 'approved', stage = null, payment = 'unpaid',
              approved_cents = amount_cents, reviewed_by = ${admin.id}, reviewed_at = now(),
              due_at = null, version = version + 1
            where company_id = ${company_id} and id = ${id} returning *),
        t as (
          insert into raw.transfers (company_id, plan_year, from_account, to_account, amount_cents,
              from_balance_cents, to_balance_cents, event, cause, claim_id, person_id, actor_id, occurred_on)
            values (${company_id}, ${plan_year!}, ${of('held')}, ${of('payable')}, 10, 0, 10,
              'claim_approved', 'claim_approved claim ' || ${id}::bigint || ' 1', ${id}, ${person_id!},
              ${admin.id}, current_date) returning id),
        u as (insert into raw.unsealed_transfers select ${company_id}, id from t),
        e as (
          insert into raw.claim_events (company_id, claim_id, number, event, by_id, by_role, amount_cents)
            values (${company_id}, ${id}, 2, 'approved', ${admin.id}, 'company_admin', 10)),
        n as (
          insert into raw.claim_changes (company_id, status, category, type_id, claims, amount_cents,
              approved_cents, overdue)
            values (${company_id}, 'pending', 'treatment', ${type_id!}, -1, -10, 0, 0),
              (${company_id}, 'approved', 'treatment', ${type_id!}, 1, 10, 10, 0)),
        m as (
          insert into raw.notifications (person_id, kind, code, facts, path)
            values (${person_id!}, 'claims', 'claim_approved', '{"claim": 17, "approved_cents": 8000, "currency": "EUR"}',
              '/dashboard/my-claims')),
        a as (
          insert into raw.audit_log (company_id, actor_id, actor_role, address, request_id, act,
              table_name, row_id, before, after)
            select ${company_id}, ${admin.id}, 'company_admin', '127.0.0.1', '', 'update', 'claims',
              c.id::text, '{"status": "pending"}', to_jsonb(c) - 'note' from c)
        select id, version from c`,
    ])
    await tx`commit`
  } finally {
    sql.pool.give(line)
  }
}

/** A trace as long as a real claim's. */
const a_trace = Array.from({ length: 12 }, (_, at) => ({
  rule: `What has to be so, number ${at}`,
  says: 'What was found, in a sentence of the usual length',
  outcome: 'fine',
  facts: { amount_cents: 10, left_cents: 70_000 },
}))
