// What a receipt's text says: how much, when, at whom. Proposals for a person to look at; nothing is better than
// a guess, so where the text says nothing clear the answer is null.
import { currencyOf, findSums, sumsOf, type Sum } from './reading-sums.ts'
import { dayOf } from './reading-days.ts'
import * as words from './words.ts'

export type Hints = {
  /** The company's. */
  currency: string
  /** 3/4/2026 is in March where this is so. */
  month_first: boolean
  /** The company's day: no receipt is of tomorrow. */
  today: string
}

export type Reading = {
  amount_cents: number | null
  currency: string | null
  on: string | null
  provider: string | null
}

const text_max = 20_000
const lines_max = 400

export function readText(text: string, hints: Hints): Reading {
  const lines = linesOf(text)
  const currency = currencyOf(lines, hints.currency)
  return {
    amount_cents: amountOf(lines, currency ?? hints.currency),
    currency,
    on: dayOf(lines, hints, currency),
    provider: providerOf(lines),
  }
}

export const linesOf = (text: string) =>
  text
    .normalize('NFKC')
    .slice(0, text_max)
    .split(/[\r\n\f]+/)
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .filter(Boolean)
    .slice(0, lines_max)

/** How clearly a line names the sum to be paid; none where it names another. */
function clearness(line: string): number {
  if (words.not_the_sum.test(line)) return 0
  if (words.tax.test(line) && !words.with_tax.test(line) && !words.due.test(line)) return 0
  if (words.due.test(line)) return 3
  if (words.total.test(line)) return 2
  return words.paid.test(line) ? 1 : 0
}

type Candidate = { cents: number; clear: number }

export function amountOf(lines: string[], currency: string): number | null {
  const named = lines.flatMap((line, at): Candidate[] => {
    const clear = clearness(line)
    if (clear === 0) return []
    const sum = sumBeside(lines, at, currency)
    return sum ? [{ cents: sum.cents, clear }] : []
  })
  const clearest = Math.max(0, ...named.map(({ clear }) => clear))
  const best = named.filter(({ clear }) => clear === clearest).map(({ cents }) => cents)
  if (best.length > 0) return Math.max(...best)
  return largest(lines, currency)
}

/** The last sum on the line; else the line below, where that is nothing but a sum. */
function sumBeside(lines: string[], at: number, currency: string): Sum | undefined {
  const here = sumsOf(lines[at] ?? '', currency, true).filter(({ cents }) => cents > 0)
  const spoken = here.filter(({ exact }) => exact)
  const last = (spoken.length > 0 ? spoken : here).at(-1)
  if (last) return last
  const below = lines[at + 1] ?? ''
  return /\p{L}{4}/u.test(below) ? undefined : findSums(below, currency).at(-1)
}

/** Where no line names the sum: the largest, if it is written as money. */
function largest(lines: string[], currency: string): number | null {
  const sums = lines
    .filter((line) => !words.not_the_sum.test(line) && !words.not_the_day.test(line))
    .flatMap((line) => findSums(line, currency))
  return sums.length === 0 ? null : Math.max(...sums.map(({ cents }) => cents))
}

const top_lines = 10

/** The first prominent line; rather one that names a practice, a pharmacy or a company. */
export function providerOf(lines: string[]): string | null {
  const names = lines.slice(0, top_lines).map(cleaned).filter(isName)
  const best =
    names.find((line) => words.name_of_a_provider.test(line)) ??
    names.find((line) => words.company_form.test(line)) ??
    names[0]
  return best ? best.slice(0, 100).trim() : null
}

/** Without what OCR makes of edges and lines. */
const cleaned = (line: string) =>
  line
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.)&!]+$/gu, '')
    .replace(/\s+\S?[|_~=—]+.*$/u, '')
    .trim()

function isName(line: string): boolean {
  const letters = line.match(/\p{L}/gu)?.length ?? 0
  const digits = line.match(/\d/g)?.length ?? 0
  if (letters < 3 || letters < line.length * 0.5 || digits > 4) return false
  if (line.includes('@') || !/\p{L}{3}/u.test(line)) return false
  if (words.name_of_a_provider.test(line)) return !/^(?:patient|invoice|receipt|date)\b/i.test(line)
  return !words.not_a_name.test(line) && !(words.street.test(line) && digits > 0)
}
