// Health checks: times of the weeks to come, and who at Aurora took some of the places.
import { Problem } from '#problems.ts'
import { aurora, yearOf } from './companies.ts'
import { daysAfter, weekdayOf } from './days.ts'
import { employee } from './logins.ts'
import { unusual, type Staff } from './people.ts'
import type { PlannedPerson, CheckPlace, DemoPlan } from './plan.ts'
import type { DemoStage } from './stage.ts'

const first_ahead = 2
const last_ahead = 30
/** Bookings are for the nearer part of what is offered. */
const booked_ahead = 20

type Offer = {
  name: string
  offers: string
  place: string
  note?: string
  time_zone: string
  by_hr?: true
  times: { weekdays: number[]; from_time: string; minutes: number; capacity: number }
}
const mornings = { weekdays: [1, 3, 5], from_time: '08:00', minutes: 30, capacity: 3 }

const offered: Offer[] = [
  {
    name: 'Flu vaccination at work',
    offers: 'Vaccination',
    place: 'Aurora Robotics, room 2.14',
    note: 'Ten minutes; bring your vaccination record if you have one.',
    time_zone: 'Europe/Berlin',
    by_hr: true,
    times: { weekdays: [2, 4], from_time: '10:00', minutes: 15, capacity: 4 },
  },
  {
    name: 'Harbour Dental Practice',
    offers: 'Dental check',
    place: 'Kade 7, Amsterdam',
    time_zone: 'Europe/Amsterdam',
    times: mornings,
  },
  {
    name: 'Klarblick Eye Clinic',
    offers: 'Eye test',
    place: 'Seestraße 40, Berlin',
    time_zone: 'Europe/Berlin',
    times: mornings,
  },
  {
    name: 'Lindenhof Check-up Centre',
    offers: 'Annual health check',
    place: 'Lindenallee 12, Berlin',
    note: 'Please don’t eat beforehand, and bring your vaccination record.',
    time_zone: 'Europe/Berlin',
    times: mornings,
  },
]

export function healthChecks(plan: DemoPlan, staff: Staff, provider: string) {
  const { today } = plan
  const { company } = staff
  const hr = company.admins[0]!.email
  plan.at(daysAfter(today, -18), company, { name: 'offer_checks' }, async (stage) => {
    for (const { by_hr, times, ...one } of offered) {
      const { health_checks } = await stage.as(by_hr ? hr : provider)
      const { id } = await health_checks.add_provider(one)
      const from_on = daysAfter(today, first_ahead)
      const days = { from_on, to_on: daysAfter(today, last_ahead), to_time: '12:00' }
      await health_checks.add_slots({ provider_id: id, ...days, ...times })
    }
  })
  const taken = new Map<string, number>()
  for (const [n, person] of guestsOf(staff, today).entries()) {
    const place = placeFor(n, today, taken)
    const on = daysAfter(today, -17 + Math.floor(n / 3))
    plan.at(on, company, { name: 'book', person, place }, (stage) => book(stage, person, place))
  }
}

/** Forty who were here all year, each once: nobody has two checks on one day. */
function guestsOf(staff: Staff, today: string): PlannedPerson[] {
  const not_they = [employee.email, ...unusual(staff)]
  const all = staff.people.filter(
    ({ joined_on, email }) => joined_on < yearOf(aurora, today) && !not_they.includes(email),
  )
  return Array.from({ length: 40 }, (_, n) => all[Math.floor((n * all.length) / 40)]!)
}

/** Spread over providers, days and times; the next one where a time is full. */
function placeFor(n: number, today: string, taken: Map<string, number>): CheckPlace {
  const { name, times } = offered[n % offered.length]!
  const days = Array.from({ length: booked_ahead - first_ahead + 1 }, (_, at) =>
    daysAfter(today, first_ahead + at),
  ).filter((day) => times.weekdays.includes(weekdayOf(day)))
  const a_day = (12 * 60 - Number(times.from_time.slice(0, 2)) * 60) / times.minutes
  for (let at = n * 5; ; at += 1) {
    const nth = at % a_day
    const place = { provider: name, day: days[at % days.length]!, nth, capacity: times.capacity }
    const key = [name, place.day, nth].join()
    const count = (taken.get(key) ?? 0) + 1
    if (count > times.capacity) continue
    taken.set(key, count)
    return place
  }
}

/** If somebody else was quicker, which only the server knows, another time of that day is booked. */
async function book(stage: DemoStage, guest: PlannedPerson, { provider, day, nth }: CheckPlace) {
  const { health_checks } = await stage.as(guest.email)
  const found = (await health_checks.providers({})).find(({ name }) => name === provider)
  if (!found) throw new Error(`There is no ${provider}`)
  const slots = await health_checks.slots({ provider_id: found.id, from_on: day, to_on: day })
  const by_time = slots.toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))
  for (const slot of [...by_time.slice(nth), ...by_time.slice(0, nth)]) {
    try {
      await health_checks.book({ slot_id: slot.id })
      return
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'slot_full') throw error
    }
  }
}
