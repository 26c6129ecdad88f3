import { roleLabels } from '#paths.ts'
import { Badge, Status, type BadgeTone } from '#ui/Badge.tsx'
import type { Role, Standing } from './users.contract.ts'

const roleTones: Record<Role, BadgeTone> = {
  super_admin: 'accent',
  company_admin: 'primary',
  employee: 'neutral',
}

export const RoleBadge = ({ role }: { role: Role }) => (
  <Badge tone={roleTones[role]}>{roleLabels[role]}</Badge>
)

const tones: Record<Standing, BadgeTone> = {
  active: 'good',
  pending: 'accent',
  asking: 'accent',
  suspended: 'bad',
  left: 'neutral',
}

/** Active and suspended have their names; any other value displays as Pending. */
export const UserStatusBadge = ({ standing }: { standing: Standing }) => (
  <Status tone={tones[standing]}>
    {standing === 'suspended'
      ? 'Suspended'
      : standing === 'left'
        ? 'Left'
        : standing === 'active'
          ? 'Active'
          : 'Pending'}
  </Status>
)
