// Work one by one, where a failure for one must not hold up those behind it.
import { toProblem } from './failures.server.ts'
import type { Log } from './log.server.ts'

/**
 * Does a job's work for each company in turn. A failure for one is logged, and the next has its turn; at the end it fails the
 * job, which is reported and tried again. Without the database it stops at once.
 */
export async function oneByOne<One extends object>(
  all: readonly One[],
  log: Pick<Log, 'error'> | undefined,
  work: (one: One) => PromiseLike<unknown>,
) {
  const failures: unknown[] = []
  for (const one of all) {
    try {
      await work(one)
    } catch (error) {
      if (toProblem(error).code === 'unavailable') throw error
      log?.error({ err: error, one }, 'a job failed for one of many')
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    const [first] = failures
    throw new AggregateError(
      failures,
      `Failed for ${failures.length} of ${all.length}: ${first instanceof Error ? first.message : String(first)}`,
    )
  }
}
