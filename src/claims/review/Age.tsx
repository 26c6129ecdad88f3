import { clsx } from 'clsx'
import type { QueuedClaim } from './review.contract.ts'
import { CircleAlert } from 'lucide-react'
import { dueText } from './due-words.ts'

type Props = { claim: Pick<QueuedClaim, 'status' | 'days_left' | 'overdue'> }

/** The working days until the deadline, or since. The clock stands still while an answer is awaited. */
export function Age({ claim: { status, days_left, overdue } }: Props) {
  if (status !== 'pending') return null
  return (
    <span
      className={clsx(
        'figures inline-flex items-center gap-1.5 text-ui text-balance',
        overdue ? 'font-medium text-bad-ink' : 'text-soft',
      )}
    >
      {overdue && <CircleAlert className="size-3.5 shrink-0" aria-hidden />}
      {days_left === null ? 'Paused' : dueText(days_left, overdue)}
    </span>
  )
}
