import { DateText } from '#ui/DateText.tsx'
import { heldBy } from './AwayNotice.tsx'
import type { Reviewed } from './ReviewPanel.tsx'
import { Section } from './Section.tsx'

type Stop = { why: string; from: string; until: string | null }

/** Until when it is to be decided, and what stopped the clock on the way. Nothing is decided by time. */
export function ReviewClock({ claim }: { claim: Reviewed }) {
  const { due_at, held_by, holidays, events, overdue, status } = claim
  const stops = stopsOf(events)
  if (status !== 'pending' && stops.length === 0) return null
  return (
    <Section title="Who has it, and until when">
      <ul className="flex flex-col gap-1.5 text-sm">
        {held_by && (
          <li className="wrap-anywhere">
            <span className="text-soft">With </span>
            <span className="font-medium">{heldBy(held_by)}</span>
          </li>
        )}
        {due_at && (
          <li className={overdue ? 'font-medium text-bad-ink' : undefined}>
            {overdue ? 'Was to be decided by ' : 'To be decided by '}
            <DateText value={due_at} show="moment" />
          </li>
        )}
        {stops.map(({ why, from, until }) => (
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
      </ul>
    </Section>
  )
}

/** Stopped while an answer is awaited; begun again by an appeal. */
function stopsOf(events: Reviewed['events']): Stop[] {
  const stops: Stop[] = []
  for (const { event, at } of events) {
    const open = stops.at(-1)
    if (event === 'asked') stops.push({ why: 'Stopped for an answer,', from: at, until: null })
    else if (event === 'appealed')
      stops.push({ why: 'Began again with the appeal,', from: at, until: null })
    else if (open?.why.startsWith('Stopped') && open.until === null) open.until = at
  }
  return stops
}
