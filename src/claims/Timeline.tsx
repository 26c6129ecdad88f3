import { clsx } from 'clsx'
import type { z } from 'zod'
import { today } from '#ui/calendar-days.ts'
import { DateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import type { ClaimEvent, ClaimWait } from './claims.contract.ts'
import { eventNames, eventTones, waitsForText } from './labels.ts'
import { paidText } from './sent-words.contract.ts'
import { reasonNames } from './words.contract.ts'

type TimelineEvent = z.infer<typeof ClaimEvent>

const dots = {
  neutral: 'bg-edge',
  primary: 'bg-primary',
  accent: 'bg-accent',
  good: 'bg-good',
  bad: 'bg-bad',
}

type Props = {
  events: readonly TimelineEvent[]
  currency: string
  /** The side that has to act now, as the last point of the line. */
  waits_for: ClaimWait | null
  /** The reader is the claim's employee. */
  is_own?: boolean
  /** The day of the payout that has it or paid it. */
  paid_on: string | null
}

export const Timeline = ({ events, currency, waits_for, is_own = false, paid_on }: Props) => (
  <ol className="flex flex-col">
    {events.map((event, at) => (
      <li key={event.at + event.event} className="relative flex gap-3.5 pb-5 last:pb-0">
        {(at < events.length - 1 || waits_for) && <Connector />}
        <span
          aria-hidden
          className={clsx(
            'mt-1.5 ml-1 size-2.5 shrink-0 rounded-full ring-4 ring-surface',
            dots[event.undone_at ? 'neutral' : eventTones[event.event]],
          )}
        />
        <EventText
          event={event}
          currency={currency}
          paid_on={event.event === 'paid' && event === lastPaid(events) ? paid_on : null}
        />
      </li>
    ))}
    {waits_for && (
      <li className="relative flex gap-3.5">
        <span
          aria-hidden
          className="mt-1.5 ml-1 size-2.5 shrink-0 rounded-full border-2 border-accent bg-surface"
        />
        <p className="text-sm">
          <span className="text-soft">Waiting for </span>
          <span className="font-medium">{waitsForText(waits_for, is_own)}</span>
        </p>
      </li>
    )}
  </ol>
)

/** The last payment, unless it came back: then the claim has no day of payment. */
const lastPaid = (events: readonly TimelineEvent[]) =>
  events.findLast(({ event }) => event === 'paid' || event === 'payment_returned')

const Connector = () => (
  <span aria-hidden className="absolute top-4 bottom-0 left-[0.5625rem] -ml-px w-px bg-line" />
)

type EventProps = { event: TimelineEvent; currency: string; paid_on: string | null }

function EventText({ event, currency, paid_on }: EventProps) {
  const reason = event.reason && reasonNames[event.reason]
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0">
          <span className="font-medium">{eventNames[event.event]}</span>
          {event.amount_cents !== null && (
            <>
              {' '}
              <Money cents={event.amount_cents} currency={currency} />
            </>
          )}
          {event.by_name && <span className="text-soft"> by {event.by_name}</span>}
          {event.undone_at && <span className="text-soft">, undone</span>}
        </span>
        <span className="text-ui text-faint">
          <DateText value={event.at} show="moment" />
        </span>
      </p>
      {paid_on && <p className="mt-1 text-soft">{paidText(paid_on, today())}</p>}
      {(reason || event.text) && (
        <p className="mt-1 text-pretty wrap-anywhere whitespace-pre-line text-soft">
          {[reason, event.text].filter(Boolean).join(': ')}
        </p>
      )}
    </div>
  )
}
