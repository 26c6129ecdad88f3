// Labels of a claim’s states, reasons and events.
import type { z } from 'zod'
import type { BadgeTone } from '#ui/Badge.tsx'
import { problems } from '#problems.ts'
import { money } from '#ui/figures.ts'
import type { Claim, ClaimDetail, ClaimEvent, ClaimWait } from './claims.contract.ts'
import { claimStates, type Payment, type ReasonCode, type ClaimStage } from './words.contract.ts'

export const stateNames = Object.fromEntries(
  Object.entries(claimStates).map(([state, [name]]) => [state, name]),
)

export const stageNames: Record<ClaimStage, string> = {
  first_review: 'First review',
  further_review: 'Further approval',
  information_asked: 'Answer awaited',
}

/** The assignee now, as the employee reads it in a list. */
export const stageForEmployee: Record<ClaimStage, string> = {
  first_review: 'HR is reviewing it',
  further_review: 'Further approval',
  information_asked: 'HR has a question',
}

/** `is_own`: the reader is the claim's employee. */
export function waitsForText({ who, nth, of }: ClaimWait, is_own: boolean): string {
  if (who === 'employee') return is_own ? 'your answer to HR’s question' : 'the employee’s answer'
  return of > 1 ? `HR, approval ${nth} of ${of}` : 'HR'
}

/** Words for payments before they are sent and after they came back; sent-words.contract.ts has those between. */
export const paymentNames: Record<Exclude<Payment, 'paid'>, string> = {
  unpaid: 'In the next payout',
  in_run: 'Being paid out',
  returned: 'Payment returned',
  reversed: 'Reversed',
}

/** A rejection's sentence starts from one of these; the reviewer makes it their own. */
export const reasonTemplates: Record<ReasonCode, string> = {
  not_covered: 'This service is not covered by your fund.',
  no_receipt: 'There is no receipt with this claim. Please claim again and add it.',
  receipt_unreadable:
    'The receipt can’t be read. Please claim again with a sharper photo or the original file.',
  wrong_person: 'The receipt names somebody other than the person this claim is for.',
  wrong_amount: 'The amount claimed is not the amount on the receipt.',
  duplicate: 'This receipt was claimed before.',
  too_late: 'This service was too long ago to be claimed.',
  other: '',
}

type ClaimEventName = z.infer<typeof ClaimEvent>['event']

export const eventNames: Record<ClaimEventName, string> = {
  submitted: 'Submitted',
  approved_by_policy: 'Approved by the policy',
  approved_step: 'Approved at this step',
  approved: 'Approved',
  rejected: 'Rejected',
  asked: 'Question asked',
  answered: 'Answered',
  question_withdrawn: 'Question withdrawn',
  withdrawn: 'Withdrawn',
  expired: 'Withdrawn, as no answer came',
  appealed: 'Appealed',
  rest_appealed: 'Appealed for the rest',
  put_in_run: 'Added to a payout',
  taken_from_run: 'Removed from the payout: it waits for the next one',
  paid: 'Payment sent',
  payment_returned: 'Payment returned',
  reversed: 'Approval reversed',
}

export const eventTones: Record<ClaimEventName, BadgeTone> = {
  submitted: 'primary',
  approved_by_policy: 'good',
  approved_step: 'good',
  approved: 'good',
  rejected: 'bad',
  asked: 'accent',
  answered: 'primary',
  question_withdrawn: 'neutral',
  withdrawn: 'neutral',
  expired: 'neutral',
  appealed: 'primary',
  rest_appealed: 'primary',
  put_in_run: 'primary',
  taken_from_run: 'neutral',
  paid: 'good',
  payment_returned: 'bad',
  reversed: 'bad',
}

export const isInPart = ({ status, approved_cents, amount_cents }: Claim): boolean =>
  status === 'approved' && approved_cents !== null && approved_cents < amount_cents

type Rest = Pick<ClaimDetail, 'amount_cents' | 'approved_cents' | 'currency' | 'refusals'>

/**
 * The unapproved rest in words. That of a closed year or of a leaver has gone back to the company; only an appeal that is still
 * open proves that it can be claimed.
 */
export function restText({ amount_cents, approved_cents, currency, refusals }: Rest): string {
  const rest = money(amount_cents - (approved_cents ?? 0), currency)
  return `The other ${rest} ${refusals.appeal ? 'was not approved' : 'is back in your fund'}.`
}

/** The text for a bill that can be claimed again, or why it can't be. */
export const againText = ({ again }: ClaimDetail['refusals'], text: string): string =>
  again ? `${problems[again][1]}, so you can’t claim it again.` : text

/** The second line of a claim in a list, below its type. */
export const providerAndWhom = ({ provider, for_whom }: Claim): string =>
  for_whom ? `${provider} · for ${for_whom}` : provider
