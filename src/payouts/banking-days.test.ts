import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextBankingDay } from './banking-days.ts'

test('a payout in euro is proposed for no weekend, and no closing day of the banks', () => {
  const proposed = {
    '2026-11-26': '2026-11-27',
    '2026-11-27': '2026-11-30',
    '2026-12-24': '2026-12-28',
    '2026-12-31': '2027-01-04',
    '2027-03-25': '2027-03-30',
    '2024-03-28': '2024-04-02',
    '2038-04-22': '2038-04-27',
    '2025-04-30': '2025-05-02',
    '2026-04-30': '2026-05-04',
  }
  for (const [today, day] of Object.entries(proposed))
    assert.equal(nextBankingDay(today, 'EUR'), day, today)
})

test('in another currency banks have holidays of their own: none is known, and weekends are', () => {
  assert.equal(nextBankingDay('2027-03-25', 'USD'), '2027-03-26')
  assert.equal(nextBankingDay('2027-03-26', 'USD'), '2027-03-29')
})
