import { CalendarCheck } from 'lucide-react'
import { useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { health_checks_api } from '#api/health-checks-api.ts'
import { categoryNames } from '#categories.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { today } from '#ui/calendar-days.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'

type CheckUpFacts = Awaited<ReturnType<typeof health_checks_api.reminder>>

/** A reminder from facts alone: the last check, the next one, and money that will expire. */
export function HealthReminder() {
  const facts = useRead(health_checks_api.reminder, {})
  const currency = useRead(api.funds.mine, {})?.currency
  const is_over = Boolean(facts?.refusals.book)
  return (
    <Card title="Health reminder">
      {facts && currency ? (
        <ul className="mb-5 flex flex-col gap-2.5 text-sm text-pretty">
          {(!is_over || facts.last_check_on) && <li>{checkLine(facts, is_over)}</li>}
          {facts.next && (
            <li className="text-soft">
              <DateText value={facts.next.day} />
              {`, ${facts.next.name}, ${facts.next.place}`}
            </li>
          )}
          {facts.expiring.map((line) => (
            <li key={`${line.category} ${line.use_by}`} className="text-soft">
              {`${money(line.amount_cents, currency)} of ${categoryNames[line.category]} expires: ` +
                `${usedBy(line.use_by)} by ${dateText(line.filing_ends_on)}.`}
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton className="mb-5 h-20 w-full" />
      )}
      {!is_over && <BookButton />}
    </Card>
  )
}

const usedBy = (day: string) =>
  day < today()
    ? `it was for services until ${dateText(day)}, which you can claim`
    : `use it by ${dateText(day)}, claim it`

function checkLine({ next, due, last_check_on }: CheckUpFacts, is_over: boolean): string {
  if (next) return 'Your next health check is booked.'
  if (!last_check_on) return 'You haven’t had a health check yet. One a year is recommended.'
  const last = `Your last health check was on ${dateText(last_check_on)}.`
  return due && !is_over ? `${last} It is time for the next.` : last
}

function BookButton() {
  const navigate = useNavigate()
  return (
    <Button
      icon={CalendarCheck}
      onClick={() => {
        toast('Redirecting to booking portal...', 'notice')
        void navigate(`${paths.health_checks}?book=yes`)
      }}
    >
      Book Health Check
    </Button>
  )
}
