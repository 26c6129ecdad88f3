// The words of a decision: true as they stand, to the employee as 'you', to HR by name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepText } from './trace-words.ts'
import { TraceRule, type TraceStep } from '#claims/words.contract.ts'

const money = (cents: number) => `€${(cents / 100).toFixed(2)}`
const textOf = (step: Partial<TraceStep>, person: string | null = null) =>
  stepText(
    { rule: 'employment', outcome: 'fine', facts: {}, ...step },
    { person, money, day: (day) => day },
  )

test('the employee is told of themselves, HR of the person', () => {
  const employed: Partial<TraceStep> = { facts: { service_on: '2026-03-01' } }
  assert.equal(textOf(employed).sentence, 'You were employed on 2026-03-01')
  assert.equal(textOf(employed, 'Ana').sentence, 'Ana was employed on 2026-03-01')
  const had: Partial<TraceStep> = { rule: 'available_balance', facts: { left_cents: 8000 } }
  assert.equal(textOf(had).sentence, 'You had €80.00 available')
  assert.equal(textOf(had, 'Ana').sentence, 'Ana had €80.00 available')
})

test('a check that failed never shows the name or the sentence of one that passed', () => {
  const two_sided: TraceRule[] = [
    'automatic_limit',
    'receipt_match',
    'duplicates',
    'automatic_this_month',
    'spot_check',
  ]
  for (const rule of two_sided) {
    const passed = textOf({ rule, facts: { found: 'agrees', below: 5 } })
    const failed = textOf({ rule, outcome: 'human', facts: { found: 'other_day', below: 5 } })
    assert.notEqual(passed.sentence, failed.sentence, rule)
    if (rule !== 'spot_check') assert.notEqual(passed.title, failed.title, rule)
  }
})

test('each doubt about a receipt has its own sentence, and every rule has words', () => {
  const founds = [
    'agrees',
    'none',
    'being_read',
    'unreadable',
    'other_currency',
    'other_amount',
    'other_day',
    'other_provider',
    'differs',
  ]
  const facts = {
    read_amount_cents: 7900,
    bill_cents: 8000,
    read_on: '2026-03-02',
    service_on: '2026-03-01',
  }
  const texts = founds.map(
    (found) =>
      textOf({ rule: 'receipt_match', outcome: 'human', facts: { ...facts, found } }).sentence,
  )
  assert.equal(new Set(texts).size, founds.length)
  assert.ok(texts.includes('The receipt says €79.00, the claim €80.00'))
  for (const rule of TraceRule.options) {
    const { title, sentence } = textOf({ rule, outcome: 'human' })
    assert.ok(title.length > 3 && sentence.length > 3 && !/undefined|null|NaN/.test(sentence), rule)
  }
})

test('of a receipt that was read in part, only what is missing could not be read', () => {
  const textOfRead = (read: TraceStep['facts']) =>
    textOf({ rule: 'receipt_match', outcome: 'human', facts: { found: 'unreadable', ...read } })
      .sentence
  const [amount, day] = [{ read_amount_cents: 7900 }, { read_on: '2026-03-02' }]
  assert.equal(
    textOfRead({ ...amount, read_on: null }),
    'The date could not be read from the receipt',
  )
  assert.equal(
    textOfRead({ ...day, read_amount_cents: null }),
    'The amount could not be read from the receipt',
  )
  const nothing = { read_amount_cents: null, read_on: null }
  assert.equal(textOfRead(nothing), 'The amount and the date could not be read from the receipt')
})
