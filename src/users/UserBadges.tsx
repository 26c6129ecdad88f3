import { roleLabels } from '#paths.ts'
import { Badge, Status, type BadgeTone } from '#ui/Badge.tsx'
import type { Role, AccountState } from './users.contract.ts'

const roleTones: Record<Role, BadgeTone> = {
  super_admin: 'accent',
  company_admin: 'primary',
  employee: 'neutral',
}

export const RoleBadge = ({ role }: { role: Role }) => (
  <Badge tone={roleTones[role]}>{roleLabels[role]}</Badge>
)

const tones: Record<AccountState, BadgeTone> = {
  active: 'good',
  pending: 'accent',
  requested: 'accent',
  suspended: 'bad',
  left: 'neutral',
}

/** Active and suspended have their names; any other value displays as Pending. */
export const UserStatusBadge = ({ account_state }: { account_state: AccountState }) => (
  <Status tone={tones[account_state]}>
    {account_state === 'suspended'
      ? 'Suspended'
      : account_state === 'left'
        ? 'Left'
        : account_state === 'active'
          ? 'Active'
          : 'Pending'}
  </Status>
)
