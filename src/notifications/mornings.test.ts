// The morning's mail comes at seven, on working days, wherever its reader is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

const morning = async (at: string, zone: string, off: string[] = []) => {
  const [row] = await scene.sql<[{ morning: string }]>`
    select to_char(private.next_morning(${at}, ${zone}, ${off}::date[]) at time zone ${zone},
      'Dy YYYY-MM-DD HH24:MI') as morning`
  return row.morning
}

test('the next one that is to come, on the same day or the next', async () => {
  assert.equal(await morning('2026-11-24T06:59Z', 'UTC'), 'Tue 2026-11-24 07:00')
  assert.equal(await morning('2026-11-24T07:00Z', 'UTC'), 'Wed 2026-11-25 07:00')
  assert.equal(await morning('2026-12-31T12:00Z', 'UTC'), 'Fri 2027-01-01 07:00')
  assert.equal(await morning('2028-02-28T12:00Z', 'UTC'), 'Tue 2028-02-29 07:00')
})

test('what comes on a Friday or a weekend waits for Monday', async () => {
  for (const at of ['2026-11-27T07:00Z', '2026-11-28T03:00Z', '2026-11-29T23:00Z'])
    assert.equal(await morning(at, 'UTC'), 'Mon 2026-11-30 07:00', at)
})

test('a public holiday is gathered, too, alone and beside a weekend', async () => {
  const easter = ['2027-03-26', '2027-03-29']
  assert.equal(await morning('2027-03-25T09:00Z', 'UTC', easter), 'Tue 2027-03-30 07:00')
  assert.equal(
    await morning('2026-12-23T09:00Z', 'UTC', ['2026-12-24', '2026-12-25']),
    'Mon 2026-12-28 07:00',
  )
})

test('it is the weekend of their own zone, and seven by their clock when it is changed', async () => {
  // Sunday there, Saturday in UTC; Friday there, Saturday in UTC.
  assert.equal(await morning('2026-11-28T12:00Z', 'Pacific/Kiritimati'), 'Mon 2026-11-30 07:00')
  assert.equal(await morning('2026-11-28T02:00Z', 'America/New_York'), 'Mon 2026-11-30 07:00')
  assert.equal(await morning('2026-11-27T11:00Z', 'America/New_York'), 'Fri 2026-11-27 07:00')
  assert.equal(await morning('2026-10-30T20:00Z', 'America/New_York'), 'Mon 2026-11-02 07:00')
})

test('an admin of a company with a holiday that day is mailed the day after it', async () => {
  const { id, admin } = await scene.company()
  await scene.sql`insert into holiday_places (country, name, list) values ('XX', 'Elsewhere', 'none')`
  const [place] = await scene.sql<[{ day: string }]>`
    insert into public_holidays (country, region, on_day, name)
      select 'XX', '', (private.next_morning(now(), 'UTC', '{}') at time zone 'UTC')::date, 'Founders'
      returning on_day::text as day`
  await scene.sql`update companies set country = 'XX', region = '', time_zone = 'UTC' where id = ${id}`
  await scene.sql`select notify_person(${admin.id}, 'claim_submitted')`
  const [notice] = await scene.sql<[{ later: boolean }]>`
    select (mail_at at time zone 'UTC')::date > ${place.day}::date as later from notifications
    where person_id = ${admin.id} and code = 'claim_submitted'`
  assert.equal(notice.later, true)
})
