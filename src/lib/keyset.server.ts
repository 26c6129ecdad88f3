// Lists that are read in an order, a page at a time, from where the last page ended.
import { z } from 'zod'
import type { Tx } from './db.server.ts'
import { readCursor } from './cursor.ts'
import { withoutAccents } from './without-accents.ts'

/** Columns with their types, the last one telling all rows apart. They name an index of the table. */
export type KeysetOrder = readonly (readonly [column: string, type: string])[]

/** The parts of a list's statement: where the last page ended, the order, and each row's own cursor. */
export function keyset(tx: Tx, order: KeysetOrder, descending: boolean, after: string | undefined) {
  const names = order.map(([column]) => column)
  const columns = tx.unsafe(names.join(', '))
  const from = readCursor(after, order.length)
  return {
    columns,
    after_cursor: from
      ? tx`and (${columns}) ${tx.unsafe(descending ? '<' : '>')}
          (${typed(tx, order, from)})`
      : tx``,
    order_by: tx.unsafe(names.map((c) => `${c} ${descending ? 'desc' : 'asc'}`).join(', ')),
    row_cursor: tx.unsafe(`json_build_array(${names.map((c) => `${c}::text`).join(', ')})`),
  }
}

const typed = (tx: Tx, order: KeysetOrder, values: string[]) =>
  order
    .map(([, type], at) => tx`${values[at] ?? ''}::text::${tx.unsafe(type)}`)
    .reduce((before, next) => tx`${before}, ${next}`)

/** A row of such a list. */
export const withCursor = <S extends z.core.$ZodLooseShape>(shape: z.ZodObject<S>) =>
  shape.extend({ row_cursor: z.string().array() })

/** 'Ana hor' → ['ana', 'hor']: all of them must be found. */
export const wordsOfSearch = (search: string | undefined): string[] =>
  (search ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 6)

/** The same without accents, as people and providers are kept to be found: 'Öztürk' → 'ozturk'. */
export const searchWords = (search: string | undefined): string[] =>
  wordsOfSearch(search).map(withoutAccents)

/** Part of a text, with nothing in it that means more than itself. */
export const patternOf = (word: string) => `%${word.replace(/[%_\\]/g, '\\$&')}%`

/** The matches of a search. Few: their ids. Many: patterns to compare on the way. Neither: all rows match. */
export type SearchMatch = { ids: string[] | null; patterns: string[] }

export const matchingWords = (tx: Tx, { ids, patterns }: SearchMatch) =>
  ids || patterns.length === 0 ? tx`` : tx`and p.search_text like all (${patterns})`
