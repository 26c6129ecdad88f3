// The most that can be approved of a claim where it is not all of it, and why no more.
import { money } from '#ui/figures.ts'
import type { Decidable } from './DecisionFields.tsx'

export type Ceiling = { most: number; why: string }

const atMost = (most: number, currency: string, what: string): Ceiling => ({
  most,
  why: `At most the ${money(most, currency)} that ${what}`,
})

/** The most that the next step may approve, where that is less than all that is left. */
export function stepCeiling(claim: Decidable): Ceiling | undefined {
  const { amount_cents, passed_cents, step_most_cents, appeal_of, currency } = claim
  if (step_most_cents == null || step_most_cents >= (passed_cents ?? amount_cents)) return undefined
  const what = appeal_of ? 'this step may still approve of this bill' : 'this step may approve'
  return atMost(step_most_cents, currency, what)
}

export function partCeiling(claim: Decidable): Ceiling {
  const { amount_cents, passed_cents, currency } = claim
  const step = stepCeiling(claim)
  if (step) return step
  return passed_cents != null && passed_cents < amount_cents
    ? atMost(passed_cents, currency, 'the previous reviewer approved')
    : {
        most: amount_cents - 1,
        why: `Must be less than the ${money(amount_cents, currency)} claimed`,
      }
}
