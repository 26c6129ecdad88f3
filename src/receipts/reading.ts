// Values from a receipt's text: how much, when, at which provider. Proposals for a person to look at; nothing is better than
// a guess, so where the text says nothing clear the answer is null.
import { currencyOf, findSums, sumsOf, type ReadSum } from './reading-sums.ts'
import { dayOf, type ReadingHints } from './reading-days.ts'
import type { ReadMarks, Spot } from './marks.contract.ts'
import * as words from './words.ts'

export type ReadLine = { text: string; spot?: Spot | undefined }

export type ReceiptReading = {
  amount_cents: number | null
  currency: string | null
  on: string | null
  provider: string | null
  /** The lines on which values were found, as far as that is known. */
  marks: ReadMarks
}

const text_max = 20_000
const lines_max = 400

export function readLines(all: ReadLine[], hints: ReadingHints): ReceiptReading {
  const kept = tidy(all)
  const lines = kept.map(({ text }) => text)
  const currency = currencyOf(lines, hints.currency)
  const amount = amountOf(lines, currency ?? hints.currency)
  const day = dayOf(lines, hints, currency)
  const provider = providerOf(lines)
  const spotOf = (found: { at: number } | null) => found && kept[found.at]?.spot
  const [amount_spot, day_spot, provider_spot] = [amount, day, provider].map(spotOf)
  return {
    amount_cents: amount?.cents ?? null,
    currency,
    on: day?.on ?? null,
    provider: provider?.name ?? null,
    marks: {
      ...(amount_spot && { amount: amount_spot }),
      ...(day_spot && { on: day_spot }),
      ...(provider_spot && { provider: provider_spot }),
    },
  }
}

function tidy(all: ReadLine[]): ReadLine[] {
  let room = text_max
  const lines: ReadLine[] = []
  for (const { text, spot } of all) {
    const line = text
      .normalize('NFKC')
      .slice(0, room)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
    room -= line.length + 1
    if (line) lines.push({ text: line, spot })
    if (room <= 0 || lines.length === lines_max) break
  }
  return lines
}

/** How clearly a line names the sum to be paid; none where it names another. */
function clearness(line: string): number {
  if (words.not_the_sum.test(line)) return 0
  if (words.tax.test(line) && !words.with_tax.test(line) && !words.due.test(line)) return 0
  if (words.due.test(line)) return 3
  if (words.total.test(line)) return 2
  return words.paid.test(line) ? 1 : 0
}

type AmountCandidate = { cents: number; at: number; clear: number }

function amountOf(lines: string[], currency: string): { cents: number; at: number } | null {
  const named = lines.flatMap((line, at): AmountCandidate[] => {
    const clear = clearness(line)
    if (clear === 0) return []
    const sum = sumBeside(lines, at, currency)
    return sum ? [{ ...sum, clear }] : []
  })
  const clearest = Math.max(0, ...named.map(({ clear }) => clear))
  const best = named.filter(({ clear }) => clear === clearest)
  return most(best) ?? largest(lines, currency)
}

const most = <T extends { cents: number }>(sums: T[]): T | null =>
  sums.toSorted((one, other) => other.cents - one.cents)[0] ?? null

/** The last sum on the line; else the line below, where that is nothing but a sum. */
function sumBeside(lines: string[], at: number, currency: string) {
  const there = (sum: ReadSum | undefined, line: number) => sum && { cents: sum.cents, at: line }
  const sums = sumsOf(lines[at] ?? '', currency, true).filter(({ cents }) => cents > 0)
  const spoken = sums.filter(({ exact }) => exact)
  const last = (spoken.length > 0 ? spoken : sums).at(-1)
  if (last) return there(last, at)
  const below = lines[at + 1] ?? ''
  return /\p{L}{4}/u.test(below) ? undefined : there(findSums(below, currency).at(-1), at + 1)
}

/** The largest amount stands in where no line names the sum, if it is written as money. */
const largest = (lines: string[], currency: string) =>
  most(
    lines.flatMap((line, at) =>
      words.not_the_sum.test(line) || words.not_the_day.test(line)
        ? []
        : findSums(line, currency).map(({ cents }) => ({ cents, at })),
    ),
  )

const top_lines = 10

/** The first prominent line; rather one that names a practice, a pharmacy or a company. */
function providerOf(lines: string[]): { name: string; at: number } | null {
  const names = lines
    .slice(0, top_lines)
    .map((line, at) => ({ name: cleaned(line), at }))
    .filter(({ name }) => isName(name))
  const best =
    names.find(({ name }) => words.name_of_a_provider.test(name)) ??
    names.find(({ name }) => words.company_form.test(name)) ??
    names[0]
  return best ? { name: best.name.slice(0, 100).trim(), at: best.at } : null
}

/** A line without the characters that OCR makes of edges and rules. */
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
  if (/\p{Sc}|\d[.,]\d{2}(?!\d)/u.test(line)) return false // something that was bought
  if (words.name_of_a_provider.test(line)) return !/^(?:patient|invoice|receipt|date)\b/i.test(line)
  return !words.not_a_name.test(line) && !(words.street.test(line) && digits > 0)
}
