// Rate limits: a bucket that fills again with time, in each process. A caller who is spread over several servers gets that many
// times as much, which still bounds them.
import { Recent } from './recent.ts'

type TokenBucket = { level: number; at: number }
export type Rate = { burst: number; per_second: number }

export class Buckets {
  readonly #rate: Rate
  readonly #buckets = new Recent<string, TokenBucket>(50_000)

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Takes one, or as many as are asked at once; answers false if so many are not left. */
  take(caller: string, { many = 1, now = performance.now() } = {}): boolean {
    const { burst, per_second } = this.#rate
    const before = this.#buckets.get(caller) ?? { level: burst, at: now }
    const since_s = Math.max(now - before.at, 0) / 1000
    const level = Math.min(burst, before.level + since_s * per_second)
    this.#buckets.delete(caller) // who asked last is forgotten last
    this.#buckets.set(caller, { level: level >= many ? level - many : level, at: now })
    return level >= many
  }
}
