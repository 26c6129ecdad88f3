import { Badge, Status } from '#ui/Badge.tsx'
import { dateText } from '#ui/DateText.tsx'
import { isCurrent, type CoverState, type Relationship } from './dependents.contract.ts'
import { cover_states, relationships } from './words.contract.ts'

type Props = { cover_state: CoverState; covered_to?: string | null }

export function CoverStateStatus({ cover_state, covered_to }: Props) {
  const [text, tone] = cover_states[cover_state]
  const until = covered_to && isCurrent({ cover_state }) ? ` until ${dateText(covered_to)}` : ''
  return <Status tone={tone}>{text + until}</Status>
}

export const RelationshipBadge = ({ relationship }: { relationship: Relationship }) => (
  <Badge tone={relationship === 'child' ? 'primary' : 'neutral'}>
    {relationships[relationship]}
  </Badge>
)
