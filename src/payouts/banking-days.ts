// Days on which banks carry out payments.
import { daysAfter, nextWeekday } from '#lib/days.ts'

/** The first banking day after a day. Payments in euro also rest on the closing days of TARGET. */
export function nextBankingDay(day: string, currency: string): string {
  const next = nextWeekday(day)
  return currency === 'EUR' && isClosed(next) ? nextBankingDay(next, currency) : next
}

function isClosed(day: string): boolean {
  const easter = easterOf(Number(day.slice(0, 4)))
  const good_friday = daysAfter(easter, -2)
  const easter_monday = daysAfter(easter, 1)
  return (
    ['01-01', '05-01', '12-25', '12-26'].includes(day.slice(5)) ||
    [good_friday, easter_monday].includes(day)
  )
}

/** Easter Sunday, by the tables of the Gregorian calendar as Meeus writes them in whole numbers. */
function easterOf(year: number): string {
  const century = Math.trunc(year / 100)
  const golden = year % 19
  const skipped = century - Math.trunc(century / 4) - Math.trunc((8 * century + 13) / 25)
  const epact = (19 * golden + skipped + 15) % 30
  const late = epact > 28 || (epact === 28 && golden > 10) ? 1 : 0
  const full_moon = daysAfter(`${year}-03-21`, epact - late)
  return daysAfter(full_moon, 7 - new Date(full_moon).getUTCDay())
}
