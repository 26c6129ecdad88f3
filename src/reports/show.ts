// Figures as a page shows them.
import { countInEnglish } from '#lib/counted.ts'
import { decimalsOf, formatOf } from '#lib/currencies.ts'
import {
  isMoney,
  isSuppressed,
  suppressed_word,
  type Cell,
  type SheetColumn,
  type MoneyCell,
} from './document.ts'

const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })

export const amount = ({ cents, currency }: MoneyCell): string =>
  formatOf('en', currency).format(cents / 10 ** decimalsOf(currency))

/** The first of a month; the sum of all months stands in the same column. */
export const isMonth = (cell: string) => /^\d{4}-\d\d-01$/.test(cell)

export const dayName = (value: string) => day.format(new Date(value))
/** Seconds tell whether what was done just before is in it. */
export const momentName = (value: string) => `${dayName(value)}, ${value.slice(11, 19)} UTC`
export const reportMonthName = (value: string) => month.format(new Date(value))

export function cellWords(cell: Cell, kind: SheetColumn['kind']): string {
  if (cell === null) return '–'
  if (isSuppressed(cell)) return suppressed_word
  if (isMoney(cell)) return amount(cell)
  if (typeof cell === 'number')
    return kind === 'percent'
      ? `${tenths.format(cell)}%`
      : kind === 'days'
        ? tenths.format(cell)
        : countInEnglish(cell)
  if (kind === 'day') return dayName(cell)
  return kind === 'month' && isMonth(cell) ? reportMonthName(cell) : cell
}

/** Nothing was there, which is not the same as hidden. */
export const isNothing = (cell: Cell) =>
  cell === null || cell === 0 || (isMoney(cell) && cell.cents === 0)

/** How much more or less it is than before; nothing where one of both is not to be seen. */
export function changeText(
  value: Cell,
  before: Cell,
  kind: SheetColumn['kind'],
): string | undefined {
  if (isMoney(value) && isMoney(before)) {
    const cents = value.cents - before.cents
    return signed(cents, amount({ cents: Math.abs(cents), currency: value.currency }))
  }
  if (typeof value !== 'number' || typeof before !== 'number') return undefined
  const more = Math.round((value - before) * 10) / 10
  const size = Math.abs(more)
  return signed(more, kind === 'percent' ? `${tenths.format(size)} points` : cellWords(size, kind))
}

const signed = (more: number, size: string) =>
  more === 0 ? 'no change' : `${more > 0 ? '+' : '−'}${size}`
