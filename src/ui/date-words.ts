// Days and moments as the reader's locale writes them: moments by the clock of the device, days by the company's calendar.
import { dayIn } from './calendar-days.ts'

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const calendarMonth = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const calendarDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const day_ms = 86_400_000

/**
 * `beginning`: a midnight is shown as the day that begins, any other time as the moment. `deadline`: the last day on which
 * something can be done, which for a midnight is the day before; as the minute if less than a day is left or over.
 */
export type DateShow = 'day' | 'moment' | 'month' | 'ago' | 'beginning' | 'deadline'

const isCalendarDate = (value: string) => value.length === 10

/** British English alone has a month of four letters: beside the others it is one of three, too. */
export const threeLetters = (text: string) => text.replace(/\bSept\b/, 'Sep')

export const dateText = (value: string, show: DateShow = 'day'): string =>
  threeLetters(written(value, show))

function written(value: string, show: DateShow): string {
  const date = new Date(value)
  if (show === 'ago') return ago(date)
  const day = new Date(isCalendarDate(value) ? value : dayIn(date))
  if (show === 'month') return calendarMonth.format(day)
  if (isCalendarDate(value)) return calendarDay.format(day)
  if (show === 'beginning' || show === 'deadline') {
    const before = new Date(dayIn(new Date(date.getTime() - 1)))
    if (before < day) return calendarDay.format(show === 'beginning' ? day : before)
  }
  const near = show === 'deadline' && Math.abs(date.getTime() - Date.now()) < day_ms
  return show === 'moment' || show === 'beginning' || near
    ? moment.format(date)
    : calendarDay.format(day)
}

export const dateTitle = (value: string) =>
  isCalendarDate(value) ? undefined : dateText(value, 'moment')

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Days by the calendar: Monday is two days ago on Wednesday, at any hour. */
function ago(date: Date): string {
  const now = new Date()
  const apart = (date.getTime() - now.getTime()) / 1000
  const seconds =
    Math.abs(apart) < 86_400 ? apart : (Date.parse(dayIn(date)) - Date.parse(dayIn(now))) / 1000
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step
    ? relative.format(Math.round(seconds / step[1]), step[0])
    : relative.format(0, 'second')
}
