import { Badge, Status, type BadgeTone } from '#ui/Badge.tsx'
import { dateText } from '#ui/DateText.tsx'
import type { CoverState, Relationship } from './dependents.contract.ts'

export const relationships: Record<Relationship, string> = {
  spouse: 'Spouse',
  child: 'Child',
  parent: 'Parent',
}

const cover_states: Record<CoverState, [string, BadgeTone]> = {
  active: ['Active', 'good'],
  upcoming: ['Starts later', 'primary'],
  requested: ['Waiting for HR', 'accent'],
  ended: ['Ended', 'neutral'],
  declined: ['Declined', 'bad'],
  withdrawn: ['Withdrawn', 'neutral'],
}

type Props = { cover_state: CoverState; covered_to?: string | null }

export function CoverStateStatus({ cover_state, covered_to }: Props) {
  const [text, tone] = cover_states[cover_state]
  const until = covered_to && isCurrent(cover_state) ? ` until ${dateText(covered_to)}` : ''
  return <Status tone={tone}>{text + until}</Status>
}

export const RelationshipBadge = ({ relationship }: { relationship: Relationship }) => (
  <Badge tone={relationship === 'child' ? 'primary' : 'neutral'}>
    {relationships[relationship]}
  </Badge>
)

export const isCurrent = (cover_state: CoverState) =>
  cover_state === 'active' || cover_state === 'upcoming' || cover_state === 'requested'
