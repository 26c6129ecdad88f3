// Expired data is deleted, by rules that are the same everywhere; and it can be proved what was deleted.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { envExample } from '#lib/config.server.ts'
import { daysOf, retention_rules, spanOfDays, type RetentionRule } from '#lib/retention.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { housekeeping } from './housekeeping.server.ts'

const scene = openedScene({ env: { KEEP_NOTIFICATIONS_DAYS: '390' } })
let acme: FundedCompany
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
})

const runHousekeeping = (days: Partial<Record<RetentionRule, number>> = {}) =>
  housekeeping({ ...daysOf(scene.config), ...days })({}, scene.tools)
const faultOf = async (company: string | null) => {
  const [found] = await scene.sql<[{ fault: string | null }]>`
    select fault from verify_audit(${company})`
  return found.fault
}

test('the rules are told alike: settings, docs/privacy.md, the public page', async () => {
  const text = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8')
  const example = envExample()
  const { kept: shown } = await scene.visitor.site.about({})
  for (const [rule, { setting, days, what }] of Object.entries(retention_rules)) {
    assert.ok(text.includes(`| ${what} | ${days} | \`${setting}\` |`), `docs/privacy.md: ${what}`)
    assert.ok(example.includes(`# ${setting}=${days}\n`), `.env.example: ${setting}`)
    assert.equal(shown[rule], rule === 'notifications' ? 390 : days, rule)
  }
  assert.deepEqual([1, 90, 3653].map(spanOfDays), ['one day', '90 days', '10 years'])
})

test('of each kind what is over its days goes, and what is not stays', async () => {
  const { sql } = scene
  const old = (days: number) => sql`now() - ${days}::int * interval '1 day' - interval '1 minute'`
  const young = (days: number) => sql`now() - ${days}::int * interval '1 day' + interval '1 minute'`
  const file = new Blob(['name,email\nNora,nora@elsewhere.test\n'])
  const { imports } = acme.company.admin.api
  const [first, second] = [
    await imports.upload({ file_name: 'old.csv' }, { file }),
    await imports.upload({ file_name: 'new.csv' }, { file }),
  ]
  for (const [age, import_id] of [
    [old, first.id],
    [young, second.id],
  ] as const) {
    await sql`update imports set touched_at = ${age(90)} where id = ${import_id}`
    await sql`insert into answered_requests (person_id, key, question, answer, at)
      values (${ana.id}, ${import_id}, '', '{}', ${age(1)})`
    await sql`insert into data_exports (person_id, status, made_at, expires_at)
      values (${ana.id}, 'ready', ${age(7)}, now() + interval '1 day')`
    await sql`insert into mails (recipient, subject, text, html, at)
      values ('x@x.test', 'Kept', '', '', ${age(30)})`
    await sql`insert into inquiries (full_name, email, company, people, message, suspect, received_at)
      values ('Machine', 'x@x.test', 'Company', 10, 'Buy this now', true, ${age(30)}),
        ('Human', 'x@x.test', 'Company', 10, 'Please call me', false, ${age(365)})`
    await sql`with hook as (insert into webhooks (company_id, url, events, made_by)
        values (${acme.id}, 'https://hooks.test', '{audit.entry}', ${ana.id}) returning company_id, id)
      insert into webhook_deliveries (company_id, webhook_id, event, body, status, made_at)
        select company_id, id, 'audit.entry', '{}', 'delivered', ${age(30)} from hook`
    await sql`insert into auth.audit_log_entries (action, at) values ('kept', ${age(400)})`
    await sql`insert into notifications (person_id, kind, code, path, at, mailed_at)
      values (${ana.id}, 'account', 'kept', '/', ${age(390)}, now())`
    await sql`insert into reports (kind, from_on, to_on, title, status, created_at)
      values ('claims_activity', now(), now(), 'Kept', 'ready', ${age(400)})`
  }
  const counts = async () => {
    const [found] = await sql`select
      (select count(*)::int from import_rows) as file_rows,
      (select count(*)::int from answered_requests where key in (${first.id}, ${second.id})) as answers,
      (select count(*)::int from data_exports) as exports,
      (select count(*)::int from mails where subject = 'Kept') as mails,
      (select count(*)::int from webhook_deliveries) as deliveries,
      (select count(*)::int from inquiries where suspect) as suspects,
      (select count(*)::int from inquiries where not suspect) as inquiries,
      (select count(*)::int from auth.audit_log_entries where action = 'kept') as sign_ins,
      (select count(*)::int from notifications where code = 'kept') as notifications,
      (select count(*)::int from reports) as reports`
    return found as Record<string, number>
  }
  const two = await counts()
  assert.ok(
    Object.values(two).every((count) => count === 2),
    JSON.stringify(two),
  )
  await runHousekeeping()
  const one = await counts()
  assert.ok(
    Object.values(one).every((count) => count === 1),
    JSON.stringify(one),
  )
  const rules = await sql<{ rule: string; days: number; rows: number }[]>`
    select rule, days, rows::int from drops order by rule`
  assert.deepEqual(
    rules.map(({ rule, rows }) => [rule, rows]),
    Object.keys(two)
      .toSorted()
      .map((rule) => [rule, 1]),
  )
  assert.equal(rules.find(({ rule }) => rule === 'notifications')?.days, 390)
  await scene.seal()
  const [sealed] = await sql<[{ entries: number }]>`
    select count(*)::int as entries from audit_log l join audit_seals s on s.audit_id = l.id
    where l.table_name = 'drops'`
  assert.equal(sealed.entries, rules.length)
  await runHousekeeping()
  assert.deepEqual(await counts(), one)
})

