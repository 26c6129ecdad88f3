import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import { daysFrom } from '../../test/claims-stage.ts'
import { openScene, refuses, type Company, type Person, type Scene } from '../../test/scene.ts'
import { remindAt } from './jobs.server.ts'

let scene: Scene
let company: Company
let ana: Person
let provider: Person
before(async () => {
  scene = await openScene()
  company = await scene.company()
  ana = await company.hire('Ana')
  provider = await scene.superAdmin()
})
after(() => scene.close())

const in_paris = {
  name: 'Clinique du Parc',
  offers: 'Annual health check',
  place: '1 Rue du Parc, Paris',
  time_zone: 'Europe/Paris',
}
/** A day so many days from now, on the calendar of Paris. */
const dayIn = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format(
    Date.now() + days * 86_400_000,
  )
/** The last Sunday of next March: summer time begins. */
const march = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 2, 31))
const spring = daysFrom(march.toISOString().slice(0, 10), -march.getUTCDay())
const everyday = [1, 2, 3, 4, 5, 6, 7]
const morning = (provider_id: string, day: string, capacity = 2) => ({
  provider_id,
  from_on: day,
  to_on: day,
  weekdays: everyday,
  from_time: '09:00',
  to_time: '12:00',
  minutes: 20,
  capacity,
})
/** A provider with nine times on a day, each with so many places. */
async function open(by: Person, day = dayIn(7), capacity = 2, time_zone = 'Europe/Paris') {
  const made = await by.api.health_checks.add_provider({ ...in_paris, time_zone })
  await by.api.health_checks.add_slots(morning(made.id, day, capacity))
  const slots = await by.api.health_checks.slots({ provider_id: made.id, from_on: day, to_on: day })
  return { provider_id: made.id, day, slots, ids: slots.map(({ id }) => id) }
}
async function crowdOf(size: number) {
  const crowd: Person[] = []
  for (let at = 0; at < size; at += 1) crowd.push(await company.hire())
  return crowd
}
const noticesOf = (person: Person) => scene.sql<
  { code: string; facts: { starts_at: string; time_zone: string }; kind: string }[]
>`
  select code, facts, kind from notifications where person_id = ${person.id} order by id`

describe('setting up', () => {
  test('every weekday from nine to twelve, twenty minutes, two places', async () => {
    const { id } = await provider.api.health_checks.add_provider(in_paris)
    const [monday, friday] = [daysFrom(spring, -6), daysFrom(spring, 5)]
    const pattern = { ...morning(id, monday), to_on: friday, weekdays: [1, 2, 3, 4, 5] }
    const preview = await provider.api.health_checks.preview_slots(pattern)
    assert.deepEqual([preview.slots, preview.days], [90, 10])
    // Nine o'clock stays nine o'clock.
    assert.equal(preview.first_at, `${monday}T08:00:00.000Z`)
    assert.equal(preview.last_at, `${friday}T09:40:00.000Z`)
    await provider.api.health_checks.add_slots(pattern)
    const more = await provider.api.health_checks.preview_slots({
      ...pattern,
      to_on: daysFrom(friday, 3),
    })
    assert.deepEqual([more.slots, more.there_already], [9, 90])
    await refuses('slot_there_already', provider.api.health_checks.add_slots(pattern))
    const [shown] = await provider.api.health_checks
      .providers({})
      .then((all) => all.filter((p) => p.id === id))
    assert.deepEqual([shown!.slots, shown!.places, shown!.booked], [90, 180, 0])
    assert.equal(shown!.next_free_on, monday)
  })

  test('what cannot be a time is refused, each in its own sentence', async () => {
    const { id } = await provider.api.health_checks.add_provider(in_paris)
    const monday = daysFrom(spring, -6)
    const add = (change: object) =>
      provider.api.health_checks.add_slots({ ...morning(id, monday), ...change })
    await refuses('slot_in_the_past', add({ from_on: dayIn(-3), to_on: dayIn(-1) }))
    await refuses('no_such_day', add({ weekdays: [2] }))
    await refuses('invalid_input', add({ weekdays: [] }))
    await refuses('invalid_input', add({ to_on: daysFrom(monday, -1) }))
    await refuses('invalid_input', add({ to_on: daysFrom(monday, 367) }))
    await refuses('invalid_input', add({ to_time: '09:10' }))
    await refuses('invalid_input', add({ from_time: '9am' }))
    await refuses('invalid_input', add({ capacity: 0 }))
    await refuses(
      'too_many_slots',
      add({ to_on: daysFrom(monday, 360), from_time: '00:00', to_time: '23:59', minutes: 5 }),
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
    await provider.api.health_checks.add_slots(morning(id, dayIn(5)))
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
      await refuses('not_found', acts.add_slots(morning(provider_id, dayIn(9))))
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
      'booked_here_already',
      ben.api.health_checks.move({ id: booked.id, slot_id: ids[0]! }),
    )
    await ben.api.health_checks.move({ id: booked.id, slot_id: ids[1]! })
    assert.deepEqual(await taken(), [0, 1])
    const cancelled = await ben.api.health_checks.cancel({ id: booked.id })
    assert.deepEqual([cancelled.status, cancelled.cancelled_by], ['cancelled', 'person'])
    assert.deepEqual(await taken(), [0, 0])
    await refuses('booking_cancelled', ben.api.health_checks.cancel({ id: booked.id }))
    await refuses(
      'booking_cancelled',
      ben.api.health_checks.move({ id: booked.id, slot_id: ids[0]! }),
    )
    const notices = await noticesOf(ben)
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
    const crowd = await crowdOf(50)
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
    const { ids, provider_id, day } = await open(provider, dayIn(7), 4) // two who go in before two go out
    const crowd = await crowdOf(4)
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
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'booked_that_day')
    }
    const other_day = await open(provider, dayIn(8))
    const second = await ben.api.health_checks.book({ slot_id: other_day.ids[0]! })
    await refuses(
      'booked_that_day',
      ben.api.health_checks.move({ id: second.id, slot_id: ids[8]! }),
    )
  })
})

