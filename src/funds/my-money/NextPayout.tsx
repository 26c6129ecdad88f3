import { paths } from '#paths.ts'
import type { MyPayouts } from '#payouts/payouts.contract.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Money, money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

type Account = { iban_end: string; pays_from_on: string | null } | null | undefined

/** When money comes next, how much and where to; as far as that is known. */
export function NextPayout() {
  const payouts = useRead(lazy_api.payouts.my_next, {})
  const account = useRead(lazy_api.payouts.my_account, {}, { quiet: true })
  return (
    <Card title="Next payout">
      {payouts ? (
        <>
          <Sum payouts={payouts} />
          <ul className="mt-2 flex flex-col gap-1 text-ui text-pretty text-soft">
            {linesOf(payouts, account).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {account === null && (
            <ButtonLink size="small" to={paths.my_claims} className="mt-3">
              Add your bank account
            </ButtonLink>
          )}
        </>
      ) : (
        <Skeleton className="h-20 w-full" />
      )}
    </Card>
  )
}

function Sum({ payouts: { next, waiting_cents, currency } }: { payouts: MyPayouts }) {
  const cents = next ? next.cents : waiting_cents
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="figures text-2xl font-semibold tracking-tight">
        <Money cents={cents} currency={currency} />
      </span>
      <span className="text-sm text-soft">
        {next ? `on ${dateText(next.pay_on)}` : waiting_cents > 0 ? 'approved' : 'to be paid'}
      </span>
    </p>
  )
}

function linesOf({ next, last, ...payouts }: MyPayouts, account: Account): string[] {
  const amount = (cents: number) => money(cents, payouts.currency)
  const lines: string[] = []
  if (next) lines.push(`Paid ${placeOf(next.iban_end)}.`)
  if (next && !next.released) lines.push('Your company still has to release this payout.')
  if (!next && payouts.waiting_cents > 0) lines.push(waiting(account))
  const later_cents = payouts.later_cents + payouts.waiting_cents
  if (next && later_cents > 0)
    lines.push(`${amount(later_cents)} more is approved and comes with a later payout.`)
  if (payouts.blocked_cents > 0)
    lines.push(
      `${amount(payouts.blocked_cents)} is approved and kept out of payouts for now. HR can tell you more.`,
    )
  if (payouts.withheld_cents > 0)
    lines.push(`${amount(payouts.withheld_cents)} is withheld because you were overpaid.`)
  if (last)
    lines.push(`Last: ${amount(last.cents)} on ${dateText(last.pay_on)} ${placeOf(last.iban_end)}.`)
  return lines
}

const placeOf = (iban_end: string | null) =>
  iban_end ? `to your account ending in ${iban_end}` : 'with your salary'

function waiting(account: Account): string {
  if (account?.pays_from_on)
    return `Your bank account is new or changed: you’ll be paid on or after ${dateText(account.pays_from_on)}.`
  return account
    ? `Your company has not set the day yet. It goes to your account ending in ${account.iban_end}.`
    : 'Your company has not set the day yet.'
}
