// Calendar days as text, and the year they are played in.

const day_ms = 86_400_000

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * day_ms).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / day_ms)

/** The first of the month so many months before a day's. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10)
}

/** Offices are closed on weekends: the Monday after. */
export function workday(day: string): string {
  const of_week = new Date(day).getUTCDay()
  return of_week === 6 ? daysAfter(day, 2) : of_week === 0 ? daysAfter(day, 1) : day
}

/** The company's own today: in New York it is still yesterday for hours. */
export const todayAt = ({ time_zone }: { time_zone: string }): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(new Date())
