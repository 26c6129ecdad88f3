// Providers, their times and who books them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import { daysAfter } from '#lib/days.ts'
import {
  dayInParis,
  in_paris,
  morningSlots,
  noticesTo,
  open,
  spring,
} from '../../test/world/health-checks.ts'
import { crowdOf, refuses, won, type Person } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
const company = opened(() => scene.company())
const ana = opened(() => company.hire('Ana'))
const provider = opened(() => scene.superAdmin())

describe('setting up', () => {
  test('every weekday from nine to twelve, twenty minutes, two places', async () => {
    const { id } = await provider.api.health_checks.add_provider(in_paris)
    const [monday, friday] = [daysAfter(spring, -6), daysAfter(spring, 5)]
    const pattern = { ...morningSlots(id, monday), to_on: friday, weekdays: [1, 2, 3, 4, 5] }
    const preview = await provider.api.health_checks.preview_slots(pattern)
    assert.deepEqual([preview.slots, preview.days], [90, 10])
    // Nine o'clock stays nine o'clock.
    assert.equal(preview.first_at, `${monday}T08:00:00.000Z`)
    assert.equal(preview.last_at, `${friday}T09:40:00.000Z`)
    await provider.api.health_checks.add_slots(pattern)
    const more = await provider.api.health_checks.preview_slots({
      ...pattern,
      to_on: daysAfter(friday, 3),
    })
    assert.deepEqual([more.slots, more.already_there], [9, 90])
    await refuses('slot_already_there', provider.api.health_checks.add_slots(pattern))
    const [shown] = await provider.api.health_checks
      .providers({})
      .then((all) => all.filter((p) => p.id === id))
    assert.deepEqual([shown!.slots, shown!.places, shown!.booked], [90, 180, 0])
    assert.equal(shown!.next_free_on, monday)
  })

  test('what cannot be a time is refused, each in its own sentence', async () => {
    const { id } = await provider.api.health_checks.add_provider(in_paris)
    const monday = daysAfter(spring, -6)
    const add = (change: object) =>
      provider.api.health_checks.add_slots({ ...morningSlots(id, monday), ...change })
    await refuses('slot_in_the_past', add({ from_on: dayInParis(-3), to_on: dayInParis(-1) }))
    await refuses('no_such_day', add({ weekdays: [2] }))
    await refuses('invalid_input', add({ weekdays: [] }))
    await refuses('invalid_input', add({ to_on: daysAfter(monday, -1) }))
    await refuses('invalid_input', add({ to_on: daysAfter(monday, 367) }))
    await refuses('invalid_input', add({ to_time: '09:10' }))
    await refuses('invalid_input', add({ from_time: '9am' }))
    await refuses('invalid_input', add({ capacity: 0 }))
    await refuses(
      'too_many_slots',
      add({ to_on: daysAfter(monday, 360), from_time: '00:00', to_time: '23:59', minutes: 5 }),
    )
    await refuses(
      'invalid_input',
      provider.api.health_checks.add_provider({ ...in_paris, time_zone: 'Mars/Olympus' }),
    )
  })

  test('a provider changes by the version that was seen, and its clock only without times', async () => {
    const made = await provider.api.health_checks.add_provider(in_paris)
    const { id, version } = made
    const changed = { ...in_paris, id, version, place: '2 Rue du Parc, Paris' }
    await provider.api.health_checks.change_provider(changed)
    await refuses('changed_meanwhile', provider.api.health_checks.change_provider(changed))
    await provider.api.health_checks.add_slots(morningSlots(id, dayInParis(5)))
    await refuses(
      'provider_has_slots',
      provider.api.health_checks.change_provider({
        ...changed,
        version: version + 1,
        time_zone: 'UTC',
      }),
    )
  })

  test('each sets up their own alone', async () => {
    const of_platform = await open(provider)
    const of_acme = await open(company.admin)
    const other = await scene.company({ name: 'Other' })
    const stranger = await other.hire('Stranger')
    const reaches = async (person: Person) =>
      (await person.api.health_checks.providers({})).map(({ id }) => id)
    assert.ok((await reaches(ana)).includes(of_platform.provider_id))
    assert.ok((await reaches(ana)).includes(of_acme.provider_id))
    assert.ok((await reaches(stranger)).includes(of_platform.provider_id))
    assert.ok(!(await reaches(stranger)).includes(of_acme.provider_id))
    assert.deepEqual(await reaches(company.admin), [of_acme.provider_id])
    assert.ok(!(await reaches(provider)).includes(of_acme.provider_id))
    for (const [person, theirs] of [
      [company.admin, of_platform],
      [other.admin, of_acme],
      [provider, of_acme],
    ] as const) {
      const { health_checks: acts } = person.api
      const { provider_id, day, ids } = theirs
      await refuses('not_found', acts.add_slots(morningSlots(provider_id, dayInParis(9))))
      await refuses('not_found', acts.close_slot({ id: ids[0]! }))
      await refuses('not_found', acts.reopen_slot({ id: ids[0]! }))
      await refuses('not_found', acts.close_provider({ id: provider_id }))
      await refuses('not_found', acts.reopen_provider({ id: provider_id }))
      await refuses('not_found', acts.day_list({ provider_id, day }))
      await refuses('not_found', acts.close_day({ provider_id, day }))
      await refuses('not_found', acts.change_provider({ ...in_paris, id: provider_id, version: 1 }))
    }
    await refuses('not_found', stranger.api.health_checks.book({ slot_id: of_acme.ids[0]! }))
    await refuses('forbidden', ana.api.health_checks.add_provider(in_paris))
    await refuses('forbidden', company.admin.api.health_checks.book({ slot_id: of_acme.ids[0]! }))
    await refuses('not_signed_in', scene.visitor.health_checks.providers({}))
  })
})

