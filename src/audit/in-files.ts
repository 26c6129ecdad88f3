// How changes are written in a file, by the clock of a place.
import { decimal } from '#lib/money.ts'
import type { Formats } from './words.ts'

/**
 * Separate columns, so that a spreadsheet can sort and filter; times by the clock of the place, such as
 * '2026-11-27 14:50'.
 */
export const asInFiles = (time_zone: string): Formats => {
  const minute = new Intl.DateTimeFormat('sv', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: time_zone,
  })
  return {
    time: (time) => (time.length > 10 ? minute.format(new Date(time)) : time),
    amount: (cents, currency) => `${decimal(cents, currency)} ${currency}`,
  }
}
