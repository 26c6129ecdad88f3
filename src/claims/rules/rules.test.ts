// The rules alone, without a database or a clock: only the facts that they are given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decide, refusalsOf } from './decide.ts'
import { monthsAfter } from '#lib/days.ts'
import { nextAllowedDay, limit_codes, type Limit } from './limits.ts'
import { stepText } from './trace-words.ts'
import type { Draft, RuleFacts } from './rule-facts.ts'
import { secondAbove } from '../../../test/world/company.ts'
import { read_receipt } from '../../../test/world/read-receipt.ts'

const draft: Draft = {
  category: 'prevention',
  dependent_id: null,
  type_id: '1',
  provider: 'Harbour Clinic',
  service_on: '2026-05-04',
  bill_cents: 4000,
  amount_cents: 4000,
  receipt_ids: ['r'],
}
const facts: RuleFacts = {
  today: '2026-05-10',
  currency: 'EUR',
  policy: {
    version: 1,
    auto_approve_cents: 5000,
    auto_approve_per_month: 4,
    spot_check_percent: 5,
    receipt_above_cents: 2500,
    steps: secondAbove(30_000),
    review_days: 3,
    by_claimant: false,
  },
  steps: [],
  person: { joined_on: '2026-01-01', left_on: null },
  type: { name: 'Eye test', category: 'prevention', active: true },
  year: {
    plan_year: '2026-01-01',
    ends_on: '2026-12-31',
    filing_ends_on: '2027-03-31',
    takes_claims: true,
  },
  available_cents: 20_000,
  dependent: null,
  past: { automatic: 0, same: [] },
  receipts: [read_receipt],
  duplicates: [],
  limits: [],
  spot_check_draw: 50,
}

test('what agrees in everything is approved by itself; each single doubt brings a person in', () => {
  assert.equal(decide(draft, facts).automatic, true)
  const doubts: Partial<RuleFacts>[] = [
    { policy: { ...facts.policy, auto_approve_cents: 3999 } },
    { receipts: [] },
    { receipts: [{ ...read_receipt, read_state: 'unreadable' }] },
    { receipts: [{ ...read_receipt, read_amount_cents: 4001 }] },
    { receipts: [{ ...read_receipt, read_amount_cents: null }] },
    { receipts: [{ ...read_receipt, read_on: '2026-05-05' }] },
    { receipts: [{ ...read_receipt, read_on: null }] },
    { receipts: [{ ...read_receipt, read_currency: 'USD' }] },
    { receipts: [{ ...read_receipt, read_provider: 'Corner Bakery' }] },
    { past: { automatic: 4, same: [] } },
    { past: { automatic: 0, same: [{ claim_id: 3, provider: 'Harbour Clinic' }] } },
    { duplicates: [{ kind: 'same_picture', score: 70, claim_id: null }] },
    { spot_check_draw: 4 },
  ]
  for (const doubt of doubts) {
    const { automatic, trace } = decide(draft, { ...facts, ...doubt })
    assert.equal(automatic, false, JSON.stringify(doubt))
    assert.equal(
      trace.filter(({ outcome }) => outcome === 'human').length,
      2,
      JSON.stringify(doubt),
    )
  }
})

test('only where a receipt is still being read, and nothing else is in doubt, is it worth another look', () => {
  const reading = { ...read_receipt, read_state: 'reading' as const }
  assert.equal(decide(draft, { ...facts, receipts: [reading] }).awaits_reading, true)
  const { automatic, awaits_reading } = decide(draft, {
    ...facts,
    receipts: [read_receipt, reading],
  })
  assert.deepEqual([automatic, awaits_reading], [false, true], 'it may say otherwise')
  assert.equal(
    decide(draft, { ...facts, receipts: [reading], spot_check_draw: 0 }).awaits_reading,
    false,
  )
  assert.equal(decide(draft, facts).awaits_reading, false)
})

test('no rule ever approves what the policy does not let pass', () => {
  const cents = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(
      fc.record({
        amount: cents,
        limit: cents,
        read: cents,
        bill: cents,
        month: fc.integer({ min: 0, max: 9 }),
        spot_check_draw: fc.integer({ min: 0, max: 99 }),
        score: fc.integer({ min: 0, max: 100 }),
      }),
      ({ amount, limit, read, bill, month, spot_check_draw, score }) => {
        const { automatic } = decide(
          { ...draft, amount_cents: amount, bill_cents: bill },
          {
            ...facts,
            policy: { ...facts.policy, auto_approve_cents: limit },
            past: { automatic: month, same: [] },
            receipts: [{ ...read_receipt, read_amount_cents: read }],
            duplicates: score ? [{ kind: 'same_picture', score, claim_id: null }] : [],
            spot_check_draw,
          },
        )
        return (
          automatic ===
          (amount <= limit && read === bill && month < 4 && spot_check_draw >= 5 && score === 0)
        )
      },
    ),
  )
})

