// Requests that read long, on a standby.
import type { Actor } from '#actor.ts'
import type { Tx } from './db.server.ts'
import type { Caller, Transactions } from './transactions.server.ts'

export type Elsewhere = {
  /** The moment as of which it would be read now; nothing where it can't be. */
  ready: () => Promise<string | undefined>
  failed: (error: unknown) => void
  transactions: Transactions<Actor>
}

type PrimaryCheck = {
  caller: Caller | undefined
  within: (work: () => Promise<undefined>) => Promise<undefined>
}

/**
 * On a standby, as the person who asks. The primary says first who that is and what they may: there it counts at once.
 * And it has the last word: what fails or is refused on the standby, which may be late, is asked of it.
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
