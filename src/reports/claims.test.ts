// Claims in the reports, made by people's own acts and computed again here, from the rows themselves.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { decimal } from '#lib/money.ts'
import { sealAll } from '#funds/jobs.server.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import {
  cellOf,
  csvTables,
  filesAgree,
  reportMaker,
  pdfOfReport,
  type Tables,
} from '../../test/report-files.ts'
import type { ReportKind } from './reports.contract.ts'

const scene = openedScene()
const makeNow = reportMaker(scene)
let stage: FundedCompany
let boss: Person
let people: Person[]
let type_of: Map<string, string>
const now = new Date()
const to = now.toISOString().slice(0, 7)
/** Claims of the last weeks may have been sent in the months before. */
const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1))
  .toISOString()
  .slice(0, 7)

before(async () => {
  stage = await fundedCompany(scene)
  boss = stage.provider
  await scene.sql`update companies set time_zone = 'UTC' where id = ${stage.id}`
  people = []
  for (let at = 0; at < 8; at += 1) people.push(await stage.hire())
  const types = await scene.sql<{ id: string; name: string }[]>`
    select id, name from claim_types where company_id = ${stage.id}`
  type_of = new Map(types.map(({ id, name }) => [name, id]))
  await play()
  await sealAll(scene.sql)
})

/** Moves a claim's day back; a decision made now took that long. */
const sentDaysAgo = (id: number, days: number) => scene.sql`
  with moved as (update claims set submitted_at = submitted_at - ${days} * interval '1 day'
    where company_id = ${stage.id} and id = ${id})
  update claim_events set at = at - ${days} * interval '1 day'
    where company_id = ${stage.id} and claim_id = ${id}`

async function play() {
  const { api } = stage.company.admin
  const claim = async (at: number, type: string, cents: number, days = 0) => {
    const { id } = await stage.claim(people[at]!, {
      category: type === 'Vaccination' || type === 'Eye test' ? 'prevention' : 'treatment',
      type_id: type_of.get(type)!,
      amount_cents: cents,
    })
    if (days) await sentDaysAgo(id, days)
    return id
  }
  const version = async (id: number) => (await api.review.find({ id })).version
  const approve = async (id: number, amount_cents?: number) =>
    api.review.approve({
      id,
      version: await version(id),
      ...(amount_cents ? { amount_cents, text: 'As far as the plan goes' } : {}),
    })
  const reject = async (id: number) =>
    api.review.reject({
      id,
      version: await version(id),
      reason: 'not_covered',
      text: 'This is not covered by the plan',
    })
  for (const at of people.keys()) {
    await approve(await claim(at, 'GP visit', 6000 + at * 7, at), 5000 + at)
    await reject(await claim(at, 'Specialist', 9000 + at, 2 * at))
    await approve(await claim(at, 'Eye test', 5100 + at, 9))
    // Three people alone: what they had is nobody's business.
    if (at < 3) await approve(await claim(at, 'Mental health', 8000 + at))
    if (at < 6) await claim(at, 'Medicine', 5300 + at)
  }
  // One claim was asked about, and answered four days later; one was withdrawn.
  const in_question = await claim(6, 'Medicine', 7700, 11)
  await api.review.ask({
    id: in_question,
    version: await version(in_question),
    text: 'Which medicine was it?',
  })
  await scene.sql`update claims set asked_at = now() - interval '6 days' where id = ${in_question}`
  await scene.sql`update claim_events set at = now() - interval '6 days'
    where claim_id = ${in_question} and event = 'asked'`
  await people[6]!.api.claims.answer({ id: in_question, text: 'The blue one', receipt_ids: [] })
  await approve(in_question)
  const back = await claim(7, 'Medicine', 4100)
  await people[7]!.api.claims.withdraw({ id: back })
  // Rejected five days ago, appealed, approved by another.
  const appealed = await claim(5, 'Specialist', 12_300, 13)
  await reject(appealed)
  await scene.sql`update claim_events set at = now() - interval '5 days'
    where claim_id = ${appealed} and event = 'rejected'`
  await people[5]!.api.claims.appeal({ id: appealed, text: 'The plan says it is' })
  const other = await stage.admin('Other')
  await other.api.review.approve({ id: appealed, version: await version(appealed) })
  // Claims approved so far are paid.
  const [today] = await scene.sql<[{ day: string }]>`select company_today(${stage.id}) as day`
  const run = await api.payouts.make({ cut_off_on: today.day, pay_on: today.day })
  await other.api.payouts.release({ id: run.id, version: run.version })
  // The claims of two people are decided later.
  for (const at of [6, 7]) await approve(await claim(at, 'Physiotherapy', 6200 + at))
}

