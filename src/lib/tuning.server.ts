// Settings for the rest of a transaction. If several questions share one, the settings of one would hold for the others, too, so
// the contract of a question that tunes says `alone`.
import type { Tx } from './db.server.ts'

declare const own: unique symbol

/** The transaction of one act, or of a question that is asked alone: only theirs can be tuned. */
export type OwnTx = Tx & { readonly [own]: true }

/** Planned for its values: what a list's filters find is one row or nearly all. */
export const planForValues = (tx: OwnTx) => tx`set local plan_cache_mode = auto`

/** Reads or writes a whole company at once, which takes more than a page's patience. */
export const allowLongStatements = (tx: OwnTx) => tx`set local statement_timeout = '110s'`

/**
 * Prefers the index that has the rows in order. Behind row-level security the planner may not look at the words of a search: it
 * takes any match for a few rows, quick to sort, and they may be thousands.
 */
export const preferIndexOrder = (tx: OwnTx) =>
  tx`select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true)`
