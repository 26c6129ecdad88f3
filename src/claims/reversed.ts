// A reversed claim: whether it had been paid, and what of it is still to be withheld.
import { dateText } from '#ui/date-words.ts'
import { money } from '#ui/figures.ts'
import type { Claim } from './claims.contract.ts'

/** `overpayment` is the sum over all their reversed claims; undefined until known. */
export function afterReversal(
  { paid_on }: Pick<Claim, 'paid_on'>,
  overpayment: { cents: number; currency: string } | undefined,
): string {
  if (!paid_on) return 'This claim had not been paid, so nothing is withheld.'
  const released = `This claim had been released for payment on ${dateText(paid_on)}`
  if (!overpayment) return `${released}.`
  if (overpayment.cents === 0) return `${released}: nothing is left to be withheld.`
  const overpaid = money(overpayment.cents, overpayment.currency)
  return `${released}: the overpayment of ${overpaid} is withheld from your next payouts, or HR settles it with you.`
}
