import { api } from '#api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import type { CheckBooking, CheckProvider, CheckSlot } from './health-checks.contract.ts'
import { timeIn, wholeDay } from './moments.ts'

type Props = {
  provider: CheckProvider
  slot: CheckSlot | undefined
  /** The booking that is moved here; else a new one is made. */
  moving: CheckBooking | undefined
  onClose: () => void
  onDone: () => void
}

/** The last look before a time is taken: where, when, and who will know. */
export function BookDialog({ provider, slot, moving, onClose, onDone }: Props) {
  const done = (booking: CheckBooking) =>
    `${moving ? 'Moved to' : 'Booked for'} ${wholeDay(booking.day)}, ${timeIn(booking.starts_at, booking.time_zone)}`
  const book = useWrite(api.health_checks.book, done)
  const move = useWrite(api.health_checks.move, done)
  const confirm = () => {
    if (!slot) return
    if (moving) move({ id: moving.id, slot_id: slot.id })
    else book({ slot_id: slot.id })
    onClose()
    onDone()
  }
  return (
    <Dialog
      open={slot !== undefined}
      onClose={onClose}
      title={moving ? 'Move your health check?' : 'Book this health check?'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={confirm}>
            {moving ? 'Move' : 'Book'}
          </Button>
        </>
      }
    >
      {slot && (
        <div className="flex flex-col gap-4 text-sm">
          <dl className="flex flex-col gap-3">
            <Fact term="When">
              {wholeDay(slot.day)}, {timeIn(slot.starts_at, provider.time_zone)}, {slot.minutes}{' '}
              minutes
            </Fact>
            <Fact term="What">{provider.offers}</Fact>
            <Fact term="Where">
              {provider.name}, {provider.place}
            </Fact>
          </dl>
          <Callout title="Who will know">{whoKnows(provider.of_company)}</Callout>
        </div>
      )}
    </Dialog>
  )
}

export const whoKnows = (of_company: boolean) =>
  of_company
    ? 'Your HR organises this check, so it sees your name on the list of the day.'
    : 'Only you. You get a code to say at the desk; neither your company nor Healthfund’s staff are told your name.'

const Fact = ({ term, children }: { term: string; children: React.ReactNode }) => (
  <div className="flex gap-4">
    <dt className="w-16 shrink-0 text-soft">{term}</dt>
    <dd className="min-w-0 font-medium wrap-anywhere">{children}</dd>
  </div>
)
