// Days that somebody may ask for: real ones, which every calendar and time zone can count from.
import { z } from 'zod'

const first_day = '1900-01-01'
const last_day = '2200-12-31'
const outside = 'Choose a day between 1900 and 2200'

/** Every day in a question has this shape. */
export const Day = (unless: string = 'Choose a date') =>
  z.iso
    .date({ error: unless, abort: true })
    .refine((day) => day >= first_day && day <= last_day, outside)

/** The same day of another month, or the month's last one. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)))
    .toISOString()
    .slice(0, 10)
}

export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** 1 is Monday, 7 Sunday. */
export const weekdayOf = (day: string) => new Date(day).getUTCDay() || 7

/** The first day after a day that is not in a weekend. */
export function nextWeekday(day: string): string {
  const next = daysAfter(day, 1)
  return weekdayOf(next) > 5 ? nextWeekday(next) : next
}

const spelled = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
/** A day in a sentence, in the words of the sentence. */
export const dayText = (day: string) =>
  spelled.format(new Date(`${day}T00:00:00Z`)).replace('Sept', 'Sep')
