// The day of a receipt, however it is written: 2026-03-14 · 14.3.2026 · 3/14/26 · 14 March 2026 · March 14, 2026
import * as words from './words.ts'

export type ReadingHints = {
  /** The company's. */
  currency: string
  /** 3/4/2026 is in March where this is so. */
  month_first: boolean
  /** The company's day: no receipt is of tomorrow. */
  today: string
}

type FoundDay = {
  year: number
  first: number
  second: number
  order: 'known' | 'open'
  line: string
  at: number
}
type CandidateDay = { on: string; clear: number; at: number }

const iso = /(?<!\d)(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g
const dotted = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(20\d\d|\d\d)(?!\d)/g
const slashed = /(?<![\d/-])(\d{1,2})[/-](\d{1,2})[/-](20\d\d|\d\d)(?!\d)/g
const day_then_month =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º)?[.\s-]{0,2}(?:de |of )?(\p{L}{3,12})\.?[,\s-]{0,2}(?:de )?(20\d\d|\d\d)(?!\d)/giu
const month_then_day =
  /(?<!\p{L})(\p{L}{3,10})\.?[\s-]{0,2}(\d{1,2})(?:st|nd|rd|th)?,?[\s-]{1,2}(20\d\d|\d\d)(?!\d)/giu

const years_back = 10

export function dayOf(
  lines: string[],
  hints: ReadingHints,
  currency: string | null,
): CandidateDay | null {
  const found = lines.flatMap(findDays)
  const month_first = isMonthFirst(found, hints, currency)
  const days = found.flatMap((each): CandidateDay[] => {
    const on = settle(each, month_first, hints.today)
    const clear = clearness(each.line)
    return on && clear > 0 ? [{ on, clear, at: each.at }] : []
  })
  const clearest = Math.max(0, ...days.map(({ clear }) => clear))
  return days.find(({ clear }) => clear === clearest) ?? null
}

function clearness(line: string): number {
  if (words.service_day.test(line)) return 3
  if (words.not_the_day.test(line)) return 0
  return words.day.test(line) ? 2 : 1
}

type DateText = string | undefined

function findDays(line: string, at: number): FoundDay[] {
  const found: FoundDay[] = []
  const add = (
    year: DateText,
    month: number,
    day: DateText,
    order: FoundDay['order'] = 'known',
  ) => {
    const short = year?.length === 2
    const whole = (short ? 2000 : 0) + Number(year)
    found.push({ year: whole, first: month, second: Number(day), order, line, at })
  }
  const named = (year: DateText, word: DateText, day: DateText) => {
    const month = words.months.get(word?.toLowerCase() ?? '')
    if (month) add(year, month, day)
  }
  for (const [, y, m, d] of line.matchAll(iso)) add(y, Number(m), d)
  for (const [, d, m, y] of line.matchAll(dotted)) add(y, Number(m), d)
  for (const [, a, b, y] of line.matchAll(slashed)) add(y, Number(a), b, 'open')
  for (const [, d, word, y] of line.matchAll(day_then_month)) named(y, word, d)
  for (const [, word, d, y] of line.matchAll(month_then_day)) named(y, word, d)
  return found
}

/** One day in the text that can be read in only one way tells the order of the others; without any, the currency does. */
function isMonthFirst(found: FoundDay[], hints: ReadingHints, currency: string | null): boolean {
  const open = found.filter(({ order }) => order === 'open')
  if (open.some(({ first }) => first > 12)) return false
  if (open.some(({ second }) => second > 12)) return true
  if (currency && currency !== hints.currency) return currency === 'USD'
  return hints.month_first
}

function settle({ year, first, second, order }: FoundDay, month_first: boolean, today: string) {
  const as_month_first = isoDay(year, first, second)
  if (order === 'known') return within(as_month_first, today)
  const as_day_first = isoDay(year, second, first)
  const [preferred, other] = month_first
    ? [as_month_first, as_day_first]
    : [as_day_first, as_month_first]
  return within(preferred, today) ?? within(other, today)
}

const within = (on: string | undefined, today: string) =>
  on && on <= today && on > `${Number(today.slice(0, 4)) - years_back}${today.slice(4)}`
    ? on
    : undefined

function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return real ? date.toISOString().slice(0, 10) : undefined
}
