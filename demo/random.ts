// Chance that falls the same way on every machine.

export type Random = ReturnType<typeof seededRandom>

/** Mulberry32: small, quick, and good enough for choosing names and amounts. */
export function seededRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    /** Yes, so many times of a hundred. */
    chance: (percent: number) => next() * 100 < percent,
    whole,
    pick: <T>(from: readonly T[]): T => from[whole(0, from.length - 1)] as T,
    /** Cents that end as prices do. */
    price: (least: number, most: number) =>
      whole(least, most) * 100 + [0, 0, 0, 50, 90, 95][whole(0, 5)]!,
  }
}
