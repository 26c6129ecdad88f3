// When an approved claim is paid, as its employee reads it: it depends on the payment, a new bank account, and payment blocks.
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { dateText } from '#ui/DateText.tsx'
import { today } from '#ui/calendar-days.ts'
import type { Claim } from './claims.contract.ts'
import { paymentNames } from './labels.ts'
import { sentText } from './sent-words.contract.ts'

/** The first day of payment if the account waits, or `blocked`; null if nothing waits, undefined until known. */
export type PaysFrom = string | null | undefined

const blocked = 'blocked'

export function usePaysFrom({ id, payment }: Pick<Claim, 'id' | 'payment'>): PaysFrom {
  const account_input = payment === 'unpaid' || payment === 'returned' ? {} : undefined
  const account = useRead(lazy_api.payouts.my_account, account_input, { quiet: true })
  const blocks = useRead(lazy_api.payouts.my_blocks, account_input, { quiet: true })
  if (blocks && (blocks.everything || blocks.claim_ids.includes(id))) return blocked
  if (!blocks) return undefined
  return account && account.pays_from_on
}

/** The day of payment in a few words, for lists. */
export function PaidWhen({ claim }: { claim: Claim }) {
  const pays_from_on = usePaysFrom(claim)
  if (claim.payment === null) return null
  if (claim.payment === 'paid') return sentText(claim.paid_on, today())
  if (pays_from_on === blocked) return 'Payment waits, ask HR'
  if (claim.payment !== 'unpaid' || pays_from_on === null) return paymentNames[claim.payment]
  return pays_from_on ? `Payout on or after ${dateText(pays_from_on)}` : 'To be paid'
}

export function paidWhen(pays_from_on: PaysFrom): string {
  if (pays_from_on === undefined) return 'You’ll be paid.'
  if (pays_from_on === blocked)
    return 'Your company keeps the payment out of payouts for now. HR can tell you more.'
  if (pays_from_on === null)
    return 'You’ll be paid in the next payout. Your company has not set its day yet.'
  const day = dateText(pays_from_on)
  return `Your bank account is new or changed, so you’ll be paid in a payout on or after ${day}.`
}
