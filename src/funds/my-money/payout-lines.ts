// Payouts in sentences: the next one with what is approved beside it, and what was paid in a year.
import { wasOverpaid } from '#funds/words.ts'
import { onItsWayText, paidTo, unless_added } from '#claims/sent-words.contract.ts'
import type { MyPayouts } from '#payouts/payouts.contract.ts'
import type { MyYear } from './my-money.contract.ts'
import { dateText } from '#ui/date-words.ts'
import { money } from '#ui/figures.ts'

type ComingPayment = NonNullable<MyPayouts['next']>
type PayoutAccount = { iban_end: string; pays_from_on: string | null } | null | undefined

export function payoutLines(payouts: MyPayouts, account: PayoutAccount): string[] {
  const { next, last, later, waiting_cents } = payouts
  const amount = (cents: number) => money(cents, payouts.currency)
  const lines: string[] = []
  if (next) lines.push(`It’ll be paid ${paidTo(next.iban_end)}.`)
  if (next && !next.released) lines.push('Your company still has to release this payout.')
  if (next) lines.push(...overpaidPart(next, amount))
  if (!next && waiting_cents > 0) lines.push(waiting(account))
  for (const one of later)
    lines.push(
      one.released
        ? `${amount(one.cents)} more is ${onItsWayText(one.pay_on)}.`
        : `${amount(one.cents)} more comes on ${dateText(one.pay_on)}: your company still has to release that payout.`,
      ...overpaidPart(one, amount),
    )
  if (next && waiting_cents > 0)
    lines.push(`${amount(waiting_cents)} more is approved and comes with a later payout.`)
  if (payouts.blocked_cents > 0)
    lines.push(
      `${amount(payouts.blocked_cents)} is approved and kept out of payouts for now. HR can tell you more.`,
    )
  if (payouts.withheld_cents > 0)
    lines.push(`${amount(payouts.withheld_cents)} is withheld because of an overpayment.`)
  if (payouts.withheld_again_cents > 0)
    lines.push(
      `${amount(payouts.withheld_again_cents)} is withheld again: the payment it was withheld from came back.`,
    )
  if (last)
    lines.push(`Last: ${amount(last.cents)} on ${dateText(last.pay_on)} ${paidTo(last.iban_end)}.`)
  return lines
}

/** A payment comes in full, though a claim in it was reversed after its release. */
const overpaidPart = ({ overpaid_cents }: ComingPayment, amount: (cents: number) => string) =>
  overpaid_cents > 0
    ? [
        `${amount(overpaid_cents)} of it is overpaid, as a claim was reversed since, and is withheld from your next payouts.`,
      ]
    : []

function waiting(account: PayoutAccount): string {
  if (account?.pays_from_on)
    return `Your bank account is new or changed: you’ll be paid on or after ${dateText(account.pays_from_on)}.`
  const place = account
    ? ` It goes ${paidTo(account.iban_end)}.`
    : account === null
      ? ` It is ${unless_added}.`
      : ''
  return `Your company has not set the day yet.${place}`
}

type PaidYear = Pick<MyYear, 'paid' | 'balances' | 'currency'>

/** Payments by calendar year. A payment for a claim that was reversed since belongs to no claim: it was overpaid. */
export function paidLine({ paid, balances, currency }: PaidYear): string {
  const lines = paid.map((one) => `${money(one.cents, currency)} paid to you in ${one.year}`)
  if (wasOverpaid(balances)) lines.push('Claims that were reversed since are not counted')
  return lines.join(' · ')
}
