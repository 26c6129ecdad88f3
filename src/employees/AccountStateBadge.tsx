import { Status } from '#ui/Badge.tsx'
import { today } from '#ui/calendar-days.ts'
import { DateText } from '#ui/DateText.tsx'
import type { AccountState } from '#users/users.contract.ts'
import { account_tones, account_words } from '#users/words.contract.ts'

type Props = { account_state: AccountState; left_on: string | null; erased_at: string | null }

export const AccountStateBadge = ({ account_state, left_on, erased_at }: Props) => {
  if (erased_at) return <Status tone="neutral">Erased</Status>
  // The state changes as the last day begins, on which the person is still there.
  const leaves_today = account_state === 'left' && left_on === today()
  return (
    <span className="inline-flex flex-col items-start gap-0.5">
      <Status tone={account_tones[account_state]}>
        {leaves_today ? 'Leaves today' : account_words[account_state]}
      </Status>
      {left_on && !leaves_today && (account_state === 'active' || account_state === 'left') && (
        <span className="text-xs whitespace-nowrap text-soft">
          {account_state === 'left' ? 'on' : 'until'} <DateText value={left_on} />
        </span>
      )}
    </span>
  )
}
