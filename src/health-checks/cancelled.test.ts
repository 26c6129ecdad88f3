// Bookings when something is removed, who may know of them, and the file for a calendar.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import { todayOf } from '../../test/world/company.ts'
import { dayInParis, morningSlots, noticesTo, open } from '../../test/world/health-checks.ts'
import { crowdOf, refuses } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
const company = opened(() => scene.company())
const ana = opened(() => company.hire('Ana'))
const provider = opened(() => scene.superAdmin())

describe('what is not there any more', () => {
  test('full, past and closed times each say so', async () => {
    const { ids, provider_id, day } = await open(provider, dayInParis(7), 1)
    const ben = await company.hire()
    await ben.api.health_checks.book({ slot_id: ids[0]! })
    const days = { provider_id, from_on: day, to_on: day }
    const shown = async () => (await ana.api.health_checks.offered_slots(days)).slice(0, 4)
    const refusals = async () => (await shown()).map(({ refusals: { book } }) => book)
    assert.deepEqual(await refusals(), ['slot_full', null, null, null])
    await refuses('slot_full', ana.api.health_checks.book({ slot_id: ids[0]! }))
    await provider.api.health_checks.close_slot({ id: ids[1]! })
    await refuses('slot_closed', ana.api.health_checks.book({ slot_id: ids[1]! }))
    await refuses('slot_closed', provider.api.health_checks.close_slot({ id: ids[1]! }))
    await scene.sql`update check_slots set starts_at = now() - interval '1 minute' where id = ${ids[2]!}`
    const over = new Set(await refusals())
    assert.deepEqual(over, new Set(['slot_in_the_past', 'slot_full', 'slot_closed', null]))
    await refuses('slot_in_the_past', ana.api.health_checks.book({ slot_id: ids[2]! }))
    await refuses('slot_in_the_past', provider.api.health_checks.close_slot({ id: ids[2]! }))
    await refuses('not_found', ana.api.health_checks.book({ slot_id: ana.id }))
    const mine = await ben.api.health_checks.mine({})
    assert.deepEqual(mine[0]!.refusals, { move: null, cancel: null })
    await scene.sql`update check_bookings set starts_at = now() where id = ${mine[0]!.id}`
    const [begun] = await ben.api.health_checks.mine({})
    assert.deepEqual(begun!.refusals, { move: 'check_has_begun', cancel: 'check_has_begun' })
    await refuses('check_has_begun', ben.api.health_checks.cancel({ id: mine[0]!.id }))
    await refuses(
      'check_has_begun',
      ben.api.health_checks.move({ id: mine[0]!.id, slot_id: ids[3]! }),
    )
  })

  test('whoever booked a time that is closed is told why, and may book another', async () => {
    const { ids, provider_id, day } = await open(provider)
    const [ben, cem] = await crowdOf(company, 2)
    await ben!.api.health_checks.book({ slot_id: ids[0]! })
    await cem!.api.health_checks.book({ slot_id: ids[1]! })
    const closed = await provider.api.health_checks.close_slot({
      id: ids[0]!,
      reason: 'The doctor is ill',
    })
    assert.equal(closed.cancelled, 1)
    const [gone] = await ben!.api.health_checks.mine({})
    assert.deepEqual([gone!.status, gone!.cancelled_side], ['cancelled', 'provider'])
    assert.equal(gone!.refusals.cancel, 'booking_cancelled')
    assert.equal(gone!.cancel_reason, 'The doctor is ill')
    assert.equal((await noticesTo(scene, ben!)).at(-1)!.code, 'check_cancelled')
    await ben!.api.health_checks.book({ slot_id: ids[2]! })
    const rest = await provider.api.health_checks.close_day({ provider_id, day })
    assert.equal(rest.cancelled, 2)
    await refuses('nothing_to_close', provider.api.health_checks.close_day({ provider_id, day }))
    await provider.api.health_checks.reopen_slot({ id: ids[0]! })
    await refuses('slot_open', provider.api.health_checks.reopen_slot({ id: ids[0]! }))
    await cem!.api.health_checks.book({ slot_id: ids[0]! })
    const [slot] = await cem!.api.health_checks.slots({ provider_id, from_on: day, to_on: day })
    assert.deepEqual([slot!.taken, slot!.closed_at], [1, null])
  })

  test('closing and booking at the same moment leave nobody with a closed time', async () => {
    const { ids } = await open(provider, dayInParis(7), 5)
    const crowd = await crowdOf(company, 5)
    await Promise.allSettled([
      ...crowd.map(({ api }) => api.health_checks.book({ slot_id: ids[0]! })),
      provider.api.health_checks.close_slot({ id: ids[0]! }),
    ])
    const [left] = await scene.sql`
      select taken, (select count(*)::int from check_bookings where slot_id = s.id and status = 'booked') as kept
      from check_slots s where id = ${ids[0]!}`
    assert.deepEqual({ ...left }, { taken: 0, kept: 0 })
  })

  test('a provider that closes takes its times along, and can open again', async () => {
    const { ids, provider_id, day } = await open(provider)
    const ben = await company.hire()
    await ben.api.health_checks.book({ slot_id: ids[0]! })
    const { health_checks: acts } = provider.api
    assert.equal((await acts.close_provider({ id: provider_id })).cancelled, 1)
    const found = (await acts.providers({})).find(({ id }) => id === provider_id)
    const of_closed = { add_slots: 'provider_closed', close: 'provider_closed', reopen: null }
    assert.deepEqual(found!.refusals, of_closed)
    await refuses('provider_closed', acts.close_provider({ id: provider_id }))
    await refuses('provider_closed', acts.add_slots(morningSlots(provider_id, dayInParis(9))))
    const shown = async () => (await acts.day_list({ provider_id, day }))[0]?.refusals.reopen
    assert.equal(await shown(), 'provider_closed')
    await refuses('provider_closed', acts.reopen_slot({ id: ids[0]! }))
    await refuses('slot_closed', ben.api.health_checks.book({ slot_id: ids[0]! }))
    const providers = await ben.api.health_checks.providers({})
    assert.ok(!providers.some(({ id }) => id === provider_id))
    await acts.reopen_provider({ id: provider_id })
    await refuses('provider_open', acts.reopen_provider({ id: provider_id }))
    assert.equal(await shown(), null)
    await acts.reopen_slot({ id: ids[0]! })
    assert.equal(await shown(), 'slot_open')
    assert.equal((await acts.day_list({ provider_id, day })).length, 9)
  })

  test('nobody is offered a time after their last day', async () => {
    const { provider_id, ids } = await open(provider, dayInParis(2), 2)
    await provider.api.health_checks.add_slots(morningSlots(provider_id, dayInParis(7)))
    const gil = await company.hire('Gil')
    const offered = async () => {
      const slots = await gil.api.health_checks.offered_slots({
        provider_id,
        from_on: dayInParis(1),
        to_on: dayInParis(9),
      })
      const { providers, left_on, refusals } = await gil.api.health_checks.offered({})
      const { next_free_on } = providers.find(({ id }) => id === provider_id)!
      return [slots.length, next_free_on, left_on, refusals.book]
    }
    assert.deepEqual(await offered(), [ids.length * 2, dayInParis(2), null, null])
    const { version } = await company.admin.api.employees.find({ id: gil.id })
    const gone = { id: gil.id, version, left_on: dayInParis(3) }
    const left = await company.admin.api.employees.leave(gone)
    assert.deepEqual(await offered(), [ids.length, dayInParis(2), dayInParis(3), null])
    const sooner = { ...gone, version: left.version, left_on: dayInParis(1) }
    await company.admin.api.employees.leave(sooner)
    assert.deepEqual(await offered(), [0, null, dayInParis(1), null])
    const today = await todayOf(scene, company)
    for (const [left_on, refusal] of [
      [today, null],
      [daysAfter(today, -1), 'after_your_last_day'],
    ] as const) {
      await scene.sql`update profiles set left_on = ${left_on}, joined_on = ${left_on}
        where id = ${gil.id}`
      const { refusals } = await gil.api.health_checks.reminder({})
      assert.deepEqual(await offered(), [0, null, left_on, refusal])
      assert.equal(refusals.book, refusal)
    }
  })

  test('the check that HR sets up has its next free day, whatever the last day of whoever looks', async () => {
    const hana = await company.hire('Hana')
    await giveRights(scene, company, hana, 'people')
    await scene.sql`update profiles set left_on = ${dayInParis(2)} where id = ${hana.id}`
    const { provider_id } = await open(hana, dayInParis(5))
    const { offered, providers } = hana.api.health_checks
    const [mine, to_book] = await Promise.all([providers({}), offered({})])
    assert.equal(mine.find(({ id }) => id === provider_id)!.next_free_on, dayInParis(5))
    assert.equal(to_book.providers.find(({ id }) => id === provider_id)!.next_free_on, null)
  })

  test('whoever leaves or is suspended gives their places free', async () => {
    const { ids } = await open(provider, dayInParis(7), 2)
    const [ben, cem] = await crowdOf(company, 2)
    await ben!.api.health_checks.book({ slot_id: ids[0]! })
    await cem!.api.health_checks.book({ slot_id: ids[0]! })
    const { version } = await company.admin.api.employees.find({ id: ben!.id })
    await company.admin.api.employees.leave({ id: ben!.id, version, left_on: dayInParis(3) })
    await company.admin.api.employees.suspend({ id: cem!.id })
    const [{ taken }] = await scene.sql<[{ taken: number }]>`
      select taken from check_slots where id = ${ids[0]!}`
    assert.equal(taken, 0)
    assert.equal((await ben!.api.health_checks.mine({}))[0]!.cancelled_side, 'company')
    const { notifications } = await ben!.api.notifications.list({})
    const cancelled = notifications.find(({ code }) => code === 'check_cancelled')!
    assert.match(
      inWords(cancelled, in_mails).sentence,
      /was released, as it is after your last day at the company, /,
    )
    await refuses('after_your_last_day', ben!.api.health_checks.book({ slot_id: ids[0]! }))
    await refuses('not_signed_in', cem!.api.health_checks.book({ slot_id: ids[0]! }))
  })
})

