// Two weeks of one installation, by moving its clock: each day what is over its time goes, nothing younger does, and
// it is written down and sealed. Once the clock jumps back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#lib/db.server.ts'
import { retention_rules, type RetentionRule } from '#lib/retention.ts'
import { daysAfter } from '#lib/days.ts'
import { openWorld, recordsAreWhole, runHousekeeping, type World } from './world/by-clock.ts'
import { submitPlainly } from './world/claims.ts'
import { fund, spread } from './world/money.ts'
import { sealRecord } from './world/notices.ts'
import { parseMoment } from './clock/clock.ts'
import { aKey } from './world/people.ts'

const days = 14
const first_day = '2027-12-26'
/** The shortest that the settings allow, except for rules that fall due one after the other. */
const keeps: Record<RetentionRule, number> = {
  answers: 1,
  exports: 2,
  mails: 3,
  suspects: 4,
  deliveries: 8,
  scim_calls: 6,
  file_rows: 7,
  inquiries: 9,
  sign_ins: 30,
  notifications: 366,
  reports: 30,
  receipts: 365,
  record: 365,
}
const day_ms = 86_400_000
/** Each day ten minutes later than the one before: what was made then is over by so much, not by a hair. */
const timeOf = (day: number, hour = 11) =>
  `${daysAfter(first_day, day)}T${String(hour + Math.floor(day / 6)).padStart(2, '0')}:${day % 6}0Z`

/** The data under each rule, and since when. */
const held: Record<RetentionRule, string> = {
  answers: `select person_id || key as id, at from answered_requests`,
  exports: `select id::text, coalesce(made_at, requested_at) as at from data_exports`,
  mails: `select id::text, at from mails`,
  suspects: `select id::text, received_at as at from inquiries where suspect`,
  inquiries: `select id::text, received_at as at from inquiries where not suspect`,
  deliveries: `select id::text, made_at as at from webhook_deliveries`,
  scim_calls: `select id::text, at from scim_calls`,
  file_rows: `select r.import_id::text as id, i.touched_at as at
    from import_rows r join imports i on i.id = r.import_id`,
  sign_ins: `select id::text, at from auth.audit_log_entries`,
  notifications: `select id::text, at from notifications`,
  reports: `select id::text, created_at as at from reports`,
  receipts: `select r.id::text, (y.ends_on + 1)::timestamptz as at
    from receipts r join claims c on c.id = r.claim_id and c.company_id = r.company_id
      join plan_years y on y.company_id = c.company_id and y.starts_on = c.plan_year
    where c.status = 'rejected'`,
  record: `select l.id::text, at from audit_log l join audit_seals s on s.audit_id = l.id`,
}
type Held = Record<RetentionRule, { id: string; at: string }[]>

async function all(sql: Sql): Promise<Held> {
  const found: [string, unknown][] = []
  for (const [rule, query] of Object.entries(held)) found.push([rule, await sql.unsafe(query)])
  return Object.fromEntries(found) as Held
}

test('for two weeks each rule drops what is over, once, and nothing younger', async () => {
  const settings = Object.entries(keeps).map(([rule, n]) => [
    retention_rules[rule as RetentionRule].setting,
    String(n),
  ])
  const world = await openWorld('2026-12-20', Object.fromEntries(settings))
  try {
    const acme = await found(world)
    await yearBefore(world)
    const dropped = new Set<string>()
    for (let day = 0; day < days; day += 1) {
      for (const rule of await live(world, acme, day)) dropped.add(rule)
      await recordsAreWhole(world, acme)
      if (day === 6) await jumpBack(world, acme, day)
    }
    assert.deepEqual([...dropped].toSorted(), Object.keys(retention_rules).toSorted())
    const [left] = await world.sql`select count(*)::int as open from receipts`
    assert.equal(left!.open, 1, 'the receipt of the claim that waits')
  } finally {
    await world.close()
  }
})

