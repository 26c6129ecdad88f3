// The words for a deadline count the days of the calendar, at any hour.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedScene } from '../../../test/world/scene.ts'
import { daysLeft } from '#claims/claim-detail.server.ts'
import { dueText } from './due-words.ts'

const scene = openedScene()

const friday_off = ['2026-11-27']

async function textAt(now: string, due_at: string, days_off: string[] = []) {
  const zone = 'Europe/Zagreb'
  const [row] = await scene.sql<[{ days: number }]>`
    select ${daysLeft(scene.sql)} as days from (select ${due_at}::timestamptz as due_at) c,
      (select ${zone}::text as time_zone, ${days_off}::date[] as days_off,
        working_days_through(${now}, ${zone}, ${days_off}) as today) cal`
  return dueText(row.days, now > due_at)
}

test('a deadline is today, or so many working days away, whatever the hour', async () => {
  const wednesday = '2026-11-25T08:00Z'
  assert.equal(await textAt(wednesday, '2026-11-25T14:21Z'), 'Due today')
  assert.equal(await textAt(wednesday, '2026-11-26T14:21Z'), 'Due in 1 working day')
  assert.equal(await textAt('2026-11-25T16:00Z', '2026-11-26T08:00Z'), 'Due in 1 working day')
  assert.equal(await textAt(wednesday, '2026-11-30T08:00Z'), 'Due in 3 working days')
  assert.equal(await textAt(wednesday, '2026-11-30T08:00Z', friday_off), 'Due in 2 working days')
})

test('at a weekend the next Monday is one working day away, also to its midnight', async () => {
  const saturday = '2026-11-21T12:00Z'
  assert.equal(await textAt(saturday, '2026-11-23T10:00Z'), 'Due in 1 working day')
  assert.equal(await textAt(saturday, '2026-11-23T23:00Z'), 'Due in 1 working day')
  assert.equal(await textAt('2026-11-23T09:00Z', '2026-11-23T23:00Z'), 'Due today')
})

test('past it, the working days since then are counted as well', async () => {
  assert.equal(await textAt('2026-11-25T15:00Z', '2026-11-25T14:21Z'), 'Overdue')
  assert.equal(await textAt('2026-11-26T08:00Z', '2026-11-25T14:21Z'), '1 working day overdue')
  assert.equal(await textAt('2026-11-29T08:00Z', '2026-11-27T14:21Z'), 'Overdue')
})
