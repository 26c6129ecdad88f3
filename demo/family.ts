// Families, and the health checks that are booked: mostly Aurora's, a few elsewhere.
import { aurora, yearOf } from './companies.ts'
import { daysAfter, daysBetween, workday } from './days.ts'
import { namesIn } from './names.ts'
import { employee } from './logins.ts'
import { chanceOf, unusual, type Person, type Staff } from './people.ts'
import type { Random } from './random.ts'
import type { Stage } from './stage.ts'

export type Kin = {
  full_name: string
  relationship: 'spouse' | 'child' | 'parent'
  born_on: string
  covered_from: string
  /** Once they were added. */
  id?: string
}
export type Families = Map<string, Kin[]>

/** Whom each person covers, so that their claims can be for them. */
export function families(stage: Stage, staff: Staff): Families {
  const { timeline } = stage
  const all: Families = new Map()
  const chance = chanceOf(staff.company)
  const share = staff.company === aurora ? 17 : 3
  for (const person of staff.people) {
    const kin =
      person.email === employee.email
        ? jonasFamily(stage, staff)
        : chance.chance(share)
          ? familyOf(stage, chance, staff, person)
          : []
    if (kin.length === 0) continue
    all.set(person.email, kin)
    for (const one of kin)
      timeline.at(one.covered_from, staff.company.domain, () => add(stage, person, one))
  }
  return all
}

async function add(stage: Stage, person: Person, kin: Kin) {
  const added = await (await stage.as(person.email)).dependents.add(kin)
  kin.id = added.id
}

/** Covered from the year's first weeks, or those after they came. */
function from(stage: Stage, chance: Random, { company }: Staff, person: Person): string {
  const begins = yearOf(company, stage.today)
  const earliest = daysAfter(person.here_on > begins ? person.here_on : begins, 3)
  const left = Math.max(daysBetween(earliest, stage.today) - 2, 0)
  return workday(daysAfter(earliest, Math.min(chance.whole(0, 60), left)))
}

const born = (stage: Stage, chance: Random, least: number, most: number) =>
  daysAfter(stage.today, -chance.whole(least * 365 + 200, most * 365))

function familyOf(stage: Stage, chance: Random, staff: Staff, person: Person): Kin[] {
  const family = person.full_name.split(' ').at(-1)!
  const given = () => namesIn(chance, 'home')().full_name.split(' ')[0]!
  const covered_from = from(stage, chance, staff, person)
  const kin: Kin[] = []
  const join = (relationship: Kin['relationship'], least: number, most: number) =>
    kin.push({
      full_name: `${given()} ${family}`,
      relationship,
      born_on: born(stage, chance, least, most),
      covered_from,
    })
  if (chance.chance(70)) join('spouse', 26, 58)
  for (let n = chance.whole(0, 2); n > 0; n -= 1) join('child', 1, 18)
  if (kin.length === 0 || chance.chance(12)) join('parent', 60, 84)
  return kin
}

function jonasFamily(stage: Stage, { company }: Staff): Kin[] {
  const covered_from = workday(daysAfter(yearOf(company, stage.today), 4))
  const years = (count: number, days: number) => daysAfter(stage.today, -count * 365 - days)
  return [
    {
      full_name: 'Lena Keller',
      relationship: 'spouse',
      born_on: years(36, 75),
      covered_from,
    },
    { full_name: 'Mia Keller', relationship: 'child', born_on: years(8, 190), covered_from },
    { full_name: 'Ben Keller', relationship: 'child', born_on: years(4, 20), covered_from },
    {
      full_name: 'Ursula Keller',
      relationship: 'parent',
      born_on: years(68, 310),
      covered_from: workday(daysAfter(covered_from, 90)),
    },
  ]
}

const offered = [
  {
    name: 'Lindenhof Check-up Centre',
    offers: 'Annual health check',
    place: 'Lindenallee 12, Berlin',
    note: 'Please come with an empty stomach and bring your vaccination record.',
    time_zone: 'Europe/Berlin',
  },
  {
    name: 'Klarblick Eye Clinic',
    offers: 'Eye test',
    place: 'Seestraße 40, Berlin',
    time_zone: 'Europe/Berlin',
  },
  {
    name: 'Harbour Dental Practice',
    offers: 'Dental check',
    place: 'Kade 7, Amsterdam',
    time_zone: 'Europe/Amsterdam',
  },
]

/** Times of the weeks to come, and who took some of the places. */
export function healthChecks(stage: Stage, staff: Staff, provider: string) {
  const { timeline, today } = stage
  timeline.at(daysAfter(today, -18), staff.company.domain, async () => {
    const by_provider = await stage.as(provider)
    for (const one of offered) {
      const { id } = await by_provider.health_checks.add_provider(one)
      await by_provider.health_checks.add_slots(timesOf(today, id, [1, 3, 5], '08:00', 30, 3))
    }
    const hr = await stage.as(staff.company.admins[0]!.email)
    const { id } = await hr.health_checks.add_provider({
      name: 'Flu vaccination at work',
      offers: 'Vaccination',
      place: 'Aurora Robotics, room 2.14',
      note: 'Ten minutes; bring your vaccination record if you have one.',
      time_zone: 'Europe/Berlin',
    })
    await hr.health_checks.add_slots(timesOf(today, id, [2, 4], '10:00', 15, 4))
  })
  for (const [n, guest] of guestsOf(staff, today).entries())
    timeline.at(daysAfter(today, -17 + Math.floor(n / 3)), staff.company.domain, () =>
      book(stage, guest, n),
    )
}

/** Forty who were here all year, each once: nobody has two checks on one day. */
export function guestsOf(staff: Staff, today: string): Person[] {
  const not_they = [employee.email, ...unusual(staff)]
  const all = staff.people.filter(
    ({ joined_on, email }) => joined_on < yearOf(aurora, today) && !not_they.includes(email),
  )
  return Array.from({ length: 40 }, (_, n) => all[Math.floor((n * all.length) / 40)]!)
}

const timesOf = (
  today: string,
  provider_id: string,
  weekdays: number[],
  from_time: string,
  minutes: number,
  capacity: number,
) => ({
  provider_id,
  from_on: daysAfter(today, 2),
  to_on: daysAfter(today, 30),
  weekdays,
  from_time,
  to_time: '12:00',
  minutes,
  capacity,
})

async function book(stage: Stage, guest: Person, n: number) {
  const { health_checks } = await stage.as(guest.email)
  const all = await health_checks.providers({})
  const provider_id = all[n % all.length]!.id
  const { today } = stage
  const days = { from_on: daysAfter(today, 2), to_on: daysAfter(today, 20) }
  const slots = await health_checks.slots({ provider_id, ...days })
  const free = slots.filter(({ taken, capacity, past }) => !past && taken < capacity)
  const slot = free[(n * 5) % Math.max(free.length, 1)]
  if (slot) await health_checks.book({ slot_id: slot.id })
}
