// Why whoever looks at a claim can't decide on it, and who can.
import { problems, type ProblemCode } from '#problems.ts'
import { countsFrom } from '#users/rights.contract.ts'
import { assignedTo, type WithAssignees } from './assigned-to.ts'
import type { ReviewedClaim } from './review.contract.ts'

/** Refusals that leave a claim to others, whom the screen then names. */
const left_to_others = new Set<ProblemCode>([
  'own_claim',
  'decided_by_you',
  'claim_of_your_manager',
  'step_of_others',
  'asked_later',
  'admin_too_new',
  'appeal_needs_another',
])

type WaitingClaim = WithAssignees & Pick<ReviewedClaim, 'next_second_person'>

export function refusalText(
  code: ProblemCode,
  { assigned_to, next_second_person }: WaitingClaim,
): string {
  const why = problems[code][1]
  if (!assigned_to || !left_to_others.has(code)) return why
  return assigned_to.length === 0
    ? `${why}. Nobody else can decide it now. ` +
        `${countsFrom(next_second_person) ?? 'An owner can give somebody the Reviewer right'}.`
    : `${why}. Decides next: ${assignedTo(assigned_to)}`
}

const short: Partial<Record<ProblemCode, string>> = {
  own_claim: 'Your own claim',
  decided_by_you: 'You approved it',
  claim_of_your_manager: 'Your manager’s claim',
  step_of_others: 'Others decide this step',
  asked_later: 'You decide later',
  admin_too_new: 'Not by you yet',
  appeal_needs_another: 'Another reviewer decides',
  information_awaited: 'Answer awaited',
  claim_already_decided: 'Decided',
  above_step_limit: 'Only a part in this step',
  more_approvals_needed: 'More than one approval',
}

/** A word in the row, beside the disabled buttons. */
export const shortRefusal = (code: ProblemCode): string => short[code] ?? 'Not by you'
