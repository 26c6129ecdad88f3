// When an approved claim is paid, as its employee reads it: told by the claim's payment and by
// whether their bank account still waits.
import { api } from '#api.ts'
import { useRead } from '#ui/ask.ts'
import { dateText } from '#ui/DateText.tsx'
import type { Claim } from './claims.contract.ts'
import { paymentNames } from './names.ts'

/** From which day on, where the account waits; null where it does not, nothing until known. */
export function usePaysFrom({ payment }: Pick<Claim, 'payment'>): string | null | undefined {
  const unpaid = payment === 'unpaid' || payment === 'returned'
  const account = useRead(api.payouts.my_account, unpaid ? {} : undefined, { quiet: true })
  return account && account.pays_from_on
}

/** In a few words, for lists. */
export function PaidWhen({ claim }: { claim: Claim }) {
  const pays_from_on = usePaysFrom(claim)
  if (claim.payment === null) return null
  if (claim.payment !== 'unpaid' || pays_from_on === null) return paymentNames[claim.payment]
  return pays_from_on ? `Payout from ${dateText(pays_from_on)} on` : 'To be paid'
}

export function paidWhen(pays_from_on: string | null | undefined): string {
  if (pays_from_on === undefined) return 'You’ll be paid.'
  if (pays_from_on === null) return 'You’ll be paid in the next payout.'
  const day = dateText(pays_from_on)
  return `Your bank account is new or changed, so you’ll be paid in a payout from ${day} on.`
}
