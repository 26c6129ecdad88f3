// Refusals the product would give to a plan, as far as they can be known before anything is done.
import type { PlannedCompany } from './companies.ts'
import { dayIn, daysAfter, monthsBefore, weekdayOf } from './days.ts'
import type { Deed, Kin, CheckPlace, DemoPlan, Planned } from './plan.ts'

/** Nobody has two health checks on one day, and no time has more guests than places. */
export function refusedBookings(plan: DemoPlan): string[] {
  const days = new Set<string>()
  const taken = new Map<string, number>()
  return plan.deeds.flatMap(({ what }) => {
    if (what.name !== 'book') return []
    const { person, place } = what
    const theirs = `${person.email} ${place.day}`
    const time = `${place.provider} ${place.day} ${place.nth}`
    const count = (taken.get(time) ?? 0) + 1
    taken.set(time, count)
    const twice = days.has(theirs) ? [`${theirs}: booked that day`] : []
    days.add(theirs)
    return [
      ...twice,
      ...(count > place.capacity ? [`${time}: full`] : []),
      ...notToCome(place, plan),
    ]
  })
}

const notToCome = ({ provider, day }: CheckPlace, { today }: DemoPlan) =>
  day > daysAfter(today, 1) && ![0, 6].includes(weekdayOf(day))
    ? []
    : [`${provider} ${day}: closed`]

/** Deeds and notices of the plan must not lie in their company's future. */
export function refusedDays(plan: DemoPlan, moment: Date): string[] {
  const days = new Map<string, string>()
  return plan.deeds.flatMap(({ on, company, what }) => {
    const zone = company?.time_zone ?? 'UTC'
    const today = days.get(zone) ?? dayIn(zone, moment)
    days.set(zone, today)
    const due_on = what.name === 'contribute' ? what.occurred_on : on
    return on > today || due_on > today
      ? [`${what.name} at ${company?.name} on ${due_on}: to come`]
      : []
  })
}

/** Acts of people who aren’t here yet on that day, or are gone. */
export function refusedPeople(plan: DemoPlan): string[] {
  const until = new Map<string, string>()
  for (const { on, what } of plan.deeds) {
    if (what.name === 'leave') until.set(what.email, what.left_on)
    if (what.name === 'suspend_person') until.set(what.email, on)
  }
  return plan.deeds.flatMap(({ on, what }) => {
    const person =
      what.name === 'submit' ? what.claim.person : 'person' in what ? what.person : null
    if (!person) return []
    const here = person.here_on !== '' && person.here_on <= on
    const gone = until.get(person.email)
    return here && (!gone || gone > on) ? [] : [`${person.email} ${what.name} on ${on}: not there`]
  })
}

/** A bill is of a day of the plan year on which who it is for was covered, claimed after it, within the grant. */
export function refusedClaims(plan: DemoPlan): string[] {
  const spent = new Map<string, number>()
  return plan.deeds.flatMap(({ on, company, what }) => {
    if (what.name !== 'submit' || !company) return []
    const { claim } = what
    const whose = `${claim.person.email} ${claim.plan_year} ${claim.category}`
    const cents = (spent.get(whose) ?? 0) + claim.cents
    spent.set(whose, cents)
    const reason = refusalOf(claim, company, on, plan.today, cents)
    return reason ? [`${whose} of ${claim.service_on} on ${on}: ${reason}`] : []
  })
}

function refusalOf(
  claim: Planned,
  company: PlannedCompany,
  on: string,
  today: string,
  spent: number,
) {
  const { service_on, plan_year, person, kin, category } = claim
  if (service_on > on || service_on > today) return 'service to come'
  if (service_on < plan_year || service_on >= monthsBefore(plan_year, -12)) return 'other year'
  if (service_on < person.joined_on) return 'service not covered'
  if (category === 'solidarity' ? !kin : kin) return 'whose it is'
  if (kin && !covers(kin, service_on, on)) return 'dependent not covered'
  const of = ['prevention', 'treatment', 'solidarity'].indexOf(category)
  return spent > company.grants[of]! * 100 + 15_000 ? 'more than the grant' : undefined
}

const covers = (kin: Kin, service_on: string, on: string) =>
  kin.covered_from <= service_on && kin.covered_from <= on && kin.born_on <= kin.covered_from

/** Cover must not begin before the dependent was born, nor before the employee came. */
export const refusedCover = (plan: DemoPlan): string[] =>
  plan.deeds.flatMap(({ on, what }) => {
    if (what.name !== 'add_dependent') return []
    const { kin, person } = what
    const wrong = kin.covered_from < person.joined_on || kin.covered_from < kin.born_on
    return wrong || kin.covered_from > on ? [`${kin.full_name} on ${on}: cover`] : []
  })

/** Suspended companies do nothing, and nobody does anything before the company has come. */
export function refusedCompanies(plan: DemoPlan): string[] {
  const dayOf = (name: Deed['what']['name']) =>
    new Map(
      plan.deeds.filter(({ what }) => what.name === name).map((d) => [d.company?.domain, d.on]),
    )
  const [came, suspended] = [dayOf('found'), dayOf('suspend_company')]
  return plan.deeds.flatMap(({ on, company, what }) => {
    if (!company) return []
    const early = on < (came.get(company.domain) ?? '9')
    const late = what.name !== 'suspend_company' && on >= (suspended.get(company.domain) ?? '9')
    return early || late ? [`${what.name} at ${company.name} on ${on}: closed`] : []
  })
}

export const faultsOf = (plan: DemoPlan, moment: Date): string[] => [
  ...refusedBookings(plan),
  ...refusedDays(plan, moment),
  ...refusedPeople(plan),
  ...refusedClaims(plan),
  ...refusedCover(plan),
  ...refusedCompanies(plan),
]
