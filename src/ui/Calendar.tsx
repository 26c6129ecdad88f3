import { clsx } from 'clsx'
import {
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  ChevronsRight,
  type LucideIcon,
} from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { daysAfter, monthsAfter } from '#lib/days.ts'
import { startOfWeek, today, weeksOf } from './calendar-days.ts'

export type CalendarProps = {
  value: string
  min?: string | undefined
  max?: string | undefined
  onPick: (day: string) => void
}

/** A month as a grid that is walked with the arrows, Home, End and Page keys. */
export function Calendar({ value, min = '', max = '9999', onPick }: CalendarProps) {
  const [at, setAt] = useState(value || within(today(), min, max))
  const grid = useRef<HTMLTableElement>(null)
  const title = useId()
  const weeks = weeksOf(at)
  const isOpen = (day: string) => day >= min && day <= max
  const pick = (day: string) => {
    if (isOpen(day)) onPick(day)
  }
  const press = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (event.key === 'Enter' || event.key === ' ') pick(at)
    else if (move) {
      flushSync(() => setAt(move(at, event.shiftKey)))
      grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    } else return
    event.preventDefault()
  }
  return (
    <>
      <Months title={title} at={at} onTurn={setAt} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its rows and columns are real */}
      <table ref={grid} role="grid" aria-labelledby={title} onKeyDown={press}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={weekday('long', day)} className={headStyles}>
                {weekday('short', day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) =>
                day.slice(0, 7) === at.slice(0, 7) ? (
                  <Day
                    key={day}
                    day={day}
                    reached={day === at}
                    chosen={day === value}
                    open={isOpen(day)}
                    onPick={() => pick(day)}
                  />
                ) : (
                  <td key={day} className="size-10">
                    {'\u00a0'}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

type MonthsProps = { title: string; at: string; onTurn: (day: string) => void }

function Months({ title, at, onTurn }: MonthsProps) {
  const turn = (name: string, months: number, Icon: LucideIcon) => (
    <button
      type="button"
      aria-label={name}
      className={turnStyles}
      onClick={() => onTurn(monthsAfter(at, months))}
    >
      <Icon className="size-4" aria-hidden />
    </button>
  )
  return (
    <div className="mb-1 flex items-center">
      {turn('Previous year', -12, ChevronsLeft)}
      {turn('Previous month', -1, ChevronLeft)}
      <h2 id={title} aria-live="polite" className="flex-1 text-center text-sm font-medium">
        {monthText(at)}
      </h2>
      {turn('Next month', 1, ChevronRight)}
      {turn('Next year', 12, ChevronsRight)}
    </div>
  )
}

type DayProps = {
  day: string
  /** The keyboard is on this day. */
  reached: boolean
  chosen: boolean
  open: boolean
  onPick: () => void
}

const Day = ({ day, reached, chosen, open, onPick }: DayProps) => (
  <td
    tabIndex={reached ? 0 : -1}
    aria-label={wholeDay.format(new Date(day))}
    aria-selected={chosen}
    aria-disabled={!open || undefined}
    aria-current={day === today() ? 'date' : undefined}
    onClick={onPick}
    className={dayStyles}
  >
    {Number(day.slice(8))}
  </td>
)

const within = (day: string, min: string, max: string) => (day < min ? min : day > max ? max : day)

const moves: Record<string, (day: string, shift: boolean) => string> = {
  ArrowLeft: (day) => daysAfter(day, -1),
  ArrowRight: (day) => daysAfter(day, 1),
  ArrowUp: (day) => daysAfter(day, -7),
  ArrowDown: (day) => daysAfter(day, 7),
  Home: (day) => startOfWeek(day),
  End: (day) => daysAfter(startOfWeek(day), 6),
  PageUp: (day, shift) => monthsAfter(day, shift ? -12 : -1),
  PageDown: (day, shift) => monthsAfter(day, shift ? 12 : 1),
}

const utc = { timeZone: 'UTC' } as const
const wholeDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', ...utc })
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', ...utc })
const monthText = (day: string) => month.format(new Date(day))
const weekday = (width: 'long' | 'short', day: string) =>
  new Intl.DateTimeFormat(undefined, { weekday: width, ...utc }).format(new Date(day))

const turnStyles =
  'grid size-9 place-items-center rounded-control text-soft hover:bg-sunken hover:text-ink'
const headStyles = 'h-8 text-center text-xs font-normal text-faint'
const dayStyles = clsx(
  'figures size-10 cursor-pointer rounded-control text-center text-sm select-none',
  'hover:bg-sunken aria-[current]:font-semibold aria-[current]:text-primary-ink',
  'aria-selected:bg-primary! aria-selected:text-on-primary!',
  'aria-disabled:cursor-not-allowed aria-disabled:text-faint aria-disabled:line-through aria-disabled:opacity-60',
)