test('so does an employee who has become an admin and is suspended', async () => {
  const { ids } = await open(provider, dayInParis(7), 1)
  const dora = await company.hire('Dora')
  await dora.api.health_checks.book({ slot_id: ids[0]! })
  await scene.sql`update profiles set role = 'company_admin', has_own = true where id = ${dora.id}`
  await provider.api.users.suspend({ id: dora.id })
  const [{ taken }] = await scene.sql<[{ taken: number }]>`
    select taken from check_slots where id = ${ids[0]!}`
  assert.equal(taken, 0)
})

describe('who may know', () => {
  test('HR has the names of its own days; the platform has codes, and HR nothing of those', async () => {
    const of_platform = await open(provider)
    const of_acme = await open(company.admin, dayInParis(8))
    const ben = await company.hire('Ben')
    const there = await ben.api.health_checks.book({ slot_id: of_platform.ids[0]! })
    await ben.api.health_checks.book({ slot_id: of_acme.ids[0]! })

    const { provider_id, day } = of_acme
    const [first] = await company.admin.api.health_checks.day_list({ provider_id, day })
    assert.deepEqual(first!.visitors, ['Ben'])
    const codes = await provider.api.health_checks.day_list({
      provider_id: of_platform.provider_id,
      day: of_platform.day,
    })
    assert.deepEqual(codes[0]!.visitors, [there.code])
    assert.ok(!JSON.stringify(codes).includes('Ben'))
    assert.ok(!JSON.stringify(codes).includes(ben.id))
    await refuses(
      'not_found',
      company.admin.api.health_checks.day_list({
        provider_id: of_platform.provider_id,
        day: of_platform.day,
      }),
    )
  })

  test('the history of rows tells nobody who booked', async () => {
    const { ids } = await open(provider)
    const ben = await company.hire()
    const { id } = await ben.api.health_checks.book({ slot_id: ids[0]! })
    await ben.api.health_checks.cancel({ id })
    const notices = await scene.sql`
      select from audit_log where actor_id = ${ben.id} and table_name like 'check%'`
    assert.equal(notices.length, 0)
  })

  test('nobody reaches the booking of somebody else', async () => {
    const { ids } = await open(provider)
    const ben = await company.hire()
    const { id } = await ben.api.health_checks.book({ slot_id: ids[0]! })
    for (const { api } of [ana, await (await scene.company({ name: 'Elsewhere' })).hire()]) {
      await refuses('not_found', api.health_checks.cancel({ id }))
      await refuses('not_found', api.health_checks.move({ id, slot_id: ids[1]! }))
      await refuses('not_found', api.health_checks.calendar({ id }))
    }
    await refuses('forbidden', company.admin.api.health_checks.mine({}))
  })
})

