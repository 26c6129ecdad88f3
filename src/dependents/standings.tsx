import { Badge, Status, type BadgeTone } from '#ui/Badge.tsx'
import { dateText } from '#ui/DateText.tsx'
import type { DependentStanding, Relationship } from './dependents.contract.ts'

export const relationships: Record<Relationship, string> = {
  spouse: 'Spouse',
  child: 'Child',
  parent: 'Parent',
}

const standings: Record<DependentStanding, [string, BadgeTone]> = {
  active: ['Active', 'good'],
  upcoming: ['Starts later', 'primary'],
  asking: ['Waiting for HR', 'accent'],
  ended: ['Ended', 'neutral'],
  declined: ['Declined', 'bad'],
  withdrawn: ['Withdrawn', 'neutral'],
}

type Props = { standing: DependentStanding; covered_to?: string | null }

export function StandingStatus({ standing, covered_to }: Props) {
  const [text, tone] = standings[standing]
  const until = covered_to && isCurrent(standing) ? ` until ${dateText(covered_to)}` : ''
  return <Status tone={tone}>{text + until}</Status>
}

export const RelationshipBadge = ({ relationship }: { relationship: Relationship }) => (
  <Badge tone={relationship === 'child' ? 'primary' : 'neutral'}>
    {relationships[relationship]}
  </Badge>
)

export const isCurrent = (standing: DependentStanding) =>
  standing === 'active' || standing === 'upcoming' || standing === 'asking'