describe('what is not there any more', () => {
  test('full, past and closed times each say so', async () => {
    const { ids } = await open(provider, dayIn(7), 1)
    const ben = await company.hire()
    await ben.api.health_checks.book({ slot_id: ids[0]! })
    await refuses('slot_full', ana.api.health_checks.book({ slot_id: ids[0]! }))
    await provider.api.health_checks.close_slot({ id: ids[1]! })
    await refuses('slot_closed', ana.api.health_checks.book({ slot_id: ids[1]! }))
    await refuses('slot_closed', provider.api.health_checks.close_slot({ id: ids[1]! }))
    await scene.sql`update check_slots set starts_at = now() - interval '1 minute' where id = ${ids[2]!}`
    await refuses('slot_in_the_past', ana.api.health_checks.book({ slot_id: ids[2]! }))
    await refuses('slot_in_the_past', provider.api.health_checks.close_slot({ id: ids[2]! }))
    await refuses('not_found', ana.api.health_checks.book({ slot_id: ana.id }))
    const mine = await ben.api.health_checks.mine({})
    await scene.sql`update check_bookings set starts_at = now() where id = ${mine[0]!.id}`
    await refuses('check_has_begun', ben.api.health_checks.cancel({ id: mine[0]!.id }))
    await refuses(
      'check_has_begun',
      ben.api.health_checks.move({ id: mine[0]!.id, slot_id: ids[3]! }),
    )
  })

  test('whoever booked a time that is closed is told why, and may book another', async () => {
    const { ids, provider_id, day } = await open(provider)
    const [ben, cem] = await crowdOf(2)
    await ben!.api.health_checks.book({ slot_id: ids[0]! })
    await cem!.api.health_checks.book({ slot_id: ids[1]! })
    const closed = await provider.api.health_checks.close_slot({
      id: ids[0]!,
      reason: 'The doctor is ill',
    })
    assert.equal(closed.cancelled, 1)
    const [gone] = await ben!.api.health_checks.mine({})
    assert.deepEqual([gone!.status, gone!.cancelled_by], ['cancelled', 'provider'])
    assert.equal(gone!.cancel_reason, 'The doctor is ill')
    assert.equal((await noticesOf(ben!)).at(-1)!.code, 'check_cancelled')
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
    const { ids } = await open(provider, dayIn(7), 5)
    const crowd = await crowdOf(5)
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
    await refuses('provider_closed', acts.close_provider({ id: provider_id }))
    await refuses('provider_closed', acts.add_slots(morning(provider_id, dayIn(9))))
    await refuses('provider_closed', acts.reopen_slot({ id: ids[0]! }))
    await refuses('slot_closed', ben.api.health_checks.book({ slot_id: ids[0]! }))
    const seen = await ben.api.health_checks.providers({})
    assert.ok(!seen.some(({ id }) => id === provider_id))
    await acts.reopen_provider({ id: provider_id })
    await refuses('provider_open', acts.reopen_provider({ id: provider_id }))
    await acts.reopen_slot({ id: ids[0]! })
    assert.equal((await acts.day_list({ provider_id, day })).length, 9)
  })

  test('whoever leaves or is suspended gives their places free', async () => {
    const { ids } = await open(provider, dayIn(7), 2)
    const [ben, cem] = await crowdOf(2)
    await ben!.api.health_checks.book({ slot_id: ids[0]! })
    await cem!.api.health_checks.book({ slot_id: ids[0]! })
    const { version } = await company.admin.api.employees.find({ id: ben!.id })
    await company.admin.api.employees.leave({ id: ben!.id, version, left_on: dayIn(3) })
    await company.admin.api.employees.suspend({ id: cem!.id })
    const [{ taken }] = await scene.sql<[{ taken: number }]>`
      select taken from check_slots where id = ${ids[0]!}`
    assert.equal(taken, 0)
    assert.equal((await ben!.api.health_checks.mine({}))[0]!.cancelled_by, 'company')
    await refuses('after_your_last_day', ben!.api.health_checks.book({ slot_id: ids[0]! }))
    await refuses('not_signed_in', cem!.api.health_checks.book({ slot_id: ids[0]! }))
  })
})

