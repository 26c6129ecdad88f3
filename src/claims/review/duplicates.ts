// A claim and one that it looks like: their likeness in words.
import { dateText } from '#ui/date-words.ts'
import { money } from '#ui/figures.ts'
import type { LikeClaim, ReviewedClaim } from './review.contract.ts'

type Bill = Pick<ReviewedClaim, 'bill_cents' | 'currency'>

/** Bills are compared, not the amounts claimed from them. */
export const alikeText = ({ kind, score }: LikeClaim, { bill_cents, currency }: Bill): string =>
  ({
    same_file: 'The very same file',
    same_picture: 'A picture that looks the same',
    same_facts: `The same bill amount (${money(bill_cents, currency)})${score >= 90 ? ', day and provider' : ' and day'}`,
  })[kind]

/** The other claim; if it is another person's, only that there is one. */
export const otherClaimText = ({ claim_id, other }: LikeClaim, currency: string): string =>
  claim_id === null || other === null
    ? 'another person’s claim'
    : `claim #${claim_id}, ${money(other.amount_cents, currency)} for ${dateText(other.service_on)}`
