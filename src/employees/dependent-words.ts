import type { BadgeTone } from '#ui/Badge.tsx'
import type { Dependent, CoverState, Relationship } from '#dependents/dependents.contract.ts'

export const relationships: Record<Relationship, string> = {
  spouse: 'Spouse',
  child: 'Child',
  parent: 'Parent',
}

export const coverStates: Record<CoverState, [string, BadgeTone]> = {
  active: ['Active', 'good'],
  upcoming: ['Starts later', 'primary'],
  requested: ['Waiting for you', 'accent'],
  ended: ['Ended', 'neutral'],
  declined: ['Declined', 'bad'],
  withdrawn: ['Withdrawn', 'neutral'],
}

/** The last day of cover that is set or follows from age. */
export const lastDayOf = ({ covered_to, ages_out_on }: Dependent): string | undefined =>
  [covered_to, ages_out_on].filter((day) => day !== null).toSorted()[0]
