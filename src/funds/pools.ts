// Three pools whose sum stays, while one of them is pulled.
import { categories, type Category } from '#categories.ts'

export type Pools = Record<Category, number>
type Move = { from: Category; to: Category; cents: number }

export const sumOfPools = (pools: Pools) =>
  categories.reduce((sum, category) => sum + pools[category], 0)

/**
 * Sets one pool to `cents`; the others share the difference in proportion, in whole cents. If one of them is kept as it is, the
 * third takes all of it.
 */
export function pull(pools: Pools, pulled: Category, cents: number, kept?: Category): Pools {
  if (kept === pulled) return pools
  const fixed = kept ? pools[kept] : 0
  const target = Math.min(sumOfPools(pools) - fixed, Math.max(0, Math.round(cents)))
  const rest = sumOfPools(pools) - target
  const [first, second] = categories.filter((category) => category !== pulled) as [
    Category,
    Category,
  ]
  const before = pools[first] + pools[second]
  const share = before === 0 ? 0.5 : pools[first] / before
  const first_cents =
    kept === first ? fixed : kept === second ? rest - fixed : Math.round(rest * share)
  return {
    ...pools,
    [pulled]: target,
    [first]: first_cents,
    [second]: rest - first_cents,
  }
}

/** The moves that lead from one state to the other, as the ledger will make them. */
export function movesBetween(now: Pools, targets: Pools): Move[] {
  const left = { ...now }
  const moves: Move[] = []
  for (const from of categories) {
    for (const to of categories) {
      const cents = Math.min(left[from] - targets[from], targets[to] - left[to])
      if (cents <= 0) continue
      moves.push({ from, to, cents })
      left[from] -= cents
      left[to] += cents
    }
  }
  return moves
}

export const asAmounts = (pools: Pools) => ({
  prevention_cents: pools.prevention,
  treatment_cents: pools.treatment,
  solidarity_cents: pools.solidarity,
})