/** A company, somebody with a rejected claim and one that waits, of the year 2026, each with a receipt. */
async function found(world: World) {
  const { sql } = world
  const provider = await world.superAdmin()
  const { admin, hire, id: company } = await world.company()
  const hr = admin.api
  const plan_year = await fund(provider, { id: company, admin }, spread(200_000, 600_000, 200_000))
  const ana = await hire('Ana')
  await sql`update profiles set joined_on = ${plan_year} where id = ${ana.id}`
  const claim = (amount_cents: number) =>
    submitPlainly(ana.api, { service_on: '2026-12-19', amount_cents })
  const [refused, waits] = [await claim(2000), await claim(2100)]
  const why = { reason: 'not_covered', text: 'This is not covered.' } as const
  await hr.review.reject({ id: refused.id, version: refused.version, ...why })
  await sql`select private.notify_decisions('infinity')` // now, and not in one of these weeks
  await sql`insert into private.file_keys (wrapped_key) values ('')`
  for (const { id } of [refused, waits])
    await sql`
      insert into receipts (company_id, person_id, claim_id, file_name, media_type, size_bytes, sha256,
        pages, width, height, storage_key, file_key, wrapped_key, parts, read_state)
      select ${company}, ${ana.id}, ${id}, 'receipt.pdf', 'application/pdf', 1000,
        sha256(${String(id)}::bytea), 1, 100, 100, ${`receipt ${id}`}, max(k.id), '', '{}', 'read'
      from private.file_keys k`
  return { company, admin: admin.email, payer: provider.email, ana: ana.id }
}
type Acme = Awaited<ReturnType<typeof found>>

/** A year before these weeks something is changed each day, and sealed. */
async function yearBefore({ sql, clock }: World) {
  for (let day = 0; day < days; day += 1) {
    await clock.set(parseMoment(`${daysAfter('2026-12-26', day)}${timeOf(day, 10).slice(10)}`))
    await sql`update companies set name = ${`Acme ${day}`}`
    await sql`update claim_policies set spot_check_percent = ${day}`
  }
  await sealRecord(sql)
}

/** One day: what is over goes, by which rules. */
async function live(world: World, acme: Acme, day: number) {
  const { sql } = world
  const [moment, now] = [timeOf(day), parseMoment(timeOf(day))]
  await plant(sql, acme, now)
  await sealRecord(sql)
  const before = await all(sql)
  const last = await lastDrop(sql)
  await world.on(moment)
  await runHousekeeping(sql)
  const after = await all(sql)
  const due: [string, number][] = []
  for (const rule of Object.keys(retention_rules).toSorted() as RetentionRule[]) {
    const over = ({ at }: { at: string }) => Date.parse(at) + keeps[rule] * day_ms <= now.getTime()
    const there = new Set(after[rule].map(({ id }) => id))
    const wrong = before[rule].filter((row) => there.has(row.id) === over(row))
    assert.deepEqual(wrong, [], `${rule} on ${moment}`)
    const gone = before[rule].filter(over).length
    if (gone > 0) due.push([rule, gone])
  }
  assert.deepEqual(await toldSince(sql, last, moment.slice(0, 10)), due)
  await sealRecord(sql)
  await allAreSealed(sql)
  const api = await world.as(acme.payer)
  await api.funds.contribute(contribution(acme, day), { idempotency_key: `day ${day}` })
  return due.map(([rule]) => rule)
}

const contribution = ({ company }: Acme, day: number) => ({
  company_id: company,
  amount_cents: 1000 + day,
  occurred_on: '2027-12-20',
  reference: `DAY-${day}`,
})

async function lastDrop(sql: Sql) {
  const [{ last }] = await sql<[{ last: number }]>`select coalesce(max(id), 0) as last from drops`
  return last
}

/** How many rows each rule deleted, recorded once for each with its days. */
async function toldSince(sql: Sql, last: number, on: string) {
  const found = await sql<{ rule: RetentionRule; days: number; rows: number; on: string }[]>`
    select rule, days, rows, (at at time zone 'UTC')::date as on from drops
    where id > ${last} order by rule`
  for (const { rule, days: kept_days, on: day } of found)
    assert.deepEqual([kept_days, day], [keeps[rule], on], rule)
  return found.map(({ rule, rows }) => [rule, rows])
}

