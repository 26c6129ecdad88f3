import { CalendarHeart, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { health_checks_api } from '#api/health-checks-api.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { BookDialog } from './BookDialog.tsx'
import { ChooseTime } from './ChooseTime.tsx'
import type { CheckBooking, CheckProvider, CheckSlot } from './health-checks.contract.ts'
import { timeIn, wholeDay } from './moments.ts'
import { MyBookings } from './MyBookings.tsx'
import { ProviderChoice } from './ProviderChoice.tsx'

/** The person's bookings, and the times that can be booked. */
export function BookPage({ other }: { other?: ReactNode }) {
  const bookings = useRead(health_checks_api.mine, {})
  const offered = useRead(health_checks_api.offered, {})
  const providers = offered?.providers
  const left_on = offered?.left_on ?? undefined
  const is_over = Boolean(offered?.refusals.book)
  const [moving, setMoving] = useState<CheckBooking>()
  const [booked, setBooked] = useState<string>()
  return (
    <Page
      title="Health Checks"
      description={
        is_over
          ? 'Checks that you booked'
          : 'Preventive checks that are open to you. Booking is free and takes nothing from your fund.'
      }
      actions={other}
    >
      <MyBookings bookings={bookings} booked={booked} onMove={setMoving} />
      <Card title="Book Health Check">
        {left_on && !is_over && (
          <p className="mb-5 text-sm text-soft">
            {`Times until your last day at the company, ${dateText(left_on)}, can be booked.`}
          </p>
        )}
        {moving && <Moving booking={moving} onStop={() => setMoving(undefined)} />}
        {!providers && <Skeleton className="h-64 w-full" />}
        {left_on && is_over && (
          <Empty icon={<CalendarHeart aria-hidden />} title="Booking is over for you">
            {`Your last day at the company was ${dateText(left_on)}.`}
          </Empty>
        )}
        {!is_over && providers?.length === 0 && (
          <Empty icon={<CalendarHeart aria-hidden />} title="No health checks offered yet">
            As soon as your HR or Healthfund opens one, its days and times appear here.
          </Empty>
        )}
        {!is_over && providers && providers.length > 0 && (
          <Choosing
            key={moving?.id ?? 'new'}
            providers={providers}
            moving={moving}
            last_on={left_on}
            onDone={({ id }) => {
              setBooked(id)
              setMoving(undefined)
            }}
          />
        )}
      </Card>
    </Page>
  )
}

const Moving = ({ booking, onStop }: { booking: CheckBooking; onStop: () => void }) => (
  <div className="mb-5">
    <Callout
      title="Choose another time"
      action={
        <Button size="small" icon={X} onClick={onStop}>
          Keep my time
        </Button>
      }
    >
      You keep {wholeDay(booking.day)}, {timeIn(booking.starts_at, booking.time_zone)}, until you
      have confirmed another.
    </Callout>
  </div>
)

type ChoosingProps = {
  providers: CheckProvider[]
  moving: CheckBooking | undefined
  last_on: string | undefined
  onDone: (booking: CheckBooking) => void
}

function Choosing({ providers, moving, last_on, onDone }: ChoosingProps) {
  const [chosen, setChosen] = useState(moving?.provider_id ?? providers[0]?.id)
  const [slot, setSlot] = useState<CheckSlot>()
  const provider = providers.find(({ id }) => id === chosen) ?? providers[0]
  if (!provider) return null
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <ProviderChoice providers={providers} chosen={provider.id} onChoose={setChosen} />
      <ChooseTime key={provider.id} provider={provider} last_on={last_on} onChoose={setSlot} />
      <BookDialog
        provider={provider}
        slot={slot}
        moving={moving}
        onClose={() => setSlot(undefined)}
        onDone={onDone}
      />
    </div>
  )
}
