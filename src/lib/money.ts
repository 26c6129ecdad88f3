// Amounts between people's writing and whole minor units. No arithmetic on fractions anywhere.
import { decimalsOf } from './currencies.ts'

/** `-1234.50`, for files and form fields: a point, no grouping. */
export function decimal(cents: number, currency: string): string {
  const digits = decimalsOf(currency)
  const all = String(Math.abs(cents)).padStart(digits + 1, '0')
  const sign = cents < 0 ? '-' : ''
  return digits === 0 ? sign + all : `${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`
}

type Amount = { cents: number } | { fault: string }

/** Reads a typed amount, with a comma or a point. One that could mean two things is refused. */
export function parseAmount(text: string, currency: string): Amount {
  const digits = decimalsOf(currency)
  const bare = withoutCurrency(text, currency)
  if (!/^[+-]?\d[\d.,'’ \u00a0\u202f]*$/.test(bare)) return { fault: notAnAmount(digits, currency) }
  const [whole, fraction = '', ambiguous] = split(bare.replace(/['’ \u00a0\u202f]/g, ''))
  if (whole === undefined) return { fault: notAnAmount(digits, currency) }
  if (ambiguous && digits !== 3 && !/^[+-]?0/.test(whole)) {
    return { fault: `Write ${whole}${fraction} if that is meant, or ${decimalsText(digits)}` }
  }
  if (fraction.length > digits) {
    return { fault: digits ? `Use ${decimalsText(digits)}` : 'This currency has no decimals' }
  }
  const cents = Number(whole + fraction.padEnd(digits, '0'))
  return Number.isSafeInteger(cents) ? { cents } : { fault: 'This amount is too large' }
}

const decimalsText = (digits: number) => (digits ? `at most ${digits} decimals` : 'no decimals')

const notAnAmount = (digits: number, currency: string) =>
  `Enter an amount in ${currency} such as ${digits ? `12.${'5'.padEnd(digits, '0')}` : '12'}`

/** The currency's own code or sign may stand before or after the amount; another currency's is not understood. */
function withoutCurrency(text: string, currency: string): string {
  const parts = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0)
  const sign = parts.find((part) => part.type === 'currency')?.value ?? currency
  const trimmed = text.trim()
  for (const mark of [currency, currency.toLowerCase(), sign]) {
    if (trimmed.startsWith(mark)) return trimmed.slice(mark.length).trim()
    if (trimmed.endsWith(mark)) return trimmed.slice(0, -mark.length).trim()
  }
  return trimmed
}

/** Whole part, decimals, and whether a single separator before three digits leaves it open which it is. */
function split(text: string): [whole?: string, fraction?: string, ambiguous?: boolean] {
  const separators = text.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (!last) return [text]
  const kinds = new Set(separators).size
  const repeated = separators.filter((separator) => separator === last).length > 1
  if (kinds === 1 && repeated) return grouped(text.split(last)) ? [text.replaceAll(last, '')] : []
  const at = text.lastIndexOf(last)
  const whole = text.slice(0, at)
  const fraction = text.slice(at + 1)
  if (kinds === 1) return [whole, fraction, /^[+-]?\d{1,3}$/.test(whole) && fraction.length === 3]
  if (repeated) return []
  const groups = whole.split(last === '.' ? ',' : '.')
  return grouped(groups) ? [groups.join(''), fraction] : []
}

const grouped = (groups: string[]) =>
  groups.every((group, at) => (at === 0 ? /^[+-]?\d{1,3}$/ : /^\d{3}$/).test(group))
