// Response times, counted in steps: few enough to keep for each minute and server, fine enough to tell percentiles.

const first_ms = 1
const growth = 1.25
const steps = 45

/** The upper ends of the steps; one more, without an end, holds what took longer. */
const step_ends_ms = Array.from({ length: steps }, (_, at) => first_ms * growth ** at)

export const noCounts = (): number[] => Array.from({ length: steps + 1 }, () => 0)

export function stepOf(ms: number): number {
  const at = Math.ceil(Math.log(ms / first_ms) / Math.log(growth))
  return Math.min(Math.max(at, 0), steps)
}

export const sumOfCounts = (all: readonly (readonly number[])[]): number[] =>
  noCounts().map((_, at) => all.reduce((sum, counts) => sum + (counts[at] ?? 0), 0))

/**
 * The time within which this share of all answers came (0.95: the 95th percentile), interpolated within its step; null without
 * any.
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const needed_count = all * share
  let before = 0
  for (const [at, count] of counts.entries()) {
    if (count > 0 && before + count >= needed_count) {
      const low = at === 0 ? 0 : (step_ends_ms[at - 1] ?? 0)
      const high = step_ends_ms[at] ?? low * growth
      return low + ((high - low) * Math.max(needed_count - before, 0)) / count
    }
    before += count
  }
  return step_ends_ms.at(-1) ?? null
}
