// Sums of money in a line of text, however they are written: 1.234,56 € · $1,234.56 · CHF 1'234.50 · 45,-
import { decimalsOf } from '#lib/currencies.ts'

export type ReadSum = {
  cents: number
  /** Whether it is written as money: with a currency, or with as many decimals as its currency has. */
  exact: boolean
}

const currency_signs: [RegExp, string][] = [
  [/€|\bEUR\b|\bEURO?S?\b/i, 'EUR'],
  [/£|\bGBP\b/i, 'GBP'],
  [/\bCHF\b|\bSFr\.?|\bFr\.(?=\s*\d)/i, 'CHF'],
  [/\bUSD\b|\bUS\$/i, 'USD'],
  [/\bCAD\b|\bC\$|\bCA\$/i, 'CAD'],
  [/\bAUD\b|\bA\$|\bAU\$/i, 'AUD'],
  [/\bPLN\b|zł/i, 'PLN'],
  [/\bCZK\b|Kč/i, 'CZK'],
  [/\bHUF\b|\d\s?Ft\b/i, 'HUF'],
  [/\bSEK\b/i, 'SEK'],
  [/\bNOK\b/i, 'NOK'],
  [/\bDKK\b/i, 'DKK'],
  [/\bRON\b|\d\s?lei\b/i, 'RON'],
  [/\bBGN\b|\d\s?лв/i, 'BGN'],
  [/\bINR\b|₹/i, 'INR'],
  [/\bJPY\b/i, 'JPY'],
]
const dollars = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN']
const crowns = ['SEK', 'NOK', 'DKK']

function signOf(line: string, at_home: string): string | undefined {
  const named = currency_signs.find(([sign]) => sign.test(line))?.[1]
  if (named) return named
  // A sign that several countries use is ours, if ours uses it.
  if (line.includes('$')) return dollars.includes(at_home) ? at_home : 'USD'
  if (/\d\s?kr\b/i.test(line) && crowns.includes(at_home)) return at_home
  if (line.includes('¥') && at_home === 'JPY') return 'JPY'
  return undefined
}

/** The one that is named most often, those beside a number first. */
export function currencyOf(lines: string[], at_home: string): string | null {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const sign = signOf(line, at_home)
    if (sign) counts.set(sign, (counts.get(sign) ?? 0) + (/\d/.test(line) ? 3 : 1))
  }
  return [...counts].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? null
}

const number =
  /(?<![\d\p{L}.,:/-])-?(?:\d{1,3}(?:[ .,'’]\d{3})+|\d{1,9})(?:[.,](?:\d{1,2}|-{1,2}))?(?![\d\p{L}:/]|[.,]\d|\s?%)/gu
const neighbour =
  /€|£|\$|¥|₹|\b(?:EUR|GBP|CHF|USD|CAD|AUD|PLN|CZK|HUF|SEK|NOK|DKK|RON|JPY|INR|Kč|zł|kr|Ft)\b/i

/** Every number of a line that may be a sum; `loose` also those without decimals or currency. */
export function sumsOf(line: string, currency: string, loose: boolean): ReadSum[] {
  const digits = decimalsOf(currency)
  const corrected = asDigits(line)
  return [...corrected.matchAll(number)].flatMap((found): ReadSum[] => {
    const around = corrected.slice(Math.max(0, found.index - 5), found.index + found[0].length + 5)
    const read = parse(found[0])
    if (!read || read.value > 1_000_000) return []
    const exact = (digits > 0 && read.decimals === digits) || read.dashed || neighbour.test(around)
    if (!exact && !loose) return []
    return [{ cents: Math.round(read.value * 10 ** digits), exact }]
  })
}

export const findSums = (line: string, currency: string) =>
  sumsOf(line, currency, false).filter(({ cents }) => cents > 0)

/** OCR likes to put a space at the decimal point, and takes characters next to a number for a part of it. */
const asDigits = (line: string) =>
  line
    .replace(/(\d)\s?([.,])\s(\d{2})(?!\d)/g, '$1$2$3')
    .replace(/(\d)\s([.,])(\d{2})(?!\d)/g, '$1$2$3')
    .replace(/(?<=\d)(?=EUR|USD|GBP|CHF|kn\b|Kč|zł|kr\b|Ft\b)/g, ' ')
    .replace(/(?<=EUR|USD|GBP|CHF|Fr\.)(?=\d)/g, ' ')
    .replace(/[*#=]+(?=\d)/g, ' ')

function parse(written: string): { value: number; decimals: number; dashed: boolean } | undefined {
  if (written.startsWith('-')) return undefined // money back is not what is claimed
  const dashed = /[.,]-{1,2}$/.test(written)
  const plain = written.replace(/[ '’]/g, '').replace(/[.,]-{1,2}$/, '')
  const end = /[.,](\d{1,2})$/.exec(plain)
  const decimals = end?.[1]?.length ?? 0
  const whole = (end ? plain.slice(0, end.index) : plain).replace(/[.,]/g, '')
  const value = Number(`${whole}.${end?.[1] ?? '0'}`)
  return Number.isFinite(value) ? { value, decimals, dashed } : undefined
}
