// Relationships and states of cover, as people read them.
import type { CoverState, Relationship } from './dependents.contract.ts'

export const relationships: Record<Relationship, string> = {
  spouse: 'Spouse',
  child: 'Child',
  parent: 'Parent',
}

type CoverTone = 'good' | 'primary' | 'accent' | 'neutral' | 'bad'

/** The states of cover as the employee reads them. */
export const cover_states: Record<CoverState, readonly [text: string, tone: CoverTone]> = {
  active: ['Active', 'good'],
  upcoming: ['Starts later', 'primary'],
  requested: ['Waiting for HR', 'accent'],
  ended: ['Ended', 'neutral'],
  declined: ['Declined', 'bad'],
  withdrawn: ['Withdrawn', 'neutral'],
}