test('each refusal has its sentence and field; of an empty form nothing is refused', () => {
  assert.deepEqual(refusalsOf({}, facts), [])
  assert.deepEqual(refusalsOf(draft, facts), [])
  const wrong = refusalsOf(
    { ...draft, amount_cents: 50_000, service_on: '2026-05-11', receipt_ids: [] },
    { ...facts, receipts: [] },
  )
  assert.deepEqual(
    wrong.map(({ code, field }) => [code, field]),
    [
      ['amount_over_bill', 'amount_cents'],
      ['service_in_future', 'service_on'],
      ['fund_exhausted', 'amount_cents'],
      ['receipt_needed', 'receipt_ids'],
    ],
  )
  for (const { sentence } of wrong) assert.match(sentence, /^[A-Z].{10,}/)
})

const limit: Limit = {
  kind: 'frequency',
  name: 'Glasses and lenses',
  category: 'treatment',
  cents: null,
  claims: 1,
  months: 24,
  used_cents: 0,
  on_days: [],
}

/** A limit as the database answers it for a person, with a bill for each claim that it counts. */
const own = ({ used_cents, on_days, ...terms }: Limit, dependent_id: string | null = null) => ({
  ...terms,
  id: 'l',
  category: null,
  type_id: null,
  counted: [
    ...(used_cents > 0 ? [{ day: '2026-02-01', cents: used_cents }] : []),
    ...on_days.map((day) => ({ day, cents: 0 })),
  ].map(({ day, cents }, at) => ({
    bill: at + 1,
    dependent_id,
    plan_year: '2026-01-01',
    service_on: day,
    cents,
  })),
})

test('once every so many months is again on the same day, and no day between breaks it', () => {
  const once = { ...limit, on_days: ['2025-05-04'] }
  assert.equal(nextAllowedDay(once, '2026-05-04'), '2027-05-04')
  assert.equal(nextAllowedDay(once, '2027-05-04'), '2027-05-04')
  // A bill before the counted one is refused, too: with one of March there would be two within the months.
  assert.equal(nextAllowedDay(once, '2025-03-01'), '2027-05-04')
  assert.equal(nextAllowedDay(once, '2023-05-04'), '2023-05-04')
  const twice = { ...limit, claims: 2, months: 12, on_days: ['2026-01-31', '2026-03-01'] }
  assert.equal(nextAllowedDay(twice, '2026-04-01'), '2027-01-31')
  assert.equal(monthsAfter('2028-01-31', 1), '2028-02-29')
  assert.equal(monthsAfter('2028-03-31', -13), '2027-02-28')
  const { service_on } = draft
  const [refused] = refusalsOf(
    { ...draft, service_on: '2026-05-04' },
    { ...facts, limits: [own(once)] },
  )
  assert.deepEqual(
    [refused?.code, refused?.sentence],
    [
      'claimed_too_often',
      'You can’t claim Glasses and lenses before 2027-05-04: once every 24 months',
    ],
  )
  assert.equal(service_on, '2026-05-04')
})

test('of several limits the tightest counts; each kind has its sentence and its step', () => {
  const yearly = { ...limit, kind: 'per_year', claims: null, months: null } as const
  const for_mia = { ...draft, dependent_id: 'mia' }
  const under: Limit[] = [
    { ...yearly, name: null, category: null, cents: 90_000, used_cents: 80_000 },
    { ...yearly, cents: 30_000, used_cents: 27_000 },
    { ...yearly, kind: 'per_dependent', cents: 3900 },
    { ...limit, kind: 'waiting', claims: null, months: 6 },
    { ...limit, on_days: ['2020-01-01'] },
  ]
  const limits = under.map((one) => own(one, 'mia'))
  const refusals = refusalsOf(for_mia, { ...facts, limits })
    .filter(({ code }) => limit_codes.has(code))
    .map(({ code, sentence }) => [code, sentence])
  assert.deepEqual(refusals, [
    [
      'claimed_too_soon',
      'You can’t claim Glasses and lenses before 2026-07-01: 6 months after joining',
    ],
    [
      'yearly_limit_reached',
      'Glasses and lenses: at most 300.00 EUR in a plan year, 30.00 EUR left',
    ],
    [
      'dependent_limit_reached',
      'Glasses and lenses: at most 39.00 EUR in a plan year for each dependent, 39.00 EUR left',
    ],
  ])
  const { trace } = decide({ ...for_mia, amount_cents: 100 }, { ...facts, limits })
  const reader = { person: null, money: (cents: number) => `${cents}c`, day: (day: string) => day }
  const trace_texts = trace.map((step) => stepText(step, reader))
  for (const [title, sentence] of [
    ['Waiting time', 'Glasses and lenses: could be claimed from 2026-07-01'],
    ['How often', 'Glasses and lenses: once every 24 months, kept with this one'],
    ['Yearly limit', 'Glasses and lenses: 3000c of 30000c was left in the plan year'],
  ])
    assert.ok(
      trace_texts.some((one) => one.title === title && one.sentence === sentence),
      sentence,
    )
})
