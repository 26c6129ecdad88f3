// Settings that hold for the rest of a transaction. Where several questions are under way in one, what is set for one of
// them would hold for the others as well: it is asked again by itself.
import type { Tx } from './db.server.ts'

const shared = new WeakSet<Tx>()

/** Thrown before anything is set: this question has to be asked by itself. */
export class AsksAlone extends Error {}

/** Meanwhile questions are under way side by side. */
export async function sharing<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  shared.add(tx)
  try {
    return await work()
  } finally {
    shared.delete(tx)
  }
}

function alone(tx: Tx): Tx {
  if (shared.has(tx)) throw new AsksAlone()
  return tx
}

/** Planned for its values: what a list's filters find is one row or nearly all. */
export const plannedFor = (tx: Tx) => alone(tx)`set local plan_cache_mode = auto`

/** Reads or writes a whole company at once, which takes more than a page's patience. */
export const takesLong = (tx: Tx) => alone(tx)`set local statement_timeout = '110s'`

/**
 * Goes by the index that has the rows in order. Behind row-level security the planner may not look into the words of a
 * search and takes any run for a few rows that are soon sorted; it may be thousands.
 */
export const preferIndexOrder = (tx: Tx) =>
  alone(
    tx,
  )`select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true)`
