// The policy’s terms as they are typed.
import { z } from 'zod'
import { decimal } from '#lib/money.ts'
import { neededAmount } from '#ui/amount.ts'
import { numberText } from '#ui/whole-number.ts'
import { ApprovalSteps, type ApprovalStep } from './steps.contract.ts'
import { policies, PolicyTerms } from './policies.contract.ts'

type Terms = z.infer<typeof PolicyTerms>

export const policyFormOf = (currency: string) =>
  z.object({
    auto_approve_cents: neededAmount(currency).pipe(PolicyTerms.shape.auto_approve_cents),
    auto_approve_per_month: numberText(PolicyTerms.shape.auto_approve_per_month),
    spot_check_percent: numberText(PolicyTerms.shape.spot_check_percent),
    receipt_above_cents: neededAmount(currency).pipe(PolicyTerms.shape.receipt_above_cents),
    steps: z.string().transform(stepsFrom).pipe(ApprovalSteps),
    review_days: numberText(PolicyTerms.shape.review_days),
    account_wait_days: numberText(PolicyTerms.shape.account_wait_days),
    note: policies.change.input.shape.note,
  })

export type PolicyForm = ReturnType<typeof policyFormOf>

/** The table of steps as one text, so that the form's draft keeps it. */
export const stepsText = (steps: ApprovalStep[]): string => JSON.stringify(steps)
export function stepsFrom(text: string): ApprovalStep[] {
  return ApprovalSteps.parse(JSON.parse(text))
}

export const termsOf = (typed: z.output<PolicyForm>): Terms => PolicyTerms.parse(typed)

export const textsOf = (terms: Terms, currency: string): z.input<PolicyForm> => ({
  auto_approve_cents: decimal(terms.auto_approve_cents, currency),
  auto_approve_per_month: String(terms.auto_approve_per_month),
  spot_check_percent: String(terms.spot_check_percent),
  receipt_above_cents: decimal(terms.receipt_above_cents, currency),
  steps: stepsText(terms.steps),
  review_days: String(terms.review_days),
  account_wait_days: String(terms.account_wait_days),
})
