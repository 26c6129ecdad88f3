// The consequences of reversing an approval, told before it is done.
import { dateText } from '#ui/date-words.ts'
import { money } from '#ui/figures.ts'
import type { Decidable } from './DecisionFields.tsx'

type Approved = Pick<
  Decidable,
  'payment' | 'paid_on' | 'approved_cents' | 'amount_cents' | 'currency' | 'person_name'
>

/** Paid money is back in the fund only when it has been withheld. */
export function reversalSentence(claim: Approved): string {
  const { person_name: name } = claim
  const sum = money(claim.approved_cents ?? claim.amount_cents, claim.currency)
  const moves =
    claim.payment === 'paid' && claim.paid_on
      ? `${sum} was released for payment on ${dateText(claim.paid_on)}. ` +
        `It is withheld from ${name}’s next payouts, and is back in their fund once it was withheld.`
      : `${sum} is not paid out, and goes back to ${name}’s fund.`
  return `${moves} This is final: to be paid after all, ${name} has to claim again while the plan year takes claims.`
}
