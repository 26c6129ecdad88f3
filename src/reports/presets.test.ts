// Periods to choose from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { presetsOf } from './kinds.ts'

test('quarters to choose are those of the calendar, up to the month it is', () => {
  const of = (now: string) => [presetsOf(now)['This quarter'], presetsOf(now)['Last quarter']]
  assert.deepEqual(of('2026-11'), [
    ['2026-10', '2026-11'],
    ['2026-07', '2026-09'],
  ])
  assert.deepEqual(of('2027-01'), [
    ['2027-01', '2027-01'],
    ['2026-10', '2026-12'],
  ])
})
