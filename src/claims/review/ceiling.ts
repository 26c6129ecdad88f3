// The most that can be approved of a claim, and why it is less than all.
import { money } from '#ui/figures.ts'
import type { Decidable } from './DecisionFields.tsx'

export type Ceiling = { most: number; why: string }

const atMost = (most: number, currency: string, what: string): Ceiling => ({
  most,
  why: `At most the ${money(most, currency)} that ${what}`,
})

type Passed = Pick<Decidable, 'amount_cents' | 'passed_cents'>

/** The amount that an approval approves: the claim's, or what an earlier approval left. */
export const leftToApprove = ({ amount_cents, passed_cents }: Passed): number =>
  passed_cents ?? amount_cents

/** The earlier approval that lowered the amount: by whom, and to how much. */
export function loweredSentence(claim: Decidable): string | undefined {
  const { amount_cents, currency, approvals = [] } = claim
  const left = leftToApprove(claim)
  if (left >= amount_cents) return undefined
  const who = approvals.find((approval) => approval.amount_cents === left)?.by_name
  return `${who || 'The previous reviewer'} approved ${money(left, currency)} of ${money(amount_cents, currency)}`
}

/** The most that the next step may approve, if that is less than what is left. */
export function stepCeiling(claim: Decidable): Ceiling | undefined {
  const { step_most_cents, appeal_of, currency } = claim
  if (step_most_cents == null || step_most_cents >= leftToApprove(claim)) return undefined
  const what = appeal_of ? 'this step may still approve of this bill' : 'this step may approve'
  return atMost(step_most_cents, currency, what)
}

export function partCeiling(claim: Decidable): Ceiling {
  const { amount_cents, currency } = claim
  const step = stepCeiling(claim)
  if (step) return step
  const left = leftToApprove(claim)
  return left < amount_cents
    ? atMost(left, currency, 'the previous reviewer approved')
    : {
        most: amount_cents - 1,
        why: `Must be less than the ${money(amount_cents, currency)} claimed`,
      }
}
