// Days of moments are those of the company, wherever the device is.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { GivenRight } from '#users/giving.contract.ts'
import { rightSpan } from '#settings/right-span.ts'
import { keepDaysOf } from '#ui/calendar-days.ts'
import { dateText } from '#ui/date-words.ts'

/** 25 hours lie between them: of no device is it the same day as in both. */
const begins_on_10th = {
  'Pacific/Kiritimati': '2026-01-09T10:00:00Z',
  'Pacific/Niue': '2026-01-10T11:00:00Z',
}
afterEach(() => keepDaysOf(undefined))

for (const [zone, midnight] of Object.entries(begins_on_10th)) {
  test(`a midnight in ${zone} is the day that begins there, and as a deadline the one before`, () => {
    keepDaysOf(zone)
    assert.equal(dateText(midnight), dateText('2026-01-10'))
    assert.equal(dateText(midnight, 'deadline'), dateText('2026-01-09'))
    assert.equal(dateText(midnight, 'beginning'), dateText('2026-01-10'))
    const later = new Date(Date.parse(midnight) + 60_000).toISOString()
    assert.equal(dateText(later, 'beginning'), dateText(later, 'moment'))
    assert.equal(dateText(midnight, 'month'), dateText('2026-01-10', 'month'))
  })

  test(`a right in ${zone} counts from its first day until its last`, () => {
    keepDaysOf(zone)
    const ends_at = new Date(Date.parse(midnight) + 5 * 86_400_000).toISOString()
    const right = { kind: 'viewer', begins_at: midnight, ends_at, given_by: 'Ana' }
    const span = rightSpan({ ...right, confirmed_by: null, waits: true } as GivenRight)
    const days = `${dateText('2026-01-10')} until ${dateText('2026-01-14')}`
    assert.equal(span, `given ${days}, by Ana`)
  })
}
