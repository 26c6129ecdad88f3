import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import {
  Check,
  MessageCircleOff,
  MessageCircleQuestionMark,
  Split,
  TriangleAlert,
  Undo2,
  X,
} from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { dateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { Kbd } from '#ui/Kbd.tsx'
import { arriving_ms, useLate } from '#ui/toast.ts'
import { leftToApprove } from './ceiling.ts'
import type { Decidable, Decide } from './DecisionFields.tsx'
import { refusalText } from './refused.ts'
import type { ShownReceipt } from '#claims/receipts/ReceiptViewer.tsx'
import type { ReviewedClaim } from './review.contract.ts'

type Props = { claim: ReviewedClaim; receipt: ShownReceipt | undefined; decide: Decide }

/** The foot of an open claim: its acts, or why there are none. */
export function ReviewActs({ claim, receipt, decide }: Props) {
  const decidable = decidableOf(claim, receipt)
  if (claim.status === 'pending') {
    return claim.refusals.approve === null ? (
      <Bar above={<AfterLastDay claim={claim} />}>
        <Button
          variant="primary"
          unless={claim.refusals.approve_whole}
          icon={Check}
          loading={decide.isSending(claim.id)}
          onClick={() => decide.approve(decidable)}
        >
          {approveText(claim)} <Kbd onFill>a</Kbd>
        </Button>
        <Button icon={Split} onClick={() => decide.ask('part', decidable)}>
          Approve part
        </Button>
        <Button icon={MessageCircleQuestionMark} onClick={() => decide.ask('ask', decidable)}>
          Ask <Kbd>i</Kbd>
        </Button>
        <Button
          className="sm:ml-auto"
          icon={<X className="size-4 text-bad" aria-hidden />}
          onClick={() => decide.ask('reject', decidable)}
        >
          Reject <Kbd>r</Kbd>
        </Button>
      </Bar>
    ) : (
      <Bar>
        <p className="min-w-0 flex-1 py-1.5 text-sm text-soft">
          {refusalText(claim.refusals.approve, claim)}
        </p>
        {claim.refusals.withdraw_question === null && (
          <Button
            icon={MessageCircleOff}
            onClick={() => decide.ask('withdraw_question', decidable)}
          >
            Withdraw question
          </Button>
        )}
      </Bar>
    )
  }
  const { reverse } = claim.refusals
  // Without an approval there is nothing to reverse.
  if (reverse === 'not_approved' || reverse === 'already_reversed') return null
  return (
    <Bar>
      <Button icon={Undo2} unless={reverse} onClick={() => decide.ask('reverse', decidable)}>
        Reverse approval
      </Button>
    </Bar>
  )
}

/** The button names the amount if an earlier approval has lowered it. */
const approveText = (claim: ReviewedClaim) => {
  const left = leftToApprove(claim)
  return left < claim.amount_cents ? `Approve ${money(left, claim.currency)}` : 'Approve'
}

/** A second press meant for the previous claim, whose buttons were here, decides nothing about this one. */
function Bar({ above, children }: { above?: ReactNode; children: ReactNode }) {
  const arrived = useLate(arriving_ms)
  return (
    <div className="border-t border-line bg-surface print:hidden">
      {above}
      <div className={clsx(barStyles, !arrived && 'pointer-events-none')}>{children}</div>
    </div>
  )
}

/** The last day may have been set after submission, and no check looks at that. */
function AfterLastDay({ claim: { service_on, left_on, person_name } }: Pick<Props, 'claim'>) {
  if (!left_on || service_on <= left_on) return null
  return (
    <p className="flex items-start gap-2 px-5 pt-3 text-sm text-accent-ink max-sm:px-3">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      {`The service on ${dateText(service_on)} is after the last day of ${person_name}, ${dateText(left_on)}`}
    </p>
  )
}

// The four buttons fit side by side on a phone without their icons.
const barStyles = clsx(
  'flex items-center gap-2 px-5 py-3',
  'max-sm:px-3 max-sm:*:[button]:flex-1 max-sm:*:[button]:px-1! max-sm:[&_svg]:hidden',
)

/** The highest likeness of its duplicates decides whether approving asks once more. */
export const decidableOf = (claim: ReviewedClaim, receipt?: ShownReceipt): Decidable => ({
  ...claim,
  suspicion: Math.max(0, ...claim.duplicates.map(({ score }) => score)),
  read_cents: receipt?.read_amount_cents ?? null,
})