describe('who may know', () => {
  test('HR has the names of its own days; the platform has codes, and HR nothing of those', async () => {
    const of_platform = await open(provider)
    const of_acme = await open(company.admin, dayIn(8))
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
    const told = await scene.sql`
      select from audit_log where actor_id = ${ben.id} and table_name like 'check%'`
    assert.equal(told.length, 0)
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
})

describe('reminders', () => {
  test('come once, the day before at nine where the check is, late after a time of being down', async () => {
    const { ids, provider_id } = await open(provider, dayIn(7), 2, 'Asia/Dubai') // no summer time
    const [ben, cem] = await crowdOf(2)
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
      from_on: dayIn(7),
      to_on: dayIn(7),
    })
    const start = Date.parse(slot!.starts_at) // nine in the morning there
    const told = async (person: Person) =>
      (await noticesOf(person)).filter(({ kind }) => kind === 'health').map(({ code }) => code)
    const hours = (by: number) => new Date(start + by * 3_600_000)
    await remindAt(scene.sql, hours(-24.5))
    assert.deepEqual(await told(ben!), [])
    await remindAt(scene.sql, hours(-24 + 0.01))
    await remindAt(scene.sql, hours(-23))
    assert.deepEqual(await told(ben!), ['check_tomorrow'])
    const [moved] = await cem!.api.health_checks.mine({})
    await cem!.api.health_checks.move({ id: moved!.id, slot_id: ids[2]! })
    await scene.sql`update check_bookings set changed_at = now() - interval '9 days'
      where slot_id = any (${ids})`
    await remindAt(scene.sql, hours(-0.5))
    assert.deepEqual(await told(cem!), ['check_tomorrow', 'check_today'])
    assert.equal((await told(ben!)).length, 1)
  })

  test('who booked after nine of the day before knows already', async () => {
    const { ids, provider_id } = await open(provider)
    const ben = await company.hire()
    await ben.api.health_checks.book({ slot_id: ids[0]! })
    const [slot] = await ben.api.health_checks.slots({
      provider_id,
      from_on: dayIn(7),
      to_on: dayIn(7),
    })
    const at = new Date(Date.parse(slot!.starts_at) - 3_600_000)
    await scene.sql`update check_bookings set changed_at = ${at.toISOString()} where slot_id = ${ids[0]!}`
    await remindAt(scene.sql, at)
    const codes = (await noticesOf(ben)).map(({ code }) => code)
    assert.deepEqual(codes, ['check_booked'])
  })

  test('the dashboard’s facts: no check for a year, the next one, money that will expire', async () => {
    const other = await scene.company({ name: 'Mindful' })
    const { funds } = other.admin.api
    const { plan_year } = await funds.overview({})
    await provider.api.funds.contribute({
      company_id: other.id,
      amount_cents: 1_000_000,
      occurred_on: plan_year,
      reference: 'INV-9',
    })
    await funds.allocate({
      plan_year,
      prevention_cents: 100_000,
      treatment_cents: 100_000,
      solidarity_cents: 100_000,
    })
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

    const { ends_on } = await funds.overview({})
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
