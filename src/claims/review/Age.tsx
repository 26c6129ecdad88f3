import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, use } from 'react'
import type { Queued } from './queue.ts'

type Props = { claim: Pick<Queued, 'status' | 'age_days' | 'overdue' | 'stage'>; long?: boolean }

/** The working days in which a claim is to be decided. Once for all rows, of which there are many. */
export const ReviewTarget = createContext<number | undefined>(undefined)

/** How long it has waited, beside the target. The clock stands still while an answer is awaited. */
export function Age({ claim, long }: Props) {
  const target = use(ReviewTarget)
  if (claim.status !== 'pending') return null
  const days = Math.floor(claim.age_days)
  const of = target ? ` of ${target}` : ''
  const text = days === 0 ? 'Today' : `${days}${of} ${days === 1 && !of ? 'day' : 'days'}`
  const stands = claim.stage === 'information_asked'
  return (
    <span
      title={`Working days since it was submitted${target ? `; the target is ${target}` : ''}`}
      className={clsx(
        'figures inline-flex items-center gap-1.5 text-ui whitespace-nowrap',
        claim.overdue ? 'font-medium text-bad-ink' : 'text-soft',
      )}
    >
      {claim.overdue && <CircleAlert className="size-3.5" aria-hidden />}
      {claim.overdue ? (long ? `Overdue, ${text}` : text) : text}
      {claim.overdue && !long && <span className="sr-only">, overdue</span>}
      {stands && long && <span className="text-faint">· the clock stands still</span>}
    </span>
  )
}