describe('the calendar file', () => {
  test('keeps its UID, counts changes, and takes the entry away when cancelled', async () => {
    const { ids, day } = await open(provider)
    const ben = await company.hire()
    const { id } = await ben.api.health_checks.book({ slot_id: ids[0]! })
    const file = async () => (await ben.api.health_checks.calendar({ id })).text()
    const field = (text: string, name: string) =>
      new RegExp(`^${name}[^:\r\n]*:(.*)\r$`, 'm').exec(text)?.[1]
    const first = await file()
    assert.equal(field(first, 'METHOD'), 'PUBLISH')
    assert.equal(field(first, 'SEQUENCE'), '0')
    assert.equal(field(first, 'CLASS'), 'PRIVATE')
    assert.ok(field(first, 'DTSTART')!.startsWith(day.replaceAll('-', '')))
    assert.equal(field(first, 'SUMMARY'), 'Health check')
    await ben.api.health_checks.move({ id, slot_id: ids[3]! })
    const second = await file()
    assert.equal(field(second, 'UID'), field(first, 'UID'))
    assert.equal(field(second, 'SEQUENCE'), '1')
    await ben.api.health_checks.cancel({ id })
    const third = await file()
    assert.deepEqual(
      ['METHOD', 'STATUS', 'SEQUENCE', 'UID'].map((name) => field(third, name)),
      ['CANCEL', 'CANCELLED', '2', field(first, 'UID')],
    )
    assert.ok(!third.includes('VALARM'))
  })

  test('has the code that is said at a provider’s desk; HR of the own company knows the names', async () => {
    for (const by of [provider, company.admin]) {
      const { ids } = await open(by)
      const { api } = await company.hire()
      const { id, code } = await api.health_checks.book({ slot_id: ids[0]! })
      const file = await (await api.health_checks.calendar({ id })).text()
      assert.equal(file.includes(`Your code at the desk: ${code}`), by === provider)
      assert.equal(file.includes(code), by === provider)
    }
  })
})
