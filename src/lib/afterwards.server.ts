// Work that a request begins and that goes on after its answer, if the answer must not wait for it.
import type { Log } from './log.server.ts'

export type Afterwards = ReturnType<typeof afterwards>

export function afterwards(log: Pick<Log, 'error'>) {
  const under_way = new Set<Promise<void>>()
  return {
    /** A failure reaches nobody here, so it is logged. */
    begin(work: () => Promise<void>) {
      const done = work()
        .catch((error: unknown) => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => under_way.delete(done))
      under_way.add(done)
    },
    /** Waits until all of it is done, before the database closes. */
    async finished() {
      while (under_way.size > 0) await Promise.all(under_way)
    },
  }
}
