import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { weekdayOf } from '#lib/days.ts'
import { IconButton } from '#ui/Button.tsx'
import { weeksOf } from '#ui/calendar-days.ts'
import { daysOfMonth, monthAfter, monthName, weekdays, wholeDay } from './moments.ts'

/** `unit` stands where there is room for it. */
export type DayMark = { text: string; unit?: string; label: string; muted?: boolean }

type Props = {
  month: string
  onMonth: (month: string) => void
  /** The mark under a day; a day without one can't be chosen. */
  marks: ReadonlyMap<string, DayMark>
  chosen: string | undefined
  onChoose: (day: string) => void
  today: string
  loading: boolean
  /** No month before this one. */
  first?: string
}

/** A month, on a phone as on a desk: each day says how many places it has. */
export function MonthCalendar(props: Props) {
  const { month, onMonth, marks, first, loading } = props
  const days = daysOfMonth(month)
  const week = weeksOf(`${month}-01`)[0] ?? []
  return (
    <section aria-label={monthName(month)} aria-busy={loading}>
      <header className="flex items-center justify-between">
        <h3 className="text-sm font-semibold" aria-live="polite">
          {monthName(month)}
        </h3>
        <div className="flex">
          <IconButton
            label="Previous month"
            disabled={first !== undefined && month <= first}
            icon={ChevronLeft}
            onClick={() => onMonth(monthAfter(month, -1))}
          />
          <IconButton
            label="Next month"
            icon={ChevronRight}
            onClick={() => onMonth(monthAfter(month, 1))}
          />
        </div>
      </header>
      <div className="mt-2 grid grid-cols-7 gap-1">
        {week.map((day) => (
          <span key={day} className="py-1 text-center text-xs text-faint" aria-hidden>
            {weekdays[weekdayOf(day) - 1]?.short}
          </span>
        ))}
        {days.map((day, at) => (
          <Day
            key={day}
            {...props}
            day={day}
            mark={marks.get(day)}
            column={at === 0 ? week.indexOf(day) + 1 : undefined}
          />
        ))}
      </div>
    </section>
  )
}

type DayProps = Props & { day: string; mark: DayMark | undefined; column: number | undefined }

function Day({ day, mark, column, chosen, onChoose, today }: DayProps) {
  const number = Number(day.slice(8))
  const styles = clsx(
    'flex h-13 flex-col items-center justify-center rounded-control border text-sm',
    day === today && 'font-semibold underline decoration-2 underline-offset-4',
  )
  const style = column === undefined ? undefined : { gridColumnStart: column }
  if (!mark) {
    return (
      <span className={clsx(styles, 'border-transparent text-faint')} style={style}>
        {number}
      </span>
    )
  }
  const is_chosen = day === chosen
  return (
    <button
      type="button"
      style={style}
      aria-pressed={is_chosen}
      onClick={() => onChoose(day)}
      className={clsx(
        styles,
        'transition-colors',
        is_chosen
          ? 'border-transparent bg-primary text-on-primary'
          : mark.muted
            ? 'border-line text-soft hover:bg-sunken'
            : 'border-transparent bg-primary-wash text-primary-ink hover:border-primary',
      )}
    >
      <span className="sr-only">{`${wholeDay(day)}, ${mark.label}`}</span>
      <span aria-hidden>{number}</span>
      <span className="figures text-2xs" aria-hidden>
        {mark.text}
        {mark.unit && <span className="hidden sm:inline"> {mark.unit}</span>}
      </span>
    </button>
  )
}
