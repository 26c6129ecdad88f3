// Figures as a page shows them.
import { decimalsOf, formatOf } from '#lib/currencies.ts'
import {
  isMoney,
  isSuppressed,
  suppressed_word,
  type Cell,
  type Column,
  type MoneyCell,
} from './document.ts'

const count = new Intl.NumberFormat('en')
const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })

export const amount = ({ cents, currency }: MoneyCell): string =>
  formatOf('en', currency).format(cents / 10 ** decimalsOf(currency))

/** The first of a month; the sum of all months stands in the same column. */
export const isMonth = (cell: string) => /^\d{4}-\d\d-01$/.test(cell)

export const monthName = (value: string) => month.format(new Date(value))

export function shown(cell: Cell, kind: Column['kind']): string {
  if (cell === null) return '–'
  if (isSuppressed(cell)) return suppressed_word
  if (isMoney(cell)) return amount(cell)
  if (typeof cell === 'number')
    return kind === 'percent'
      ? `${tenths.format(cell)}%`
      : kind === 'days'
        ? tenths.format(cell)
        : count.format(cell)
  return kind === 'month' && isMonth(cell) ? monthName(cell) : cell
}
