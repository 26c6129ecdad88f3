// Asks again and again until something is so, for things that nobody reports.
import { setTimeout as pause } from 'node:timers/promises'

/** However slow the machine: what takes longer than this does not come. */
const within_ms = 120_000

export async function until<T>(
  ask: () => T | Promise<T>,
  what = ask.toString(),
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + within_ms
  for (;;) {
    const found = await ask()
    if (found) return found as Exclude<T, undefined | false>
    if (performance.now() > deadline) throw new Error(`It never came: ${what}`)
    await pause(20)
  }
}