const report = async (kind: ReportKind, company_id?: string) => {
  const made = await makeNow(boss, { kind, from, to, ...(company_id ? { company_id } : {}) })
  return { made, tables: await csvTables(boss, made.id) }
}

type Raw = {
  id: number
  person_id: string
  category: string
  type_name: string
  status: string
  payment: string | null
  amount_cents: number
  events: { event: string; at: string; amount_cents: number | null }[]
}
/** The rows themselves, in one heap. */
const raw = () => scene.sql<Raw[]>`
  select c.id, c.person_id, c.category, c.type_name, c.status, c.payment, c.amount_cents,
    (select json_agg(json_build_object('event', e.event, 'at', e.at, 'amount_cents', e.amount_cents)
      order by e.number) from claim_events e where e.company_id = c.company_id and e.claim_id = c.id)
      as events
  from claims c where c.company_id = ${stage.id}`

type Decision = { claim: Raw; event: string; days: number }
const decisions = (claims: Raw[]): Decision[] =>
  claims.flatMap((claim) =>
    claim.events.flatMap(({ event, at }, index) => {
      if (!['approved', 'approved_by_policy', 'rejected'].includes(event)) return []
      const before = claim.events.slice(0, index)
      const began = before.findLast((e) => e.event === 'submitted' || e.event === 'appealed')!
      const since = before.slice(before.indexOf(began))
      const spans: [string, string][] = [[began.at, at]]
      const in_question = since.find((e) => e.event === 'asked')
      const answered = since.find((e) => e.event === 'answered')
      const awaited = in_question && answered ? workingDays(in_question.at, answered.at) : 0
      const [[first, last]] = spans as [[string, string]]
      return [{ claim, event, days: workingDays(first, last) - awaited }]
    }),
  )

/** Day by day, as one would count on a calendar. */
function workingDays(first: string, last: string): number {
  let days = 0
  const [from_ms, to_ms] = [Date.parse(first), Date.parse(last)]
  for (let day = Math.floor(from_ms / 86_400_000); day * 86_400_000 < to_ms; day += 1) {
    const weekday = new Date(day * 86_400_000).getUTCDay()
    if (weekday === 0 || weekday === 6) continue
    days += Math.min(to_ms, (day + 1) * 86_400_000) - Math.max(from_ms, day * 86_400_000)
  }
  return days / 86_400_000
}

const share = (part: number, whole: number) => String(Math.round((1000 * part) / whole) / 10)

function holdsFor(tables: Tables, sheet: string, row: string[], of: Decision[]) {
  const cell = (title: string) => cellOf(tables, sheet, row, title)
  const approved = of.filter(({ event }) => event !== 'rejected')
  assert.equal(cell('Decided'), String(of.length))
  assert.equal(cell('Approved, number'), String(approved.length))
  assert.equal(cell('Rejected, number'), String(of.length - approved.length))
  assert.equal(cell('Approval rate, %'), share(approved.length, of.length))
  assert.equal(cell('Decided by policy, %'), '0')
  const days = of.reduce((sum, decision) => sum + decision.days, 0)
  assert.equal(cell('Working days to decide'), String(Math.round((10 * days) / of.length) / 10))
  const in_time = of.filter(({ days: each }) => each <= 3)
  assert.ok(in_time.length > 0 && in_time.length < of.length, 'some in time and some late')
  assert.equal(cell('Within target, %'), share(in_time.length, of.length))
}

test('decisions, approval rate and working days are what the events say, in three reports', async () => {
  const all = decisions(await raw())
  assert.equal(all.length, 8 * 3 + 3 + 1 + 2 + 2)
  const activity = await report('claims_activity', stage.id)
  holdsFor(activity.tables, 'Decisions by month', ['EUR', 'All'], all)
  const performance = await report('company_performance')
  holdsFor(performance.tables, 'Claims', ['EUR', 'Acme'], all)
  const trends = await report('utilization_trends', stage.id)
  holdsFor(trends.tables, 'Decisions by month', ['EUR', 'All'], all)
  for (const { made, tables } of [activity, performance, trends]) {
    await filesAgree(boss, made, tables)
    const { text } = await pdfOfReport(boss, made.id)
    assert.match(text, /Mondays to Fridays, less the days in which the employee was asked/)
    assert.ok(text.includes('Within target'))
  }
})

