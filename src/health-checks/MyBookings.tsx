import { CalendarPlus, CalendarX2, Info, MapPin, MoveRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { problems, type ProblemCode } from '#problems.ts'
import { health_checks_api } from '#api/health-checks-api.ts'
import { useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useUrlState } from '#ui/url-state.ts'
import type { CheckBooking } from './health-checks.contract.ts'
import { timeIn, wholeDay } from './moments.ts'

type Props = {
  bookings: CheckBooking[] | undefined
  /** The one just booked: it comes into view. */
  booked: string | undefined
  onMove: (booking: CheckBooking) => void
}

/** Upcoming bookings, then past ones. A notice leads to its booking, also to a cancelled one. */
export function MyBookings({ bookings, booked, onMove }: Props) {
  const [booking_param] = useUrlState('booking')
  const [all, setAll] = useState(false)
  const [cancelling, setCancelling] = useState<string>()
  if (!bookings) return <Skeleton className="h-24 w-full" />
  const coming = bookings.filter(({ refusals }) => !refusals.cancel).toReversed()
  const others = bookings.filter((booking) => !coming.includes(booking))
  const shown = others.filter(({ id }, at) => all || id === booking_param || at < 3)
  if (bookings.length === 0) return null
  return (
    <Card
      flush
      title="Your bookings"
      actions={
        others.length > shown.length && (
          <Button size="small" variant="quiet" onClick={() => setAll(true)}>
            Show all {others.length} past or cancelled
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line">
        {[...coming, ...shown].map((booking) => (
          <Booking
            key={booking.id}
            booking={booking}
            fresh={booking.id === booked}
            onMove={onMove}
            onCancel={() => setCancelling(booking.id)}
          />
        ))}
      </ul>
      {cancelling && (
        <CancelDialog
          id={cancelling}
          refusal={bookings.find(({ id }) => id === cancelling)?.refusals.cancel}
          onClose={() => setCancelling(undefined)}
        />
      )}
    </Card>
  )
}

type BookingProps = Pick<Props, 'onMove'> & {
  booking: CheckBooking
  fresh: boolean
  onCancel: () => void
}

function Booking({ booking, fresh, onMove, onCancel }: BookingProps) {
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!fresh) return
    // Scrolls to the new booking: else focus and page would go back to the time that was chosen.
    line.current?.focus({ preventScroll: true })
    line.current?.scrollIntoView({ block: 'center' })
  }, [fresh])
  const { day, starts_at, time_zone, status, code, of_company, refusals } = booking
  const comes = !refusals.cancel
  return (
    <li
      ref={line}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4 text-sm"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">
            {wholeDay(day)}, <span className="figures">{timeIn(starts_at, time_zone)}</span>
          </span>
          <State booking={booking} />
        </p>
        <p className="mt-1 wrap-anywhere text-soft">
          {booking.offers} · {booking.name}
        </p>
        {comes && (
          <p className="mt-1 flex gap-1.5 text-ui wrap-anywhere text-soft">
            <MapPin className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            {booking.place}
          </p>
        )}
        {comes && booking.note && (
          <p className="mt-1 flex gap-1.5 text-ui wrap-anywhere text-soft">
            <Info className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            {booking.note}
          </p>
        )}
        {comes && !of_company && (
          <p className="mt-2 text-ui text-soft">
            Say this code at the desk:{' '}
            <span className="font-mono text-sm font-semibold tracking-widest text-ink">{code}</span>
          </p>
        )}
        {booking.cancel_reason && (
          <p className="mt-1 text-ui wrap-anywhere text-soft">“{booking.cancel_reason}”</p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {(comes || status === 'cancelled') && <CalendarFile booking={booking} />}
        {comes && (
          <>
            <Button
              size="small"
              icon={MoveRight}
              unless={refusals.move}
              onClick={() => onMove(booking)}
            >
              Move
            </Button>
            <Button size="small" icon={CalendarX2} unless={refusals.cancel} onClick={onCancel}>
              Cancel
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

function State({ booking: { status, cancelled_side, past } }: { booking: CheckBooking }) {
  if (status === 'cancelled') {
    return (
      <Status tone="bad">
        {cancelled_side === 'provider' ? 'Cancelled for you' : 'Cancelled'}
      </Status>
    )
  }
  return past ? <Status>Past</Status> : <Status tone="good">Booked</Status>
}

function CalendarFile({ booking: { id, status } }: { booking: CheckBooking }) {
  const cancelled = status === 'cancelled'
  return (
    <DownloadButton
      size="small"
      variant={cancelled ? 'quiet' : 'secondary'}
      icon={CalendarPlus}
      file={() => health_checks_api.calendar({ id })}
    >
      {cancelled ? 'Remove from calendar' : 'Calendar file'}
    </DownloadButton>
  )
}

type CancelProps = { id: string; refusal: ProblemCode | null | undefined; onClose: () => void }

function CancelDialog({ id, refusal, onClose }: CancelProps) {
  const cancel = useWrite(health_checks_api.cancel, 'Health check cancelled')
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      moot={refusal ? `${problems[refusal][1]}.` : undefined}
      title="Cancel this health check?"
      description="Your place becomes free for somebody else at once. You can book again as long as there are places."
      keep="Keep it"
      does="Cancel health check"
      act={() => cancel.submit({ id })}
    />
  )
}
