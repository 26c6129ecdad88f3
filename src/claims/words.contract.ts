// The words of a claim: states, reasons, rules.
import { z } from 'zod'

/** The days that a question waits for its answer; `private.time_to_answer` has the same number. */
export const answer_days = 45

/** The specification's three states, and withdrawn. `stage` says more about `pending`. */
export type ClaimStatus = z.infer<typeof ClaimStatus>
export const ClaimStatus = z.enum(['pending', 'approved', 'rejected', 'withdrawn'])

/** States as lists show and filter them: a reversed approval is reversed, not approved. */
export type ClaimState = z.infer<typeof ClaimState>
export const ClaimState = z.enum(['pending', 'approved', 'rejected', 'reversed', 'withdrawn'])

export const claimStates: Record<
  ClaimState,
  readonly [name: string, tone: 'accent' | 'good' | 'bad' | 'neutral']
> = {
  pending: ['Pending', 'accent'],
  approved: ['Approved', 'good'],
  rejected: ['Rejected', 'bad'],
  reversed: ['Reversed', 'bad'],
  withdrawn: ['Withdrawn', 'neutral'],
}

export const claimState = ({ status, payment }: { status: ClaimStatus; payment: string | null }) =>
  payment === 'reversed' ? 'reversed' : status

/** A claim waits for its first or a further approval, or for the employee's answer. Null when decided. */
export type ClaimStage = z.infer<typeof ClaimStage>
export const ClaimStage = z.enum(['first_review', 'further_review', 'information_asked'])

export type Payment = z.infer<typeof Payment>
/** The payment of an approved claim: not in a pay run yet, in one, paid, returned, or reversed. */
export const Payment = z.enum(['unpaid', 'in_run', 'paid', 'returned', 'reversed'])

export type ReasonCode = z.infer<typeof ReasonCode>
export const ReasonCode = z.enum([
  'not_covered',
  'no_receipt',
  'receipt_unreadable',
  'wrong_person',
  'wrong_amount',
  'duplicate',
  'too_late',
  'other',
])

export const reasonNames: Record<ReasonCode, string> = {
  not_covered: 'Not covered',
  no_receipt: 'Receipt missing',
  receipt_unreadable: 'Receipt unreadable',
  wrong_person: 'For another person',
  wrong_amount: 'Amount does not match',
  duplicate: 'Already claimed',
  too_late: 'Submitted too late',
  other: 'Another reason',
}

const words = z.string().trim().max(1000, 'Write at most 1,000 characters')
export const Sentence = words.min(3, 'Explain why in one sentence')
export const Question = words.min(3, 'Write your question')
export const Answer = words.min(1, 'Write your answer')

/** The rules in their order, and then who decided. */
export type TraceRule = z.infer<typeof TraceRule>
export const TraceRule = z.enum([
  'amount_and_bill',
  'type_of_claim',
  'for_oneself',
  'dependent',
  'dependent_covered',
  'service_date',
  'plan_year',
  'employment',
  'filing_deadline',
  'available_balance',
  'waiting_time',
  'frequency',
  'yearly_limit',
  'dependent_limit',
  'receipt',
  'receipt_is_new',
  'automatic_limit',
  'receipt_match',
  'duplicates',
  'automatic_this_month',
  'spot_check',
  'people_decide',
  'own_policy',
  'automatic_approval',
  'approvals_needed',
  'approval_step',
  'further_approval',
  'decision',
  'rejection',
  'reversal',
])

/** One rule of a decision: the facts, the outcome, and what followed. trace-words.ts has its sentence. */
export type TraceStep = z.infer<typeof TraceStep>
export const TraceStep = z.object({
  rule: TraceRule,
  /** `fine`, `human` (a person must look), `refuses`, `lowers` (the amount). */
  outcome: z.enum(['fine', 'human', 'refuses', 'lowers']),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