test('receipts of old years go with their files; those of claims that still mean money stay', async () => {
  const paid = await acme.agreeing(ana, { amount_cents: 1100 })
  const open = await acme.claim(ana, { amount_cents: 9900 })
  await scene.sql`update claims set payment = 'paid' where id = ${paid.id}`
  const left = async () =>
    (await scene.sql`select claim_id from receipts where company_id = ${acme.id}`).map(
      ({ claim_id }) => claim_id,
    )
  const were = (await left()).length
  // The year ends within these days: as if they had passed since.
  await runHousekeeping({ receipts: -400 })
  assert.ok((await left()).includes(open.id))
  assert.ok(!(await left()).includes(paid.id))
  assert.ok((await left()).length < were)
  const leftover = await scene.sql`select from private.leftover_files`
  assert.ok(leftover.length > 0, 'their files are swept')
})

test('the record’s oldest entries go; what is left proves itself, and shows where it was cut', async () => {
  const firm = await scene.company({ name: 'Firm' })
  for (let n = 0; n < 6; n += 1) await firm.hire()
  await scene.seal()
  const [age] = await scene.sql<[{ cut: number; all: number }]>`
    with old as (update audit_log set at = at - interval '11 years' where company_id = ${firm.id}
        and id <= (select id from audit_log where company_id = ${firm.id} order by id offset 9 limit 1)
      returning 1)
    select (select count(*)::int from old) as cut,
      (select count(*)::int from audit_log where company_id = ${firm.id}) as all`
  // The entries become ones written and sealed then: the chain is made again.
  await scene.sql`delete from audit_seals`
  await scene.sql`delete from audit_heads`
  await scene.sql`update private.audit_sweep set sealed = 0`
  await scene.seal()
  assert.equal(await faultOf(null), null)
  await runHousekeeping()
  const entries = async () =>
    (await scene.sql`select from audit_log where company_id = ${firm.id}`).length
  assert.equal(await entries(), age.all - age.cut + 1)
  await scene.seal()
  assert.equal(await faultOf(firm.id), null)
  assert.equal(await faultOf(null), null)
  const { entries: cuts } = await firm.admin.api.audit.list({ table: 'audit_cuts' })
  assert.equal(cuts.length, 1)
  // Removing more than was cut is found out.
  await scene.sql`with first as (delete from audit_seals s where s.company_id = ${firm.id}
      and s.number = (select min(number) from audit_seals where company_id = ${firm.id})
      returning audit_id)
    delete from audit_log l using first f where l.id = f.audit_id`
  assert.equal(await faultOf(firm.id), 'seal_missing')
})
