// Calendar days as text, and the year they are played in.

const day_ms = 86_400_000

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * day_ms).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / day_ms)

/** The first of the month so many months before a day's. */
export function monthsBefore(day: string, months: number): string {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}-01`
}

/** Sunday is 0. */
export const weekdayOf = (day: string) => new Date(day).getUTCDay()

/** Offices are closed on weekends: the Monday after. */
export function workday(day: string): string {
  const of_week = weekdayOf(day)
  return of_week === 6 ? daysAfter(day, 2) : of_week === 0 ? daysAfter(day, 1) : day
}

/** So are practices: the Friday before. */
export function workdayBefore(day: string): string {
  const of_week = weekdayOf(day)
  return of_week === 6 ? daysAfter(day, -1) : of_week === 0 ? daysAfter(day, -2) : day
}

/** The day it is in a time zone at a moment. */
export const dayIn = (time_zone: string, moment: Date): string => {
  const format = (formats[time_zone] ??= new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }))
  return format.format(moment)
}
const formats: Record<string, Intl.DateTimeFormat> = {}
