// Steps of a policy for tests that need some.
import { plain_step, type ApprovalStep } from '#claims/policies/steps.contract.ts'

/** Any reviewer, and above an amount another one as well. */
export const secondAbove = (above_cents: number): ApprovalStep[] => [
  plain_step,
  { ...plain_step, above_cents },
]
