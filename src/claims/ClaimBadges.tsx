import { clsx } from 'clsx'
import { type Category, categoryNames, categorySpots } from '#categories.ts'
import { Badge, Status } from '#ui/Badge.tsx'
import { Money } from '#ui/Money.tsx'
import type { Claim } from './claims.contract.ts'
import { claimState, claimStates, type ClaimStage } from './words.contract.ts'

type StatusProps = { claim: Claim; stages?: Record<ClaimStage, string> }

/** The specification's states; a pending claim also says what it waits for, in its reader's words. */
export function ClaimStatusBadge({ claim, stages }: StatusProps) {
  const [name, tone] = claimStates[claimState(claim)]
  const awaited = claim.stage === 'information_asked'
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Status tone={tone}>{name}</Status>
      {claim.is_appeal && <Badge tone="accent">Appeal</Badge>}
      {stages && claim.stage && claim.stage !== 'first_review' && (
        <Badge tone={awaited ? 'primary' : 'neutral'}>{stages[claim.stage]}</Badge>
      )}
    </span>
  )
}

export const CategoryLabel = ({ category }: { category: Category }) => (
  <span className="inline-flex items-center gap-2 whitespace-nowrap">
    <span aria-hidden className={clsx('size-2 rounded-full', categorySpots[category])} />
    {categoryNames[category]}
  </span>
)

type AmountProps = { claim: Claim & { passed_cents?: number | null }; strong?: boolean }

/**
 * The amount claimed. If less was approved, also by an earlier approval alone, that amount, and the claimed one struck out beside
 * it.
 */
export function ClaimAmount({ claim, strong }: AmountProps) {
  const { amount_cents, currency, passed_cents, status } = claim
  const approved_cents = status === 'pending' ? passed_cents : claim.approved_cents
  const styles = strong ? 'font-semibold' : 'font-medium'
  if (approved_cents == null || approved_cents >= amount_cents) {
    return (
      <span className={styles}>
        <Money cents={approved_cents ?? amount_cents} currency={currency} />
      </span>
    )
  }
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
      <s className="text-ui text-faint">
        <span className="sr-only">claimed </span>
        <Money cents={amount_cents} currency={currency} />
      </s>
      <span className={styles}>
        <span className="sr-only">approved </span>
        <Money cents={approved_cents} currency={currency} />
      </span>
    </span>
  )
}
