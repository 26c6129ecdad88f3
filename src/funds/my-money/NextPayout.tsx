import { onItsWayText } from '#claims/sent-words.contract.ts'
import { paths } from '#paths.ts'
import type { MyPayouts } from '#payouts/payouts.contract.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { payoutLines } from './payout-lines.ts'

/** The next payout: when, how much and to which account, as far as it is known. */
export function NextPayout() {
  const payouts = useRead(lazy_api.payouts.my_next, {})
  const account = useRead(lazy_api.payouts.my_account, {}, { quiet: true })
  return (
    <Card title="Next payout">
      {payouts ? (
        <>
          <Sum payouts={payouts} />
          <ul className="mt-2 flex flex-col gap-1 text-ui text-pretty text-soft">
            {payoutLines(payouts, account).map((line) => (
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

const dayOf = ({ pay_on, released }: { pay_on: string; released: boolean }) =>
  released ? onItsWayText(pay_on) : `on ${dateText(pay_on)}`

function Sum({ payouts: { next, waiting_cents, currency } }: { payouts: MyPayouts }) {
  const cents = next ? next.cents : waiting_cents
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="figures text-2xl font-semibold tracking-tight">
        <Money cents={cents} currency={currency} />
      </span>
      <span className="text-sm text-soft">{next ? dayOf(next) : 'to be paid'}</span>
    </p>
  )
}
