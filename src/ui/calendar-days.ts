// The days of a calendar, as text: no time of day, no zone.
import { daysAfter, weekdayOf } from '#lib/days.ts'

/** The day it is at this device. */
export const today = () => new Intl.DateTimeFormat('en-CA').format(new Date())

export const inAYear = () => daysAfter(today(), 365)

/** The first day of the week in the page's language. */
function firstWeekday(locale = new Intl.DateTimeFormat().resolvedOptions().locale): number {
  const known = new Intl.Locale(locale) as { getWeekInfo?: () => { firstDay: number } }
  return known.getWeekInfo?.().firstDay ?? 1
}

export const startOfWeek = (day: string, first = firstWeekday()) =>
  daysAfter(day, -((weekdayOf(day) - first + 7) % 7))

/** Six weeks that hold a day's whole month. */
export function weeksOf(day: string, first = firstWeekday()): string[][] {
  const from = startOfWeek(`${day.slice(0, 8)}01`, first)
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, at) => daysAfter(from, week * 7 + at)),
  )
}
