// Times on the wall of the place where a check is: that is where people look at the clock.
const clocks = new Map<string, Intl.DateTimeFormat>()

export function timeIn(at: string, time_zone: string): string {
  const known = clocks.get(time_zone)
  const clock =
    known ?? new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: time_zone })
  clocks.set(time_zone, clock)
  return clock.format(new Date(at))
}

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' })
const weekday_long = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' })

export const wholeDay = (day: string) => whole.format(new Date(day))
export const monthName = (of_month: string) => month.format(new Date(`${of_month}-01`))

/** Monday first, as the numbers of ISO count. 1 January 2024 was one. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7].map((number) => {
  const date = new Date(Date.UTC(2024, 0, number))
  return { number, short: weekday.format(date), long: weekday_long.format(date) }
})

export const monthOf = (day: string) => day.slice(0, 7)

export function monthAfter(of_month: string, by: number): string {
  const [year = 0, number = 1] = of_month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

export function daysOfMonth(of_month: string): string[] {
  const [year = 0, number = 1] = of_month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: last }, (_, at) => `${of_month}-${String(at + 1).padStart(2, '0')}`)
}
