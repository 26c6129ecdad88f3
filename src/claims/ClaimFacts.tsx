import { Link } from 'react-router'
import { paths, pathTo } from '#paths.ts'
import { today } from '#ui/calendar-days.ts'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Facts, type Fact } from '#ui/Facts.tsx'
import { Money } from '#ui/Money.tsx'
import type { ClaimDetail } from './claims.contract.ts'
import { isInPart } from './labels.ts'
import { PaidWhen } from './PaidWhen.tsx'
import { paidText } from './sent-words.contract.ts'

/** The figures of a claim: how much was claimed, approved and paid, and when. */
export function ClaimFacts({ claim }: { claim: ClaimDetail }) {
  const { currency } = claim
  const rows: (Fact | null)[] = [
    ['Service date', <DateText key="" value={claim.service_on} />],
    ['For', claim.for_whom ?? 'You'],
    ['Bill', <Money key="" cents={claim.bill_cents} currency={currency} />],
    ['Claimed', <Money key="" cents={claim.amount_cents} currency={currency} />],
    ['Submitted', <DateText key="" value={claim.submitted_at} show="moment" />],
    [
      'Processed',
      claim.reviewed_at ? <DateText key="" value={claim.reviewed_at} show="moment" /> : 'Not yet',
    ],
    claim.appeal_of ? ['Appeal of', <Other key="" id={claim.appeal_of} />] : null,
    claim.appealed_as ? ['Appealed as', <Other key="" id={claim.appealed_as} />] : null,
    claim.payment ? ['Payment', <Payment key="" claim={claim} />] : null,
  ]
  return (
    <Card>
      <p className="text-ui text-soft">{headOf(claim)}</p>
      <p className="mt-1 text-2xl font-semibold tracking-tight">
        <Money cents={claim.approved_cents ?? claim.amount_cents} currency={currency} />
      </p>
      {isInPart(claim) && (
        <p className="mt-0.5 text-ui text-soft">
          of <Money cents={claim.amount_cents} currency={currency} /> claimed
        </p>
      )}
      <Facts variant="sums" className="mt-4 border-t border-line pt-4" facts={rows} />
      {claim.note && (
        <div className="mt-4 border-t border-line pt-4 text-sm">
          <p className="text-soft">Note</p>
          <p className="mt-1 wrap-anywhere whitespace-pre-line">{claim.note}</p>
        </div>
      )}
    </Card>
  )
}

const Other = ({ id }: { id: number }) => (
  <Link
    to={pathTo(paths.my_claim, id)}
    className="rounded text-primary-ink underline underline-offset-2"
  >
    Claim #{id}
  </Link>
)

const headOf = ({ status, payment }: ClaimDetail) =>
  payment === 'reversed'
    ? 'Reversed'
    : status === 'approved'
      ? 'Approved'
      : status === 'pending'
        ? 'Waiting for a decision'
        : 'Claimed'

function Payment({ claim }: { claim: ClaimDetail }) {
  const { payment, paid_on } = claim
  if (payment === 'paid') return paidText(paid_on, today())
  if (payment !== 'reversed') return <PaidWhen claim={claim} />
  return paid_on ? `Reversed, pay day ${dateText(paid_on)}` : 'Reversed, unpaid'
}
