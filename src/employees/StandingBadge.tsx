import { Status, type BadgeTone } from '#ui/Badge.tsx'
import { DateText } from '#ui/DateText.tsx'
import type { Standing } from '#users/users.contract.ts'

export const standingLabels = {
  active: 'Active',
  pending: 'Invited',
  suspended: 'Suspended',
  left: 'Left',
} satisfies Partial<Record<Standing, string>>

const tones: Record<Standing, BadgeTone> = {
  active: 'good',
  pending: 'accent',
  asking: 'accent',
  suspended: 'bad',
  left: 'neutral',
}

type Props = { standing: Standing; left_on: string | null }

export const StandingBadge = ({ standing, left_on }: Props) => (
  <Status tone={tones[standing]}>
    {standing === 'asking' ? 'Pending' : standingLabels[standing]}
    {left_on && standing === 'active' && (
      <span className="ml-1 font-normal">
        until <DateText value={left_on} />
      </span>
    )}
  </Status>
)
