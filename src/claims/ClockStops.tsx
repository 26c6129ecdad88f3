import { DateText } from '#ui/DateText.tsx'
import type { ClaimDetail } from './claims.contract.ts'

type ClaimClock = Pick<ClaimDetail, 'due_at' | 'overdue' | 'holidays' | 'events'>
type ClockStop = { why: string; from: string; until: string | null }

/** The deadline of the decision, and what stopped its clock. No claim is decided by time. */
export const ClockStops = ({
  claim: { due_at, overdue, holidays, events },
}: {
  claim: ClaimClock
}) => (
  <>
    {due_at && (
      <li className={overdue ? 'font-medium text-bad-ink' : undefined}>
        {overdue ? 'Decision was due by ' : 'Decision due by '}
        <DateText value={due_at} show="deadline" />
      </li>
    )}
    {stopsOf(events).map(({ why, from, until }) => (
      <li key={from + why} className="text-soft">
        {why} <DateText value={from} show="moment" />
        {until && (
          <>
            {' – '}
            <DateText value={until} show="moment" />
          </>
        )}
      </li>
    ))}
    {holidays.map(({ on_day, name }) => (
      <li key={on_day} className="text-soft">
        Stopped on <DateText value={on_day} />, {name}
      </li>
    ))}
  </>
)

/** The clock stops while an answer is awaited; an appeal begins it again. */
export function stopsOf(events: ClaimClock['events']): ClockStop[] {
  const stops: ClockStop[] = []
  for (const { event, at, undone_at } of events) {
    if (undone_at) continue
    const open = stops.at(-1)
    if (event === 'asked') stops.push({ why: 'Stopped for an answer,', from: at, until: null })
    else if (event === 'appealed')
      stops.push({ why: 'Began again with the appeal,', from: at, until: null })
    else if (open?.why.startsWith('Stopped') && open.until === null) open.until = at
  }
  return stops
}
