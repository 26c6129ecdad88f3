// The days of a calendar, as text: no time of day, no zone.
import { daysAfter, weekdayOf } from '#lib/days.ts'

let home: string | undefined

/** Sets the time zone of days: the company's, or without one this device's. */
export function keepDaysOf(time_zone: string | undefined) {
  home = time_zone && isKnown(time_zone) ? time_zone : undefined
}

/** The server may know a zone that is newer than the browser. */
function isKnown(time_zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }))
  } catch {
    return false
  }
}

/** The calendar day on which it is, somewhere. */
export const dayIn = (at: string | Date, time_zone = home) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(new Date(at))

export const todayIn = (time_zone: string) => dayIn(new Date(), time_zone)

/** The day it is at the company, as the server takes it; at this device for who belongs to none. */
export const today = () => dayIn(new Date())

export const inAYear = () => daysAfter(today(), 365)

/** Regions whose weeks don't begin on Monday, from the CLDR, for browsers that don't know them. */
const regions_by_first_day = {
  5: 'MV',
  6: 'AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY',
  7:
    'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA ' +
    'PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW',
}

/** The first day of the week in the page's language. */
function firstWeekday(locale = new Intl.DateTimeFormat().resolvedOptions().locale): number {
  const known: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(locale)
  if (known.getWeekInfo) return known.getWeekInfo().firstDay
  const { region = '' } = known.maximize()
  const begin = Object.entries(regions_by_first_day).find(([, regions]) =>
    regions.split(' ').includes(region),
  )
  return Number(begin?.[0] ?? 1)
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
