// Days as they are typed: in the page's own format, or in any other that can mean only one day.
type DayContext = { today: string; max?: string | undefined; locale?: string | undefined }

/** The day that was meant, or nothing. Without a year it is this one, or the last one that had it before `max`. */
export function dayFrom(text: string, { today, max, locale }: DayContext): string | undefined {
  const found = foundIn(text, locale)
  if (!found) return undefined
  const this_year = Number(today.slice(0, 4))
  if (found.year !== undefined) return real(fullYear(found.year, this_year), found)
  const now = real(this_year, found)
  return now && max && now > max ? real(this_year - 1, found) : now
}

/** Whether it names a day that no calendar has, such as 31 February. */
export function isNoDay(text: string, known: DayContext): boolean {
  const found = foundIn(text, known.locale)
  if (!found || dayFrom(text, known)) return false
  const has_year = found.year === undefined || [2, 4].includes(found.year.length)
  return (
    has_year && Number(found.month) >= 1 && Number(found.month) <= 12 && Number(found.day) <= 31
  )
}

function foundIn(text: string, locale?: string): DayParts | undefined {
  const words = bare(text).match(/\p{L}+|\d+/gu) ?? []
  const numbers = words.filter((word) => /^\d/.test(word))
  const names = words.filter((word) => !/^\d/.test(word) && !ordinals.has(word))
  // With dots the day comes first in every language: nobody writes a month first like that.
  const order = /^\s*\d{1,2}\s*\./.test(text) ? 'day month year' : orderOf(locale)
  return names.length === 0 ? byNumbers(numbers, order) : byName(names, numbers, locale)
}

type DayParts = { day: string; month: string; year?: string }

const ordinals = new Set(['st', 'nd', 'rd', 'th', 'of', 'de'])

const bare = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

function byName([name = '', ...more]: string[], numbers: string[], locale?: string) {
  const month = monthOf(name, locale)
  const [first = '', second] = numbers
  if (month === 0 || more.length > 0 || numbers.length > 2) return undefined
  const [day, year] = first.length === 4 ? [second, first] : [first, second]
  if (!day) return undefined
  return { day, month: String(month), ...(year === undefined ? {} : { year }) }
}

function byNumbers(numbers: string[], order: string): DayParts | undefined {
  const [one, two, three] = numbers
  if (one === undefined || numbers.length > 3) return undefined
  if (two === undefined) return one.length === 8 ? eightDigits(one, order) : undefined
  if (three === undefined) return inOrder(one, two, order)
  if (one.length === 4 || (order.startsWith('year') && three.length < 4))
    return { year: one, month: two, day: three }
  return { ...inOrder(one, two, order), year: three }
}

const eightDigits = (text: string, order: string) =>
  order.startsWith('year')
    ? byNumbers([text.slice(0, 4), text.slice(4, 6), text.slice(6)], order)
    : byNumbers([text.slice(0, 2), text.slice(2, 4), text.slice(4)], order)

/** A number that can't be a month is the day, wherever it stands. */
function inOrder(one: string, two: string, order: string): DayParts {
  const month_first = order.indexOf('month') < order.indexOf('day')
  const swapped = Number(month_first ? one : two) > 12
  return month_first !== swapped ? { month: one, day: two } : { day: one, month: two }
}

const orderOf = (locale?: string) =>
  new Intl.DateTimeFormat(locale)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type !== 'literal')
    .join(' ')

/** 1 to 12, or 0: by the beginning of its name in the page's language or in English. */
function monthOf(word: string, locale?: string): number {
  if (word.length < 3) return 0
  for (const language of [locale, 'en'])
    for (let month = 1; month <= 12; month += 1)
      if (namesOf(month, language).some((name) => name.startsWith(word))) return month
  return 0
}

const namesOf = (month: number, locale?: string) =>
  (['long', 'short'] as const).map((width) =>
    bare(
      new Intl.DateTimeFormat(locale, { day: 'numeric', month: width, timeZone: 'UTC' })
        .formatToParts(Date.UTC(2000, month - 1, 1))
        .find(({ type }) => type === 'month')?.value ?? '',
    ),
  )

/** Two digits are the year that is at most twenty years off, or one of the last century. */
function fullYear(year: string, this_year: number): number {
  if (year.length !== 2) return year.length === 4 ? Number(year) : Number.NaN
  const near = 2000 + Number(year)
  return near > this_year + 20 ? near - 100 : near
}

function real(year: number, { month, day }: DayParts): string | undefined {
  const date = new Date(Date.UTC(year, Number(month) - 1, Number(day)))
  const is_real = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return is_real && year >= 1000 ? date.toISOString().slice(0, 10) : undefined
}
