// Numbers at random, and the same ones again: by the commit, or by RANDOM_SEED.
import { afterEach } from 'node:test'
import { turn } from './rotation.ts'

export type Random = ReturnType<typeof randomBy>

export function randomBy(seed: number) {
  let state = Math.imul(seed + 1, 2_654_435_761) // or neighbours would begin alike
  const whole = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <T>(from: readonly T[]): T => from[whole(from.length)]!
  return { whole, pick }
}

/** A seed for the tests of a file; a test that fails names it. */
export function randomSeed(): number {
  const seed = Number(process.env['RANDOM_SEED'] ?? turn())
  afterEach((t) => {
    if ('passed' in t && !t.passed) t.diagnostic(`at random: again with RANDOM_SEED=${seed}`)
  })
  return seed
}
