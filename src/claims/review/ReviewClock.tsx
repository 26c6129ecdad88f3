import { ClockStops, stopsOf } from '#claims/ClockStops.tsx'
import { heldBy } from './held-by.ts'
import type { ReviewedClaim } from './review.contract.ts'
import { PanelPart } from './PanelPart.tsx'

/** The holder of the claim, its deadline, and what stopped the clock. */
export function ReviewClock({ claim }: { claim: ReviewedClaim }) {
  const { held_by, events, status } = claim
  if (status !== 'pending' && stopsOf(events).length === 0) return null
  return (
    <PanelPart title="Who decides, and by when">
      <ul className="flex flex-col gap-1.5 text-sm">
        {held_by && (
          <li className="wrap-anywhere">
            {held_by.length > 0 && <span className="text-soft">With </span>}
            <span className="font-medium">
              {held_by.length > 0 ? heldBy(held_by) : 'Nobody available'}
            </span>
          </li>
        )}
        <ClockStops claim={claim} />
      </ul>
    </PanelPart>
  )
}
