const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })
const calendarDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

type Props = {
  /** An ISO time, or a calendar date, which is the same day in every time zone. */
  value: string
  show?: 'day' | 'moment' | 'month' | 'ago'
}

export function DateText({ value, show = 'day' }: Props) {
  return (
    <time dateTime={value} title={titleOf(value)} className="figures whitespace-nowrap">
      {dateText(value, show)}
    </time>
  )
}

const isCalendarDate = (value: string) => value.length === 10

export function dateText(value: string, show: Props['show'] = 'day'): string {
  const date = new Date(value)
  if (show === 'ago') return ago(date)
  if (show === 'month') return month.format(date)
  if (isCalendarDate(value)) return calendarDay.format(date)
  return (show === 'moment' ? moment : day).format(date)
}

const titleOf = (value: string) =>
  isCalendarDate(value) ? undefined : moment.format(new Date(value))

const midnight = (at: Date) => new Date(at).setHours(0, 0, 0, 0)

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Of days those of the calendar count: what was on Monday is two days ago on Wednesday, at any hour. */
function ago(date: Date): string {
  const now = new Date()
  const apart = (date.getTime() - now.getTime()) / 1000
  const seconds = Math.abs(apart) < 86_400 ? apart : (midnight(date) - midnight(now)) / 1000
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step
    ? relative.format(Math.round(seconds / step[1]), step[0])
    : relative.format(0, 'second')
}
