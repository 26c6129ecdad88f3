import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesToDelete, stampOf } from './keeping.ts'

const keep = { days: 7, weeks: 4, months: 12 }
const day_ms = 86_400_000
const nightly = (nights: number) =>
  Array.from({ length: nights }, (_, night) =>
    stampOf(new Date(Date.parse('2024-01-01T02:17:00Z') + night * day_ms)),
  )

test('of three years of nights the last days, weeks and months stay', () => {
  const names = nightly(1096) // to 31 December 2026
  const gone = new Set(namesToDelete(names, keep))
  const kept = names.filter((name) => !gone.has(name)).map((name) => name.slice(0, 10))
  assert.deepEqual(
    kept.slice(-7),
    [25, 26, 27, 28, 29, 30, 31].map((day) => `2026-12-${day}`),
  )
  // The Sundays before, and the last days of the months before.
  assert.ok(['2026-12-13', '2026-12-20'].every((day) => kept.includes(day)))
  assert.ok(['2026-01-31', '2026-02-28', '2026-11-30'].every((day) => kept.includes(day)))
  assert.ok(!kept.includes('2025-12-31'))
  assert.equal(kept.length, 7 + 2 + 11)
})

test('night after night it comes to the same as at once', () => {
  const all = nightly(400)
  let there: string[] = []
  for (const name of all) {
    there.push(name)
    const gone = new Set(namesToDelete(there, keep))
    there = there.filter((one) => !gone.has(one))
  }
  const gone = new Set(namesToDelete(all, keep))
  assert.deepEqual(
    there.filter((name) => gone.has(name)),
    [],
  )
})

test('the newest stays, whatever the settings say, and what was named by hand is left alone', () => {
  const none = { days: 0, weeks: 0, months: 0 }
  const names = ['friday', '2026-01-01T021700', '2026-01-02T021700', '2026-01-03T021700.part']
  assert.deepEqual(namesToDelete(names, none), ['2026-01-01T021700'])
})
