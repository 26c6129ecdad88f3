// The colours of the states of an account, on every page that shows them.
import type { BadgeTone } from '#ui/Badge.tsx'
import type { AccountState } from '#users/users.contract.ts'

export const account_tones: Record<AccountState, BadgeTone> = {
  active: 'good',
  pending: 'accent',
  requested: 'accent',
  suspended: 'bad',
  left: 'neutral',
}