async function allAreSealed(sql: Sql) {
  const open = await sql`
    select d.id, d.rule from drops d where not exists (
      select from audit_log l join audit_seals s on s.audit_id = l.id
      where l.table_name = 'drops' and l.act = 'insert' and l.after ->> 'id' = d.id::text
        and l.after ->> 'rule' = d.rule and l.after ->> 'rows' = d.rows::text)`
  assert.deepEqual([...open], [])
}

/** Adds one row of each kind that is over by then, and one that is over an hour later. */
async function plant(sql: Sql, { company, ana }: Acme, now: Date) {
  for (const hours of [-1, 1]) {
    const at = (rule: RetentionRule) =>
      new Date(now.getTime() - keeps[rule] * day_ms + hours * 3_600_000).toISOString()
    await sql`insert into answered_requests (person_id, key, question, answer, at)
      values (${ana}, ${aKey()}, '', '{}', ${at('answers')})`
    await sql`insert into data_exports (person_id, status, made_at, expires_at)
      values (${ana}, 'ready', ${at('exports')}, '2030-01-01')`
    await sql`insert into mails (recipient, subject, text, html, at)
      values ('x@x.test', 'Kept', '', '', ${at('mails')})`
    await sql`insert into inquiries (full_name, email, company, people, message, suspect, received_at)
      values ('Machine', 'x@x.test', 'Company', 10, 'Buy this now', true, ${at('suspects')}),
        ('Human', 'x@x.test', 'Company', 10, 'Please call me', false, ${at('inquiries')})`
    await sql`with file as (insert into imports (company_id, file_name, status, touched_at)
        values (${company}, 'people.csv', 'checked', ${at('file_rows')}) returning company_id, id)
      insert into import_rows (company_id, import_id, line) select company_id, id, 1 from file`
    await sql`with hook as (insert into webhooks (company_id, url, events, made_by, removed_at)
        values (${company}, 'https://hooks.test', '{audit.entry}', ${ana}, now())
        returning company_id, id)
      insert into webhook_deliveries (company_id, webhook_id, event, body, status, made_at)
        select company_id, id, 'audit.entry', '{}', 'failed', ${at('deliveries')}::timestamptz from hook`
    await sql`insert into scim_calls (company_id, key_id, method, path, dry_run, status, at)
      values (${company}, ${ana}, 'POST', '/Users', false, 201, ${at('scim_calls')})`
    await sql`insert into auth.audit_log_entries (action, at) values ('kept', ${at('sign_ins')})`
    await sql`insert into notifications (person_id, kind, code, path, at, mailed_at)
      values (${ana}, 'account', 'kept', '/', ${at('notifications')}, ${at('notifications')})`
    await sql`insert into reports (kind, from_on, to_on, title, status, created_at)
      values ('claims_activity', '2027-01-01', '2027-01-31', 'Kept', 'ready', ${at('reports')})`
  }
}

/** An hour back: what was acknowledged stands, what is asked again is the same act, and nothing goes twice. */
async function jumpBack(world: World, acme: Acme, day: number) {
  const { sql } = world
  const counts = async () => {
    const [found] = await sql`select (select count(*)::int from drops) as drops,
      (select count(*)::int from transfers) as transfers,
      (select count(*)::int from notifications) as notifications,
      (select count(*)::int from mails) as mails`
    return found
  }
  const [had, rows] = [await counts(), await all(sql)]
  await world.on(timeOf(day, 10))
  const { funds } = await world.as(acme.payer)
  await funds.contribute(contribution(acme, day), { idempotency_key: `day ${day}` })
  assert.deepEqual(await counts(), had)
  const still = await all(sql)
  for (const rule of Object.keys(retention_rules) as RetentionRule[]) {
    const there = new Set(still[rule].map(({ id }) => id))
    assert.deepEqual(
      rows[rule].filter(({ id }) => !there.has(id)),
      [],
      rule,
    )
  }
  await funds.contribute({ ...contribution(acme, day), reference: 'IN-THE-HOUR' })
  await sealRecord(sql)
  await recordsAreWhole(world, acme)
  await world.on(timeOf(day))
  const then = await counts()
  assert.equal(then!.drops, had!.drops)
  assert.equal(then!.transfers, Number(had!.transfers) + 1)
  await recordsAreWhole(world, acme)
}
