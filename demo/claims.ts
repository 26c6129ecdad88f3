// A year of claims: who had what done where, and what HR made of it.
import { aurora, yearOf } from './companies.ts'
import { daysAfter, daysBetween, workday, workdayBefore } from './days.ts'
import { endingOf, type Ending } from './endings.ts'
import type { Families } from './family.ts'
import { claim_kinds, type Category } from './kinds.ts'
import { employee } from './logins.ts'
import { chanceOf, unusual, type Staff } from './people.ts'
import type { Random } from './random.ts'
import type { Kin, PlannedPerson, DemoPlan, Planned } from './plan.ts'

/** How many people of a hundred claim what; small companies make fewer claims. */
const shares = {
  large: { prevention: 97, treatment: 40, solidarity: 60 },
  small: { prevention: 14, treatment: 32, solidarity: 60 },
}

/** All claims of a company, by the day they are submitted. */
export function claimsOf(plan: DemoPlan, staff: Staff, families: Families): Planned[] {
  const { company } = staff
  const chance = chanceOf(company)
  const share = company === aurora ? shares.large : shares.small
  const gone = unusual(staff)
  const all = staff.people.flatMap((person) => {
    if (gone.includes(person.email)) return []
    if (person.email === employee.email) return jonas(plan, staff, families)
    const budget = budgetOf(staff, plan.today, person)
    const kin = families.get(person.email) ?? []
    const made: Planned[] = []
    const claim = (category: Category) => {
      const one = imagine(plan, chance, staff, person, category, kin, budget)
      if (one) made.push(one)
    }
    if (chance.chance(share.prevention)) claim('prevention')
    if (chance.chance(share.treatment)) claim('treatment')
    if (kin.length > 0 && chance.chance(share.solidarity)) claim('solidarity')
    return made
  })
  return all.toSorted((a, b) => a.submitted_on.localeCompare(b.submitted_on))
}

type Budget = Record<Category, number>

/** The allowances of this person, in cents; joiners of Aurora by month. */
function budgetOf({ company }: Staff, today: string, { joined_on }: PlannedPerson): Budget {
  const begins = yearOf(company, today)
  const missed = company === aurora ? monthsFrom(begins, joined_on) : 0
  const share = Math.max(12 - missed, 0) / 12
  const [prevention, treatment, solidarity] = company.grants.map((units) =>
    Math.floor(units * 100 * share),
  )
  return { prevention: prevention!, treatment: treatment!, solidarity: solidarity! }
}

function monthsFrom(begins: string, joined_on: string): number {
  if (joined_on <= begins) return 0
  const [a, b] = [begins, joined_on].map((day) => day.split('-').map(Number)) as [
    number[],
    number[],
  ]
  return (b[0]! - a[0]!) * 12 + b[1]! - a[1]!
}

function imagine(
  plan: DemoPlan,
  chance: Random,
  { company }: Staff,
  person: PlannedPerson,
  category: Category,
  kin: Kin[],
  budget: Budget,
): Planned | undefined {
  const plan_year = yearOf(company, plan.today)
  // The money is there from its second working day on.
  const begins = daysAfter(plan_year, 4)
  const who = category === 'solidarity' ? chance.pick(kin) : undefined
  const first = [begins, person.here_on, who ? daysAfter(who.covered_from, 1) : '']
    .toSorted()
    .at(-1)!
  const days = daysBetween(first, plan.today) - 1
  if (days < 4) return undefined
  const drawn = daysAfter(first, chance.whole(1, days - 1))
  const submitted_on = daysAfter(drawn, chance.whole(0, 9))
  const open = workdayBefore(drawn)
  const service_on = open < first ? drawn : open
  if (submitted_on > plan.today) return undefined
  const kind = chance.pick(claim_kinds[category])
  // Prices follow the currency as grants do.
  const price = Math.round((chance.price(kind.least, kind.most) * company.grants[0]) / 200 / 5) * 5
  const cents = Math.min(price, budget[category])
  if (cents < 500) return undefined
  budget[category] -= cents
  return {
    person,
    category,
    type: kind.type,
    provider: chance.pick(kind.providers),
    kin: who,
    plan_year,
    service_on,
    submitted_on,
    cents,
    ending: endingOf(chance, kind.type, daysBetween(submitted_on, plan.today)),
  }
}

/** The one whom visitors enter as: something in every state, and money left. */
function jonas(plan: DemoPlan, { company, people }: Staff, families: Families): Planned[] {
  const { today } = plan
  const person = people.find(({ email }) => email === employee.email)!
  const kin = families.get(person.email) ?? []
  const begins = yearOf(company, today)
  const one = (
    days: number,
    category: Category,
    type: string,
    provider: string,
    cents: number,
    ending: Ending = { how: 'approved' },
    who?: string,
  ): Planned => {
    const day = days < 0 ? daysAfter(today, days) : workday(daysAfter(begins, days))
    const for_whom = kin.find(({ full_name }) => full_name.startsWith(who ?? '–'))
    const story_facts = { person, category, type, provider, kin: for_whom, cents, ending }
    return {
      ...story_facts,
      plan_year: begins,
      service_on: workdayBefore(daysAfter(day, -2)),
      submitted_on: day,
    }
  }
  const dental = 'Harbour Dental Practice'
  const question = 'Who referred you to the cardiologist? Please name the practice.'
  return [
    one(24, 'treatment', 'Physiotherapy', 'Physio Nord', 12_800),
    one(47, 'prevention', 'Dental check', dental, 7_400),
    one(
      88,
      'solidarity',
      'Child vaccination',
      'Children’s Practice Sonne',
      4_850,
      undefined,
      'Mia',
    ),
    one(131, 'treatment', 'Medicine', 'Pharmacy at the Bridge', 2_390),
    one(160, 'treatment', 'Glasses and lenses', 'Optik Stern', 18_900, {
      how: 'part',
      percent: 84,
      text: 'The frame is covered up to its half; the lenses in full.',
    }),
    {
      ...one(205, 'prevention', 'Fitness', 'Studio Balance', 6_000, {
        how: 'rejected',
        reason: 'wrong_amount',
        text: 'The receipt says €48.00, and €60.00 was claimed. Please claim €48.00.',
      }),
      cents_on_receipt: 4_800,
    },
    one(236, 'solidarity', 'Family doctor', 'Family Practice Weber', 3_900, undefined, 'Ben'),
    one(262, 'treatment', 'GP visit', 'Praxis am Park', 6_550, { how: 'withdrawn' }),
    one(-12, 'treatment', 'Specialist', 'Dr. Levy, Cardiology', 14_500, {
      how: 'asked',
      text: question,
      answer: null,
    }),
    one(-3, 'prevention', 'Eye test', 'Klarblick Eye Clinic', 5_400, { how: 'waits' }),
  ].filter(({ service_on }) => service_on >= begins)
}
