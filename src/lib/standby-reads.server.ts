// Long reads of requests, on a standby.
import type { Actor } from '#actor.ts'
import type { Tx } from './db.server.ts'
import type { Caller, Transactions } from './transactions.server.ts'

export type Elsewhere = {
  /** The moment as of which a read on the standby would be; undefined if it can't be read. */
  ready: () => Promise<string | undefined>
  failed: (error: unknown) => void
  transactions: Transactions<Actor>
}

type PrimaryCheck = {
  caller: Caller | undefined
  within: (work: () => Promise<undefined>) => Promise<undefined>
}

/**
 * Reads on a standby, as the person who asks. The primary first decides who they are and what they may. It also has the last
 * word: a read that the standby refuses or fails, perhaps because it is late, is done again on the primary.
 */
export async function readElsewhere<T>(
  { ready, failed, transactions }: Elsewhere,
  { caller, within }: PrimaryCheck,
  perform: (tx: Tx, who: Actor, as_of: string) => Promise<T>,
): Promise<{ answer: T; as_of: string } | undefined> {
  await within(async () => undefined)
  const as_of = await ready()
  if (as_of === undefined) return undefined
  try {
    const work = (tx: Tx, who: Actor) => perform(tx, who, as_of)
    const { answer } = await transactions.run(caller, work, { reads: true })
    return { answer, as_of }
  } catch (error) {
    failed(error)
    return undefined
  }
}
