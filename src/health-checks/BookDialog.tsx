import { useRef } from 'react'
import { health_checks_api } from '#api/health-checks-api.ts'
import { useWrite } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Facts } from '#ui/Facts.tsx'
import type { CheckBooking, CheckProvider, CheckSlot } from './health-checks.contract.ts'
import { timeIn, wholeDay } from './moments.ts'

type Props = {
  provider: CheckProvider
  slot: CheckSlot | undefined
  /** The booking that is moved here; else a new one is made. */
  moving: CheckBooking | undefined
  onClose: () => void
  onDone: (booking: CheckBooking) => void
}

/** The last look before a time is taken: where, when, and who will know. */
export function BookDialog({ provider, slot, moving, onClose, onDone }: Props) {
  const done = (booking: CheckBooking) =>
    `${moving ? 'Moved to' : 'Booked for'} ${wholeDay(booking.day)}, ${timeIn(booking.starts_at, booking.time_zone)}`
  const made = useRef<CheckBooking>(undefined)
  const book = useWrite(health_checks_api.book, done)
  const move = useWrite(health_checks_api.move, done)
  return (
    <ConfirmDialog
      open={slot !== undefined}
      onClose={onClose}
      title={moving ? 'Move your health check?' : 'Book this health check?'}
      variant="primary"
      does={moving ? 'Move' : 'Book'}
      act={async () => {
        if (!slot) return
        const slot_id = slot.id
        made.current = await (moving
          ? move.submit({ id: moving.id, slot_id })
          : book.submit({ slot_id }))
      }}
      onDone={() => made.current && onDone(made.current)}
    >
      {slot && (
        <div className="flex flex-col gap-4 text-sm">
          <Facts
            variant="pairs"
            facts={[
              [
                'When',
                `${wholeDay(slot.day)}, ${timeIn(slot.starts_at, provider.time_zone)}, ${slot.minutes} minutes`,
              ],
              ['What', provider.offers],
              ['Where', `${provider.name}, ${provider.place}`],
              provider.note && ['Please note', provider.note],
              ['Cost', 'Booking is free. If you get a bill for the check, you can claim it.'],
            ]}
          />
          <Callout title="Who will know">{whoKnows(provider.of_company)}</Callout>
        </div>
      )}
    </ConfirmDialog>
  )
}

const whoKnows = (of_company: boolean) =>
  of_company
    ? 'Your HR organises this check, so they see your name on that day’s list.'
    : 'Only you. You’ll get a code to show at reception; neither your company nor Healthfund’s staff learn your name.'
