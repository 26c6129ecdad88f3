// Reminders of health checks: once, in time, in the words and hours of the place.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayInParis, in_paris, noticesTo, open } from '../../test/world/health-checks.ts'
import { fund, spread } from '../../test/world/money.ts'
import { crowdOf, type Person } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { remindAt } from './jobs.server.ts'

const scene = openedScene()
const company = opened(() => scene.company())
const provider = opened(() => scene.superAdmin())

describe('reminders', () => {
  test('come once, the day before at nine where the check is, late after a time of being down', async () => {
    const { ids, provider_id } = await open(provider, dayInParis(7), 2, 'Asia/Dubai') // no summer time
    const [ben, cem] = await crowdOf(company, 2)
    for (const [person, at] of [
      [ben, 0],
      [cem, 1],
    ] as const) {
      await person!.api.health_checks.book({ slot_id: ids[at]! })
    }
    await scene.sql`update check_bookings set changed_at = now() - interval '9 days'
      where slot_id = any (${ids})`
    const [slot] = await ben!.api.health_checks.slots({
      provider_id,
      from_on: dayInParis(7),
      to_on: dayInParis(7),
    })
    const start = Date.parse(slot!.starts_at) // nine in the morning there
    const noticesFor = async (person: Person) =>
      (await noticesTo(scene, person))
        .filter(({ code }) => code.startsWith('check_to'))
        .map(({ code }) => code)
    const hours = (by: number) => new Date(start + by * 3_600_000)
    await remindAt(scene.sql, hours(-24.5))
    assert.deepEqual(await noticesFor(ben!), [])
    await remindAt(scene.sql, hours(-24 + 0.01))
    await remindAt(scene.sql, hours(-23))
    assert.deepEqual(await noticesFor(ben!), ['check_tomorrow'])
    const [moved] = await cem!.api.health_checks.mine({})
    await cem!.api.health_checks.move({ id: moved!.id, slot_id: ids[2]! })
    await scene.sql`update check_bookings set changed_at = now() - interval '9 days'
      where slot_id = any (${ids})`
    await remindAt(scene.sql, hours(-0.5))
    assert.deepEqual(await noticesFor(cem!), ['check_tomorrow', 'check_today'])
    assert.equal((await noticesFor(ben!)).length, 1)
  })

  test('who booked after nine of the day before knows already', async () => {
    const { ids, provider_id } = await open(provider)
    const ben = await company.hire()
    await ben.api.health_checks.book({ slot_id: ids[0]! })
    const [slot] = await ben.api.health_checks.slots({
      provider_id,
      from_on: dayInParis(7),
      to_on: dayInParis(7),
    })
    const at = new Date(Date.parse(slot!.starts_at) - 3_600_000)
    await scene.sql`update check_bookings set changed_at = ${at.toISOString()} where slot_id = ${ids[0]!}`
    await remindAt(scene.sql, at)
    const codes = (await noticesTo(scene, ben)).map(({ code }) => code)
    assert.deepEqual(codes, ['check_booked'])
  })

  test('whoever is expected is told that the place changed, and their calendar follows', async () => {
    const { ids, provider_id, day } = await open(provider)
    const [ben, cem, dan] = await crowdOf(company, 3)
    const booked = await ben!.api.health_checks.book({ slot_id: ids[0]! })
    const off = await cem!.api.health_checks.book({ slot_id: ids[1]! })
    await cem!.api.health_checks.cancel({ id: off.id })
    const went = await dan!.api.health_checks.book({ slot_id: ids[2]! })
    await scene.sql`update check_bookings set starts_at = now() where id = ${went.id}`
    const sequenceOf = async () =>
      /^SEQUENCE:(\d+)/m.exec(
        await (await ben!.api.health_checks.calendar({ id: booked.id })).text(),
      )?.[1]
    const changed = { ...in_paris, id: provider_id, time_zone: 'Europe/Paris' }
    await provider.api.health_checks.change_provider({ ...changed, note: 'Ring twice', version: 1 })
    assert.equal(await sequenceOf(), '0')
    const place = '2 Rue du Parc, Paris'
    await provider.api.health_checks.change_provider({ ...changed, place, version: 2 })
    assert.equal(await sequenceOf(), '1')
    const lastNotice = async (person: Person) => (await noticesTo(scene, person)).at(-1)
    const notice = await lastNotice(ben!)
    assert.equal(notice?.code, 'check_place_changed')
    assert.equal(notice.facts.time_zone, 'Europe/Paris')
    assert.ok(!JSON.stringify(notice).includes('Rue'))
    assert.deepEqual(
      [(await lastNotice(cem!))?.code, (await lastNotice(dan!))?.code],
      ['check_cancelled', 'check_booked'],
    )
    assert.equal((await provider.api.health_checks.day_list({ provider_id, day })).length, 9)
  })

  test('the dashboard’s facts: no check for a year, the next one, money that will expire', async () => {
    const other = await scene.company({ name: 'Mindful' })
    const pools = spread(100_000, 100_000, 100_000)
    await fund(provider, other, pools, { amount_cents: 1_000_000 })
    const ben = await other.hire()
    const facts = () => ben.api.health_checks.reminder({})
    const before = await facts()
    assert.deepEqual([before.due, before.last_check_on, before.next], [true, null, null])
    const { ids } = await open(provider)
    const booked = await ben.api.health_checks.book({ slot_id: ids[0]! })
    assert.equal((await facts()).next!.id, booked.id)
    assert.equal((await facts()).due, false)
    const went = async (days: number) => {
      await scene.sql`update check_bookings set starts_at = now() - make_interval(days => ${days}),
        day = company_today(${other.id}) - ${days}::int where id = ${booked.id}`
      return facts()
    }
    assert.equal((await went(200)).due, false)
    assert.equal((await went(400)).due, true)

    const { ends_on } = await other.admin.api.funds.overview({})
    const cents = (all: { amount_cents: number }[]) => all.map(({ amount_cents }) => amount_cents)
    assert.deepEqual(cents(before.expiring), [20_000, 10_000, 70_000])
    assert.equal(before.expiring[0]!.use_by, ends_on)
    await scene.sql`update plan_years set carry_over = 'up_to', carry_over_max_cents = 15000
      where company_id = ${other.id}`
    assert.deepEqual(cents((await facts()).expiring), [5_000, 55_000])
    await scene.sql`update plan_years set carry_over = 'all', carry_over_max_cents = null
      where company_id = ${other.id}`
    assert.deepEqual(cents((await facts()).expiring), [])
    const { version } = await other.admin.api.employees.find({ id: ben.id })
    const today = (await ben.api.dependents.mine({})).today
    await other.admin.api.employees.leave({ id: ben.id, version, left_on: today })
    const leaving = (await facts()).expiring
    assert.deepEqual(cents(leaving), [20_000, 10_000, 70_000])
    assert.equal(leaving[0]!.use_by, today)
  })
})
