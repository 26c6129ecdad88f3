// Sums and counts as the reader's locale writes them, and the words beside them.
import { countedBy } from '#lib/counted.ts'
import { decimalsOf, formatOf } from '#lib/currencies.ts'

/**
 * Minor units as the reader's locale writes them, with a minus sign as wide as a plus. `whole` leaves out the cents of big
 * sums.
 */
export const money = (cents: number, currency: string, whole = false): string =>
  formatOf(undefined, currency, whole)
    .format(cents / 10 ** decimalsOf(currency))
    .replace('-', '−')

/** '+€50.00', '−€50.00' */
export const signedMoney = (cents: number, currency: string, whole = false): string =>
  `${cents > 0 ? '+' : cents < 0 ? '−' : ''}${money(Math.abs(cents), currency, whole)}`

const counts = new Intl.NumberFormat()

export const count = (value: number): string => counts.format(value)

/** 'a claim', 'an Employee' */
export const withArticle = (noun: string): string =>
  `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

export const counted = countedBy(count)

export const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const both = new Intl.ListFormat('en-GB')

/** 'Ana, Ben or Mia' */
export const oneOf = (names: readonly string[]): string => either.format(names)

/** 'Ana, Ben and Mia' */
export const allOf = (names: readonly string[]): string => both.format(names)
