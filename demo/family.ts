// Families: mostly Aurora's, a few elsewhere.
import { aurora, yearOf } from './companies.ts'
import { daysAfter, daysBetween, workday } from './days.ts'
import { namesIn } from './names.ts'
import { employee } from './logins.ts'
import { chanceOf, type Staff } from './people.ts'
import type { Random } from './random.ts'
import type { Kin, PlannedPerson, DemoPlan } from './plan.ts'
import type { DemoStage } from './stage.ts'

export type Families = Map<string, Kin[]>

/** Dependents that each person covers, so that claims can be for them. */
export function families(plan: DemoPlan, staff: Staff): Families {
  const all: Families = new Map()
  const chance = chanceOf(staff.company)
  const share = staff.company === aurora ? 17 : 3
  for (const person of staff.people) {
    const kin =
      person.email === employee.email
        ? jonasFamily(plan, staff)
        : chance.chance(share)
          ? familyOf(plan, chance, staff, person)
          : []
    if (kin.length === 0) continue
    all.set(person.email, kin)
    for (const one of kin)
      plan.at(
        one.covered_from,
        staff.company,
        { name: 'add_dependent', person, kin: one },
        (stage) => add(stage, person, one),
      )
  }
  return all
}

async function add(stage: DemoStage, person: PlannedPerson, kin: Kin) {
  const added = await (await stage.as(person.email)).dependents.add(kin)
  kin.id = added.id
}

/** Covered from the year's first weeks, or those after they came. */
function from(plan: DemoPlan, chance: Random, { company }: Staff, person: PlannedPerson): string {
  const begins = yearOf(company, plan.today)
  const earliest = daysAfter(person.here_on > begins ? person.here_on : begins, 3)
  const left = Math.max(daysBetween(earliest, plan.today) - 2, 0)
  return workday(daysAfter(earliest, Math.min(chance.whole(0, 60), left)))
}

const born = (plan: DemoPlan, chance: Random, least: number, most: number) =>
  daysAfter(plan.today, -chance.whole(least * 365 + 200, most * 365))

function familyOf(plan: DemoPlan, chance: Random, staff: Staff, person: PlannedPerson): Kin[] {
  const family = person.full_name.split(' ').at(-1)!
  const firstName = () => namesIn(chance, 'home')().full_name.split(' ')[0]!
  const covered_from = from(plan, chance, staff, person)
  const kin: Kin[] = []
  const join = (relationship: Kin['relationship'], least: number, most: number) =>
    kin.push({
      full_name: `${firstName()} ${family}`,
      relationship,
      born_on: born(plan, chance, least, most),
      covered_from,
    })
  if (chance.chance(70)) join('spouse', 26, 58)
  for (let n = chance.whole(0, 2); n > 0; n -= 1) join('child', 1, 18)
  if (kin.length === 0 || chance.chance(12)) join('parent', 60, 84)
  return kin
}

function jonasFamily(plan: DemoPlan, { company }: Staff): Kin[] {
  const covered_from = workday(daysAfter(yearOf(company, plan.today), 4))
  const years = (count: number, days: number) => daysAfter(plan.today, -count * 365 - days)
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
