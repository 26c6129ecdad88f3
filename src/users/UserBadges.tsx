import { roleLabels } from '#paths.ts'
import { Badge, Status, type BadgeTone } from '#ui/Badge.tsx'
import type { Role, AccountState } from './users.contract.ts'
import { account_tones, account_words } from './words.contract.ts'

const roleTones: Record<Role, BadgeTone> = {
  super_admin: 'accent',
  company_admin: 'primary',
  employee: 'neutral',
}

export const RoleBadge = ({ role }: { role: Role }) => (
  <Badge tone={roleTones[role]}>{roleLabels[role]}</Badge>
)

type StatusProps = { account_state: AccountState; erased_at: string | null }

export const UserStatusBadge = ({ account_state, erased_at }: StatusProps) => (
  <Status tone={erased_at ? 'neutral' : account_tones[account_state]}>
    {erased_at ? 'Erased' : account_words[account_state]}
  </Status>
)
