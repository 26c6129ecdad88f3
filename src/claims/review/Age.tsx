import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, use } from 'react'
import { DateText } from '#ui/DateText.tsx'
import { counted } from '#ui/figures.ts'
import type { Queued } from './queue.ts'

type Props = { claim: Pick<Queued, 'status' | 'age_days' | 'step_due_at' | 'overdue' | 'stage'> }

/** The working days in which a claim is to be decided. Once for all rows, of which there are many. */
export const ReviewTarget = createContext<number | undefined>(undefined)

/** Until when it is to be decided, or since when it should be. The clock stands still while an answer is awaited. */
export function Age({ claim }: Props) {
  const target = use(ReviewTarget)
  if (claim.status !== 'pending') return null
  const stands = claim.stage === 'information_asked'
  const waited = counted(Math.floor(claim.age_days), 'working day')
  return (
    <span
      title={`${waited} since it was submitted${target ? `; the target is ${target}` : ''}`}
      className={clsx(
        'figures inline-flex items-center gap-1.5 text-ui text-balance',
        claim.overdue ? 'font-medium text-bad-ink' : 'text-soft',
      )}
    >
      {claim.overdue && <CircleAlert className="size-3.5 shrink-0" aria-hidden />}
      {stands ? (
        'Paused'
      ) : claim.step_due_at && !claim.overdue ? (
        <span>
          Due <DateText value={claim.step_due_at} />
        </span>
      ) : (
        ageText(claim, target)
      )}
    </span>
  )
}

function ageText({ age_days, overdue }: Props['claim'], target: number | undefined): string {
  const days = Math.floor(age_days)
  if (!target) return days === 0 ? 'Today' : counted(days, 'working day')
  const over = days - target
  if (overdue) return over < 1 ? 'Overdue' : `${counted(over, 'working day')} overdue`
  return `Due in ${counted(Math.max(1, Math.ceil(target - age_days)), 'working day')}`
}
