// The plan of the demo world: who does what on which day, known before any of it is done. It follows from a moment
// alone, so that a test can plan every day of years without a database.
import type { PlannedCompany } from './companies.ts'
import type { Ending } from './endings.ts'
import type { Category } from './kinds.ts'
import type { DemoStage } from './stage.ts'
import { dayIn } from './days.ts'

export type PlannedPerson = {
  full_name: string
  email: string
  department: string
  phone: string | undefined
  joined_on: string
  /** Where their claims are paid to: nearly all have given it. */
  iban: string | undefined
  /** The first day of their account: the day of the file that they came with. */
  here_on: string
}

export type Kin = {
  full_name: string
  relationship: 'spouse' | 'child' | 'parent'
  born_on: string
  covered_from: string
  /** Set when they were added. */
  id?: string
}

/** A claim. */
export type Planned = {
  person: PlannedPerson
  category: Category
  type: string
  provider: string
  kin: Kin | undefined
  plan_year: string
  service_on: string
  submitted_on: string
  cents: number
  /** Where it is another one. */
  cents_on_receipt?: number
  ending: Ending
}

/** The acts that the rules look at, with their particulars; others have a name only. */
export type What =
  | { name: 'contribute'; occurred_on: string }
  | { name: 'add_dependent'; person: PlannedPerson; kin: Kin }
  | { name: 'submit'; claim: Planned }
  | { name: 'book'; person: PlannedPerson; place: CheckPlace }
  | { name: 'leave'; email: string; left_on: string }
  | { name: 'suspend_person'; email: string }
  | {
      name: 'found' | 'bring_in' | 'allocate' | 'rebalance' | 'suspend_company' | 'sign_up' | 'add'
    }
  | { name: 'change_policy' | 'review' | 'pay' | 'offer_checks' | 'open_year' | 'close_year' }

/** A time of a health check: whose, on which day, which one of the day. */
export type CheckPlace = { provider: string; day: string; nth: number; capacity: number }

export type Deed = {
  on: string
  /** Deeds of a company follow each other; companies go side by side. */
  company: PlannedCompany | undefined
  what: What
  act: (stage: DemoStage) => Promise<unknown>
}

export class DemoPlan {
  readonly deeds: Deed[]
  /** The day it is, or still is, at every company: of no later one anything can be told. */
  readonly today: string

  constructor(today: string, deeds: Deed[] = []) {
    this.today = today
    this.deeds = deeds
  }

  static at(moment: Date, companies: PlannedCompany[]) {
    const days = companies.map(({ time_zone }) => dayIn(time_zone, moment))
    return new DemoPlan([dayIn('UTC', moment), ...days].toSorted()[0]!)
  }

  /** The same plan for who sees no further than this day. */
  until = (day: string) => new DemoPlan(day, this.deeds)

  /** Anything later than today is left out. */
  at(on: string, company: PlannedCompany | undefined, what: What, act: Deed['act']) {
    if (on <= this.today) this.deeds.push({ on, company, what, act })
  }
}
