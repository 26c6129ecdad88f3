// Settings that hold for the rest of a transaction. Where several questions are under way in one, what is set for one of
// them would hold for the others as well: so the contract says of a question that tunes that it is asked `alone`.
import type { Tx } from './db.server.ts'

declare const own: unique symbol

/** The transaction of one act, or of a question that is asked alone: only theirs can be tuned. */
export type OwnTx = Tx & { readonly [own]: true }

/** Planned for its values: what a list's filters find is one row or nearly all. */
export const planForValues = (tx: OwnTx) => tx`set local plan_cache_mode = auto`

/** Reads or writes a whole company at once, which takes more than a page's patience. */
export const allowLongStatements = (tx: OwnTx) => tx`set local statement_timeout = '110s'`

/**
 * Goes by the index that has the rows in order. Behind row-level security the planner may not look into the words of a
 * search and takes any run for a few rows that are soon sorted; it may be thousands.
 */
export const preferIndexOrder = (tx: OwnTx) =>
  tx`select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true)`
