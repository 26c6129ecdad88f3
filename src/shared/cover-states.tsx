import { isCurrent, type Dependent, type Relationship } from '#dependents/dependents.contract.ts'
import { cover_states, lastDayOf, relationships } from '#dependents/words.contract.ts'
import { Badge, Status } from '#ui/Badge.tsx'
import { dateText } from '#ui/DateText.tsx'

/** How somebody is covered, with the last day where one is known. */
export function CoverStateStatus({ dependent }: { dependent: Dependent }) {
  const [text, tone] = cover_states[dependent.cover_state]
  const last = isCurrent(dependent) ? lastDayOf(dependent) : null
  return <Status tone={tone}>{last ? `${text} until ${dateText(last)}` : text}</Status>
}

export const RelationshipBadge = ({ relationship }: { relationship: Relationship }) => (
  <Badge tone={relationship === 'child' ? 'primary' : 'neutral'}>
    {relationships[relationship]}
  </Badge>
)
