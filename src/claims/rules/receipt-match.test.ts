// The receipts of a claim beside what it says, and the words for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiptMatch } from './receipt-match.ts'
import { stepText } from './trace-words.ts'
import { read_receipt, type ReadReceipt } from '../../../test/world/read-receipt.ts'

const draft = { provider: 'Harbour Clinic', service_on: '2026-05-04', bill_cents: 4000 }

function match(...receipts: Partial<ReadReceipt>[]) {
  const all = receipts.map((one) => ({ ...read_receipt, ...one }))
  const { fine, facts } = receiptMatch(draft, { currency: 'EUR', receipts: all })
  const step = { rule: 'receipt_match', outcome: fine ? 'fine' : 'human', facts } as const
  return { fine, ...stepText(step, { person: null, money: String, day: String }) }
}

test('several receipts of one visit agree together, where no two say the same', () => {
  const saying = (...all: number[]) =>
    match(...all.map((read_amount_cents) => ({ read_amount_cents }))).fine
  assert.ok(saying(2800, 1200))
  assert.ok(!saying(2000, 2000), 'a bill, and the slip of the card')
  assert.ok(!saying(2800, 1201))
  const sentenceOf = (other: Partial<ReadReceipt>) => {
    const { fine, sentence } = match(
      { read_amount_cents: 2800 },
      { read_amount_cents: 1200, ...other },
    )
    assert.ok(!fine)
    return sentence
  }
  const but = 'The receipts come to the amount together, but '
  const day = { read_on: '2026-05-05' }
  const provider = { read_provider: 'Corner Bakery' }
  const of_day = `the one of 1200 is of 2026-05-05, the claim of ${draft.service_on}`
  assert.equal(sentenceOf(day), `${but}${of_day}`)
  assert.equal(sentenceOf(provider), `${but}the one of 1200 names another provider`)
  assert.equal(sentenceOf({ ...day, ...provider }), `${but}${of_day}, and names another provider`)
  assert.equal(sentenceOf({ read_on: null }), `${but}the date of one could not be read`)
  const blacked = { ...day, blacked_reads: ['amount' as const, 'on' as const] }
  assert.equal(sentenceOf(blacked), `${but}one is of another day, the claim of ${draft.service_on}`)
})

test('one receipt of several that agrees is enough, unless another says otherwise: then a person decides', () => {
  const one_of = 'Amount and date match one of the receipts'
  const sentenceWith = (other: Partial<ReadReceipt>) => {
    const { fine, sentence } = match(other, {})
    return { fine, sentence }
  }
  const unreadable = { read_state: 'unreadable', read_amount_cents: null, read_on: null } as const
  for (const other of [unreadable, { read_amount_cents: null }, { read_on: null }, {}])
    assert.deepEqual(sentenceWith(other), { fine: true, sentence: one_of })
  const doubts: [Partial<ReadReceipt>, string][] = [
    [{ read_amount_cents: 900 }, 'says 900'],
    [{ read_amount_cents: 900, read_on: null }, 'says 900'],
    [{ read_on: '2026-05-05', read_amount_cents: null }, 'is of 2026-05-05'],
    [{ read_provider: 'Corner Bakery' }, 'names another provider'],
    [{ read_currency: 'USD' }, 'is in another currency'],
    [{ read_amount_cents: 900, blacked_reads: ['amount'] }, 'says another amount'],
    [{ read_on: '2026-05-05', blacked_reads: ['on'] }, 'is of another day'],
    [{ read_provider: null, same_provider: false }, 'names another provider'],
  ]
  for (const [other, how] of doubts)
    assert.deepEqual(sentenceWith(other), {
      fine: false,
      sentence: `${one_of}, but another ${how}`,
    })
})
