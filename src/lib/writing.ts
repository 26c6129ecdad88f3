// How sums, days and moments are written for a reader: on screen as their browser does, in mails always one way.
import { decimalsOf, formatOf } from './currencies.ts'

export type Writing = {
  money: (cents: number, currency: string) => string
  day: (day: string) => string
  moment: (moment: string, time_zone: string) => string
}

export function writingOf(locale: string | undefined): Writing {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    money: (cents, currency) =>
      formatOf(locale, currency).format(cents / 10 ** decimalsOf(currency)),
    day: (day) => days.format(new Date(day)),
    moment: (moment, timeZone) =>
      new Intl.DateTimeFormat(locale, {
        dateStyle: 'long',
        timeStyle: 'short',
        timeZone,
      }).format(new Date(moment)),
  }
}

export const in_mails = writingOf('en-GB')
