import { ClockStops, stopsOf } from '#claims/ClockStops.tsx'
import { assignedTo } from './assigned-to.ts'
import type { ReviewedClaim } from './review.contract.ts'
import { PanelPart } from './PanelPart.tsx'

/** The assignees of the claim, its deadline, and what stopped the clock. */
export function ReviewClock({ claim }: { claim: ReviewedClaim }) {
  const { assigned_to, events, status } = claim
  if (status !== 'pending' && stopsOf(events).length === 0) return null
  return (
    <PanelPart title="Who decides, and by when">
      <ul className="flex flex-col gap-1.5 text-sm">
        {assigned_to && (
          <li className="wrap-anywhere">
            {assigned_to.length > 0 && <span className="text-soft">With </span>}
            <span className="font-medium">
              {assigned_to.length > 0 ? assignedTo(assigned_to) : 'Nobody available'}
            </span>
          </li>
        )}
        <ClockStops claim={claim} />
      </ul>
    </PanelPart>
  )
}
