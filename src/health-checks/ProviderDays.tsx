import { CalendarOff, Printer } from 'lucide-react'
import { useState } from 'react'
import { health_checks_api } from '#api/health-checks-api.ts'
import { counted } from '#ui/figures.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { todayIn } from '#ui/calendar-days.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { CloseDialog } from './CloseDialog.tsx'
import { DaySheet } from './DaySheet.tsx'
import type { CheckProvider, CheckSlot, ListedSlot } from './health-checks.contract.ts'
import { daysOfMonth, monthOf, timeIn, wholeDay } from './moments.ts'
import { MonthCalendar, type DayMark } from './MonthCalendar.tsx'

/** A month of a provider as those see it who run it: how full each day is, and who comes. */
export function ProviderDays({ provider }: { provider: CheckProvider }) {
  const { id: provider_id, time_zone, next_free_on } = provider
  const today = todayIn(time_zone)
  const [month, setMonth] = useState(monthOf(next_free_on ?? today))
  const [picked, setPicked] = useState<string>()
  const days = daysOfMonth(month)
  const slots = useRead(health_checks_api.slots, {
    provider_id,
    from_on: days[0] ?? month,
    to_on: days.at(-1) ?? month,
  })
  const with_slots = [...new Set(slots?.map(({ day }) => day))]
  const chosen = picked ?? with_slots.find((day) => day >= today) ?? with_slots[0]
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <MonthCalendar
        month={month}
        onMonth={(to) => {
          setPicked(undefined)
          setMonth(to)
        }}
        marks={marksOf(slots ?? [])}
        chosen={chosen}
        onChoose={setPicked}
        today={today}
        loading={!slots}
      />
      {chosen ? (
        <Day key={chosen} provider={provider} day={chosen} />
      ) : (
        <p className="text-sm text-soft">
          {slots && 'No times this month. Add some, or choose another month.'}
        </p>
      )}
    </div>
  )
}

function marksOf(slots: CheckSlot[]): ReadonlyMap<string, DayMark> {
  const marks = new Map<string, DayMark>()
  for (const day of new Set(slots.map((slot) => slot.day))) {
    const open = slots.filter((slot) => slot.day === day && !slot.closed_at)
    const taken = open.reduce((sum, slot) => sum + slot.taken, 0)
    const places = open.reduce((sum, slot) => sum + slot.capacity, 0)
    marks.set(
      day,
      places === 0
        ? { text: 'closed', label: 'closed', muted: true }
        : {
            text: `${taken}/${places}`,
            label: `${taken} of ${counted(places, 'place')} booked`,
            muted: taken === 0,
          },
    )
  }
  return marks
}

function Day({ provider, day }: { provider: CheckProvider; day: string }) {
  const { id: provider_id } = provider
  const list = useRead(health_checks_api.day_list, { provider_id, day })
  const close = useWrite(health_checks_api.close_day, ({ cancelled }) => closed(cancelled))
  const [closing, setClosing] = useState(false)
  const open = list?.filter(({ refusals }) => !refusals.close) ?? []
  return (
    <section aria-label={wholeDay(day)} className="min-w-0">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{wholeDay(day)}</h3>
        <div className="flex gap-2">
          <Button
            size="small"
            disabled={!list?.length}
            icon={Printer}
            onClick={() => window.print()}
          >
            Print
          </Button>
          {open.length > 0 && (
            <Button size="small" icon={CalendarOff} onClick={() => setClosing(true)}>
              Close day
            </Button>
          )}
        </div>
      </header>
      {list ? (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {list.map((slot) => (
            <SlotRow key={slot.id} slot={slot} provider={provider} />
          ))}
        </ul>
      ) : (
        <Skeleton className="mt-3 h-48 w-full" />
      )}
      {list && <DaySheet provider={provider} day={day} list={list} />}
      <CloseDialog
        name={`day-${provider_id}-${day}`}
        title={`Close ${wholeDay(day)}?`}
        booked={open.reduce((sum, slot) => sum + slot.taken, 0)}
        open={closing}
        onClose={() => setClosing(false)}
        onConfirm={(reason) => close.submit({ provider_id, day, reason })}
      />
    </section>
  )
}

const closed = (cancelled: number) =>
  cancelled === 0 ? 'Closed' : `Closed, ${cancelled} notified of the cancellation`

type RowProps = { slot: ListedSlot; provider: CheckProvider }

function SlotRow({ slot, provider }: RowProps) {
  const { id, starts_at, capacity, taken, closed_at, close_reason, past, visitors, refusals } = slot
  const [closing, setClosing] = useState(false)
  const close = useWrite(health_checks_api.close_slot, ({ cancelled }) => closed(cancelled))
  const reopen = useWrite(health_checks_api.reopen_slot, 'Reopened')
  const time = timeIn(starts_at, provider.time_zone)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm sm:flex-nowrap">
      <span className="figures w-18 shrink-0 grow font-medium sm:grow-0">{time}</span>
      <span className="order-last min-w-0 basis-full wrap-anywhere sm:order-none sm:flex-1 sm:basis-0">
        {visitors.length > 0 ? (
          visitors.join(', ')
        ) : (
          <span className="text-soft">{closed_at ? (close_reason ?? 'Closed') : 'Nobody yet'}</span>
        )}
      </span>
      {closed_at ? (
        <Status>Closed</Status>
      ) : (
        <span className="figures text-ui text-soft">
          {taken} of {capacity}
        </span>
      )}
      {!past &&
        (closed_at ? (
          <Button
            size="small"
            loading={reopen.pending}
            unless={refusals.reopen}
            onClick={() => reopen({ id })}
          >
            Open
          </Button>
        ) : (
          <Button
            size="small"
            aria-label={`Close ${time}`}
            unless={refusals.close}
            onClick={() => setClosing(true)}
          >
            Close
          </Button>
        ))}
      <CloseDialog
        name={`slot-${id}`}
        title={`Close ${time}?`}
        booked={taken}
        open={closing}
        onClose={() => setClosing(false)}
        onConfirm={(reason) => close.submit({ id, reason })}
      />
    </li>
  )
}