test('types add up to their category and to the ledger; those of few people are hidden', async () => {
  const { tables } = await report('claims_activity', stage.id)
  const found = await raw()
  const hidden: string[] = []
  for (const type of new Set(found.map(({ type_name }) => type_name))) {
    const of = found.filter(({ type_name }) => type_name === type)
    const category = of[0]!.category === 'prevention' ? 'Prevention' : 'Treatment'
    const cell = (title: string) => cellOf(tables, 'By type', ['EUR', category, type], title)
    if (cell('Submitted, number') === 'suppressed') {
      hidden.push(type)
      assert.equal(cell('Submitted'), 'suppressed')
      continue
    }
    assert.equal(cell('Submitted, number'), String(of.length), type)
    const cents = of.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    assert.equal(cell('Submitted'), decimal(cents, 'EUR'), type)
    if (cell('Approved') === 'suppressed') continue
    const approved = of.flatMap(({ events }) => events.filter(({ event }) => event === 'approved'))
    const approved_cents = approved.reduce((sum, event) => sum + event.amount_cents!, 0)
    assert.equal(cell('Approved'), decimal(approved_cents, 'EUR'), type)
  }
  assert.ok(hidden.includes('Mental health'), 'of three people')
  assert.ok(hidden.includes('Physiotherapy'), 'of two')
  const [ledger] = await scene.sql<[{ entries: number; cents: number }]>`
    select count(*)::int as entries, sum(amount_cents)::bigint as cents from transfers
    where company_id = ${stage.id} and event = 'claim_approved'`
  const all = (title: string) => cellOf(tables, 'By month', ['EUR', 'All'], title)
  assert.equal(all('Approved, number'), String(ledger.entries))
  assert.equal(all('Approved'), decimal(ledger.cents, 'EUR'))
  assert.equal(
    cellOf(tables, 'Decisions by month', ['EUR', 'All'], 'Approved, number'),
    String(ledger.entries),
  )
})

test('what became of the claims is where each of them stands', async () => {
  const { tables } = await report('claims_activity', stage.id)
  const found = await raw()
  const outcomes: Record<string, (claim: Raw) => boolean> = {
    'Approved and paid': ({ payment }) => payment === 'paid',
    Rejected: ({ status }) => status === 'rejected',
  }
  for (const [outcome, holds] of Object.entries(outcomes)) {
    const of = found.filter(holds)
    const cell = (title: string) => cellOf(tables, 'What became of them', ['EUR', outcome], title)
    assert.ok(new Set(of.map(({ person_id }) => person_id)).size >= 5)
    assert.equal(cell('All'), String(of.length), outcome)
    const cents = of.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    assert.equal(cell('Amount claimed'), decimal(cents, 'EUR'), outcome)
  }
  // One person withdrew, two wait for their money: hidden, and the smallest other one with them.
  for (const outcome of ['Withdrawn', 'Approved, to be paid', 'Pending']) {
    const cell = cellOf(tables, 'What became of them', ['EUR', outcome], 'All')
    assert.equal(cell, 'suppressed', outcome)
  }
})

test('what waits, is to be paid and is paid is what the accounts hold', async () => {
  const { made, tables } = await report('fund_allocation', stage.id)
  const accounts = await scene.sql<{ kind: string; cents: number; people: number }[]>`
    select kind, sum(balance_cents)::bigint as cents,
      (count(distinct person_id) filter (where balance_cents > 0))::int as people
    from accounts where company_id = ${stage.id} and kind in ('held', 'payable', 'paid') group by kind`
  const of = (kind: string) => accounts.find((account) => account.kind === kind)!
  const cell = (title: string) => cellOf(tables, 'Claims by category', ['EUR', 'All'], title)
  assert.equal(cell('Waiting for a decision'), decimal(of('held').cents, 'EUR'))
  assert.equal(of('payable').people, 2, 'their run comes later')
  assert.equal(cell('Approved, to be paid'), 'suppressed')
  assert.equal(cell('Paid so far'), 'suppressed', 'or the first would follow: used less paid')
  const used = decimal(of('payable').cents + of('paid').cents, 'EUR')
  assert.equal(cellOf(tables, 'By category', ['EUR', 'All'], 'Used so far'), used)
  await filesAgree(boss, made, tables)
})
