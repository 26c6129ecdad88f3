// Figures in sentences. One that would need a figure that is hidden or missing is not said at all.
import type { Cell } from './document.ts'
import { isSuppressed } from './document.ts'
import { countedInEnglish } from '#lib/counted.ts'
import { cellWords } from './show.ts'

export const no_company = 'There was no company yet.'

export function say(words: TemplateStringsArray, ...cells: (Cell | undefined)[]): string[] {
  const texts = cells.flatMap((cell) =>
    cell == null || isSuppressed(cell) ? [] : [cellWords(cell, 'count')],
  )
  if (texts.length < cells.length) return []
  return [String.raw({ raw: words }, ...texts)]
}

export const percent = (cell: Cell | undefined): Cell =>
  typeof cell === 'number' ? cellWords(cell, 'percent') : (cell ?? null)
export const days = (cell: Cell): Cell =>
  typeof cell === 'number'
    ? `${cellWords(cell, 'days')} working ${cell === 1 ? 'day' : 'days'}`
    : cell

/** '1 company', '12 companies' */
export const plural = (number: Cell | undefined, one: string, more: string): Cell =>
  typeof number === 'number' ? countedInEnglish(number, one, more) : (number ?? null)

const sentences_max = 6

/** The first of them; that there are more is said, too. */
export function firstOf(sentences: string[]): string[] {
  const more = sentences.length - sentences_max
  if (more <= 1) return sentences
  return [...sentences.slice(0, sentences_max), `${more} more like these: see the tables.`]
}

const listed_max = 5

/** One decision about several: 'Aurora (7.7%), Delta (16.7%) and 3 more' */
function listOf(items: string[]): string {
  const more = items.length - listed_max
  if (more > 1) return `${items.slice(0, listed_max).join(', ')} and ${more} more`
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`
}

/** The share of its allocation from which a category will run out before the year does. */
const nearly_used = 85

export const runsOut = (share: number) => share >= nearly_used
export const allocate_more = 'allocate more, or let it run out?'

/** One question about all items; none without items. */
export const ask = (items: string[], question: (list: string) => string): string[] =>
  items.length === 0 ? [] : [question(listOf(items))]

export const toActivate = (companies: string[]): string[] =>
  ask(companies, (list) => `To be activated or declined: ${list}.`)