describe('booking', () => {
  test('is booked, moved and cancelled; each place is taken and given back', async () => {
    const { ids, provider_id, day } = await open(provider)
    const ben = await company.hire()
    const taken = async () =>
      (await ben.api.health_checks.slots({ provider_id, from_on: day, to_on: day }))
        .map((slot) => slot.taken)
        .slice(0, 2)
    const booked = await ben.api.health_checks.book({ slot_id: ids[0]! })
    assert.match(booked.code, /^[A-Z0-9]{6}$/)
    assert.deepEqual(await taken(), [1, 0])
    await refuses(
      'already_booked_here',
      ben.api.health_checks.move({ id: booked.id, slot_id: ids[0]! }),
    )
    await ben.api.health_checks.move({ id: booked.id, slot_id: ids[1]! })
    assert.deepEqual(await taken(), [0, 1])
    const cancelled = await ben.api.health_checks.cancel({ id: booked.id })
    assert.deepEqual([cancelled.status, cancelled.cancelled_side], ['cancelled', 'person'])
    assert.deepEqual(await taken(), [0, 0])
    await refuses('booking_cancelled', ben.api.health_checks.cancel({ id: booked.id }))
    await refuses(
      'booking_cancelled',
      ben.api.health_checks.move({ id: booked.id, slot_id: ids[0]! }),
    )
    const notices = await noticesTo(scene, ben)
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['check_booked', 'check_moved', 'check_cancelled'],
    )
    assert.match(inWords(notices[0]!, in_mails).sentence, / at 09:00\.$/)
    for (const notice of notices) {
      assert.ok(!/Clinique|Annual|Paris/.test(inWords(notice, in_mails).sentence))
    }
  })

  test('of fifty people at once on a time of two places exactly two have it', async () => {
    const { ids, provider_id, day } = await open(provider)
    const crowd = await crowdOf(company, 50)
    const outcomes = await Promise.allSettled(
      crowd.map(({ api }) => api.health_checks.book({ slot_id: ids[0]! })),
    )
    const booked = outcomes.filter(({ status }) => status === 'fulfilled')
    assert.equal(booked.length, 2)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'slot_full')
    }
    const [slot] = await ana.api.health_checks.slots({ provider_id, from_on: day, to_on: day })
    assert.equal(slot!.taken, 2)
    const [{ kept }] = await scene.sql<[{ kept: number }]>`
      select count(*)::int as kept from check_bookings where slot_id = ${ids[0]!} and status = 'booked'`
    assert.equal(kept, 2)
  })

  test('people who change places with each other at the same moment all get one', async () => {
    const { ids, provider_id, day } = await open(provider, dayInParis(7), 4) // two who go in before two go out
    const crowd = await crowdOf(company, 4)
    const bookings = await Promise.all(
      crowd.map(({ api }, at) => api.health_checks.book({ slot_id: ids[at % 2]! })),
    )
    await Promise.all(
      crowd.map(({ api }, at) =>
        api.health_checks.move({ id: bookings[at]!.id, slot_id: ids[(at + 1) % 2]! }),
      ),
    )
    const slots = await ana.api.health_checks.slots({ provider_id, from_on: day, to_on: day })
    assert.deepEqual(slots.map(({ taken }) => taken).slice(0, 3), [2, 2, 0])
  })

  test('one person books one check a day, however often they press', async () => {
    const { ids } = await open(provider)
    const ben = await company.hire()
    const outcomes = await Promise.allSettled(
      ids.map((slot_id) => ben.api.health_checks.book({ slot_id })),
    )
    assert.equal(won(outcomes).length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'booked_that_day')
    }
    const other_day = await open(provider, dayInParis(8))
    const second = await ben.api.health_checks.book({ slot_id: other_day.ids[0]! })
    await refuses(
      'booked_that_day',
      ben.api.health_checks.move({ id: second.id, slot_id: ids[8]! }),
    )
  })
})
