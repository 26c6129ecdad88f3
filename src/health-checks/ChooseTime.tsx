import { useState } from 'react'
import type { ProblemCode } from '#problems.ts'
import { health_checks_api } from '#api/health-checks-api.ts'
import { counted } from '#ui/figures.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { todayIn } from '#ui/calendar-days.ts'
import { zoneName } from '#ui/time-zones.ts'
import type { CheckProvider, OfferedSlot } from './health-checks.contract.ts'
import { daysOfMonth, monthOf, timeIn, wholeDay } from './moments.ts'
import { MonthCalendar, type DayMark } from './MonthCalendar.tsx'

type Props = {
  provider: CheckProvider
  /** The person's last day, where it is set: nothing is offered after it. */
  last_on: string | undefined
  onChoose: (slot: OfferedSlot) => void
}

const freeOf = (slot: OfferedSlot) => (slot.refusals.book ? 0 : slot.capacity - slot.taken)

const states: Partial<Record<ProblemCode, string>> = {
  slot_in_the_past: 'over',
  slot_closed: 'closed',
  slot_full: 'full',
}

/** A month of a provider, and the times of one of its days. */
export function ChooseTime({ provider, last_on, onChoose }: Props) {
  const { id: provider_id, time_zone, next_free_on, note } = provider
  const today = todayIn(time_zone)
  const [month, setMonth] = useState(monthOf(next_free_on ?? today))
  const [picked, setPicked] = useState<string>()
  const days = daysOfMonth(month)
  const slots = useRead(health_checks_api.offered_slots, {
    provider_id,
    from_on: days[0] ?? month,
    to_on: days.at(-1) ?? month,
  })
  const chosen =
    picked ?? (monthOf(next_free_on ?? '') === month ? next_free_on : null) ?? undefined
  const of_day = slots?.filter((slot) => slot.day === chosen) ?? []
  const change = (to: string) => {
    setPicked(undefined)
    setMonth(to)
  }
  return (
    <div className="min-w-0">
      <MonthCalendar
        month={month}
        onMonth={change}
        marks={marksOf(slots ?? [])}
        chosen={chosen}
        onChoose={setPicked}
        today={today}
        loading={!slots}
        first={monthOf(today)}
      />
      <div className="mt-6 border-t border-line pt-5">
        {chosen && of_day.length > 0 ? (
          <>
            <h3 className="text-sm font-semibold">{wholeDay(chosen)}</h3>
            <p className="mt-0.5 text-ui text-soft">Local time there ({zoneName(time_zone)}).</p>
            <ul className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
              {of_day.map((slot) => (
                <li key={slot.id}>
                  <Time slot={slot} time_zone={time_zone} onChoose={onChoose} />
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p className="min-h-20 text-sm text-soft">
            {slots && marksOf(slots).size === 0
              ? `No free times this month.${last_on && monthOf(last_on) <= month ? '' : ' Try the next.'}`
              : 'Choose a day to see its times.'}
          </p>
        )}
        {note && <p className="mt-4 text-ui wrap-anywhere text-soft">{note}</p>}
      </div>
    </div>
  )
}

function Time({
  slot,
  time_zone,
  onChoose,
}: { slot: OfferedSlot; time_zone: string } & Pick<Props, 'onChoose'>) {
  const { book } = slot.refusals
  return (
    <Button
      wide
      unless={book}
      onClick={() => onChoose(slot)}
      className="justify-between! px-2.5! sm:px-3.5!"
    >
      <span className="figures">{timeIn(slot.starts_at, time_zone)}</span>
      <span className="text-xs font-normal text-soft">
        {book ? states[book] : `${freeOf(slot)} free`}
      </span>
    </Button>
  )
}

function marksOf(slots: OfferedSlot[]): ReadonlyMap<string, DayMark> {
  const marks = new Map<string, DayMark>()
  for (const day of new Set(slots.map((slot) => slot.day))) {
    const free = slots
      .filter((slot) => slot.day === day)
      .reduce((sum, slot) => sum + freeOf(slot), 0)
    if (free > 0)
      marks.set(day, { text: String(free), unit: 'free', label: `${counted(free, 'place')} free` })
  }
  return marks
}
