import { clsx } from 'clsx'
import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { DateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import type { BlackedRead } from '#receipts/marks.contract.ts'
import { amountsIn, jointBill } from '#claims/rules/rule-facts.ts'
import { agreementOf, type Agreement } from './differences.ts'
import type { ShownReceipt } from '#claims/receipts/ReceiptViewer.tsx'
import type { ReviewedClaim } from './review.contract.ts'
import { PanelPart } from './PanelPart.tsx'

type Props = { claim: ReviewedClaim; receipt: ShownReceipt | undefined }
type ComparedField = {
  name: string
  claimed: ReactNode
  read: ReactNode
  agreement: Agreement
  blacked: boolean
}

/** The employee's entries beside those of the receipt, if there is one. */
export function ReceiptComparison({ claim, receipt }: Props) {
  const { currency } = claim
  const lines = receiptLines({ claim, receipt })
  return (
    <PanelPart title={receipt ? 'Claim vs. receipt' : 'Claim'}>
      <table className="w-full table-fixed text-sm">
        <thead className={receipt ? undefined : 'sr-only'}>
          <tr className="text-left text-xs text-faint">
            <th scope="col" className="w-23 pb-1.5 font-medium">
              <span className="sr-only">Field</span>
            </th>
            <th scope="col" className="pb-1.5 font-medium">
              Claimed
            </th>
            {receipt && (
              <th scope="col" className="pb-1.5 font-medium">
                Read from the receipt
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          <tr>
            <th scope="row" className={rowHead}>
              Amount
            </th>
            <td colSpan={2} className="py-2 font-semibold">
              <Money cents={claim.amount_cents} currency={currency} />
              {claim.amount_cents < claim.bill_cents && (
                <span className="font-normal text-soft"> of the bill</span>
              )}
            </td>
          </tr>
          {lines.map((line) => (
            <Compared key={line.name} {...line} state={receipt?.read_state} />
          ))}
        </tbody>
      </table>
    </PanelPart>
  )
}

/** Each value beside the one that was read. */
function receiptLines({ claim, receipt }: Props): ComparedField[] {
  const { currency } = claim
  const agreement = agreementOf(claim, receipt)
  const cents = receipt?.read_amount_cents ?? null
  const day = receipt?.read_on ?? null
  const together = jointBill(amountsIn(claim.receipts_list, currency)) === claim.bill_cents
  const blacked = (read: BlackedRead) => receipt?.blacked_reads.includes(read) ?? false
  return [
    {
      name: 'Bill',
      claimed: <Money cents={claim.bill_cents} currency={currency} />,
      read:
        cents === null ? null : (
          <>
            <Money cents={cents} currency={receipt?.read_currency ?? currency} />
            {together && `, with the others ${money(claim.bill_cents, currency)}`}
          </>
        ),
      agreement: together ? 'agrees' : agreement.bill,
      blacked: blacked('amount'),
    },
    {
      name: 'Service date',
      claimed: <DateText value={claim.service_on} />,
      read: day === null ? null : <DateText value={day} />,
      agreement: agreement.service_on,
      blacked: blacked('on'),
    },
    {
      name: 'Provider',
      claimed: claim.provider,
      read: receipt?.read_provider ?? null,
      agreement: agreement.provider,
      blacked: blacked('provider'),
    },
  ]
}

const rowHead = 'py-2 pr-3 text-left align-top text-ui font-normal text-soft'

type ComparedProps = ComparedField & { state: ShownReceipt['read_state'] | undefined }

const Compared = ({ name, claimed, read, agreement, blacked, state }: ComparedProps) => (
  <tr className={clsx(agreement === 'differs' && 'bg-accent-wash')}>
    <th scope="row" className={rowHead}>
      {name}
    </th>
    <td className="py-2 pr-2 align-top wrap-anywhere">{claimed}</td>
    {state && (
      <td className="py-2 align-top">
        <span className="flex items-start gap-1.5">
          {agreement === 'agrees' && (
            <Check className="mt-0.5 size-4 shrink-0 text-good" aria-label="Agrees" />
          )}
          {agreement === 'differs' && (
            <TriangleAlert
              className="mt-0.5 size-4 shrink-0 text-accent-ink"
              aria-label="Differs"
            />
          )}
          <span
            className={clsx(
              'min-w-0 wrap-anywhere',
              agreement === 'differs' && 'font-medium text-accent-ink',
              agreement === 'unread' && 'text-faint',
            )}
          >
            {read ?? (blacked ? 'blacked out' : unread(state))}
          </span>
        </span>
      </td>
    )}
  </tr>
)

const unread = (state: ShownReceipt['read_state']) =>
  state === 'waiting' || state === 'reading' ? 'being read' : 'not found'
