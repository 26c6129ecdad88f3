// Relationships and states of cover, as people read them.
import {
  isCurrent,
  type CoverState,
  type Dependent,
  type Relationship,
} from './dependents.contract.ts'

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

export const over = 'Cover ended with your last day at the company.'

/** The text for a list in which nobody is covered. */
export const nobodyText = (past: number) =>
  past > 0 ? 'Nobody is covered at the moment' : 'No dependents added yet'

type Cover = Pick<Dependent, 'cover_state' | 'covered_to' | 'covered_until' | 'ages_out_on'>

/** The last day to show. A child's last day by age is far off, and notified when it is near. */
export function lastDayOf(cover: Cover): string | null {
  const { cover_state, covered_to, covered_until, ages_out_on } = cover
  if (cover_state === 'ended') return covered_until
  const by_age_alone = covered_to === null && covered_until === ages_out_on
  return isCurrent(cover) && !by_age_alone ? covered_until : null
}
