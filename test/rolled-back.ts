// Acts that are asked as always and rolled back when they are through.
import type { Actor } from '#actor.ts'
import type { Transactions } from '#lib/transactions.server.ts'

class RolledBack extends Error {
  readonly answer: unknown

  constructor(answer: unknown) {
    super('rolled back')
    this.answer = answer
  }
}

/** Constraints that are checked at the commit are checked, too. */
export function rollBack(transactions: Transactions<Actor>) {
  const run = transactions.run.bind(transactions)
  transactions.run = async <T>(...[caller, work, mode]: Parameters<typeof run<T>>) => {
    const once: typeof work = async (tx, actor, later) => {
      const answer = await work(tx, actor, later)
      if (!mode?.reads) await tx`set constraints all immediate`
      throw new RolledBack(answer)
    }
    return run(caller, once, mode).catch((error: unknown) => {
      if (error instanceof RolledBack) return { answer: error.answer as T, published: [] }
      throw error
    })
  }
}
