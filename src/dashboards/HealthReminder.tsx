import { CalendarCheck } from 'lucide-react'
import { useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { health_checks_api } from '#api/health-checks-api.ts'
import { categoryNames } from '#categories.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'

type Facts = Awaited<ReturnType<typeof health_checks_api.reminder>>

/** Made of facts: the last check, the next one, and money that will expire. */
export function HealthReminder() {
  const facts = useRead(health_checks_api.reminder, {})
  const currency = useRead(api.funds.mine, {})?.currency
  return (
    <Card title="Health reminder">
      {facts && currency ? (
        <ul className="mb-5 flex flex-col gap-2.5 text-sm text-pretty">
          <li>{checkLine(facts)}</li>
          {facts.next && (
            <li className="text-soft">
              <DateText value={facts.next.day} />
              {`, ${facts.next.name}, ${facts.next.place}`}
            </li>
          )}
          {facts.expiring.map((line) => (
            <li key={line.category} className="text-soft">
              {`${money(line.amount_cents, currency)} of ${categoryNames[line.category]} expires: ` +
                `use it by ${dateText(line.use_by)}, claim it by ${dateText(line.file_until)}.`}
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton className="mb-5 h-20 w-full" />
      )}
      <BookButton />
    </Card>
  )
}

function checkLine({ next, due, last_check_on }: Facts): string {
  if (next) return 'Your next health check is booked.'
  if (!last_check_on) return 'You haven’t had a health check yet. One a year is recommended.'
  const last = `Your last health check was on ${dateText(last_check_on)}.`
  return due ? `${last} It is time for the next.` : last
}

function BookButton() {
  const navigate = useNavigate()
  return (
    <Button
      icon={<CalendarCheck className="size-4" aria-hidden />}
      onClick={() => {
        toast('Redirecting to booking portal...', 'notice')
        void navigate(`${paths.health_checks}?book=yes`)
      }}
    >
      Book Health Check
    </Button>
  )
}
