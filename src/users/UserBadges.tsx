import { roleLabels } from '#paths.ts'
import { account_tones } from '#shared/account-tones.ts'
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

type StatusProps = { account_state: AccountState; erased_at: string | null }

/** Active and suspended have their names; any other value displays as Pending. */
export const UserStatusBadge = ({ account_state, erased_at }: StatusProps) => (
  <Status tone={erased_at ? 'neutral' : account_tones[account_state]}>
    {erased_at
      ? 'Erased'
      : account_state === 'suspended'
        ? 'Suspended'
        : account_state === 'left'
          ? 'Left'
          : account_state === 'active'
            ? 'Active'
            : 'Pending'}
  </Status>
)
