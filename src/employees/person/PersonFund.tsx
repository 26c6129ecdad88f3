import { ArrowRight } from 'lucide-react'
import { useFormContext } from 'react-hook-form'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import { Day } from '#lib/days.ts'
import { paths } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Bar } from '#ui/Bar.tsx'
import { today } from '#ui/calendar-days.ts'
import { dateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** The rest of one person's grants of this plan year. */
export function PersonFund({ person_id }: { person_id: string }) {
  const may = useMay()
  const fund = useRead(api.funds.of_person, { person_id })
  if (!fund) return <Skeleton className="h-40 w-full" />
  const { currency, balances, held_cents, plan_group } = fund
  const waiting = balances.reduce((sum, { waiting_cents }) => sum + waiting_cents, 0)
  return (
    <section aria-label="Fund" className="flex flex-col gap-3.5 rounded-card bg-sunken p-4">
      {balances.map(({ category, balance_cents, total_cents, percent }) => (
        <div key={category}>
          <p className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
            <span className="font-medium">{categoryNames[category]}</span>
            <span className="text-ui">
              <Money cents={balance_cents} currency={currency} />
              <span className="text-soft">{` of ${money(total_cents, currency)}`}</span>
            </span>
          </p>
          <Bar
            percent={total_cents > 0 ? percent : 0}
            fill={category}
            label={`${categoryNames[category]} left`}
            className="h-1.5! bg-pressed!"
          />
        </div>
      ))}
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-ui text-soft">
        <span>
          {plan_group && `${plan_group} group plan. `}
          {held_cents > 0 && `${money(held_cents, currency)} is on hold for open claims. `}
          {waiting > 0 && `${money(waiting, currency)} of the grant waits for funds.`}
        </span>
        {may('funds.statement') && (
          <Link
            to={`${paths.funds}?tab=Statement&person=${person_id}`}
            className="inline-flex items-center gap-1 rounded font-medium text-primary-ink hover:underline"
          >
            Statement
            <ArrowRight className="size-3.5" aria-hidden />
          </Link>
        )}
      </p>
    </section>
  )
}

const ChosenDay = Day()

/** The open claims and money of somebody who leaves, shown before the day is set. */
export function OpenMoney({ person_id }: { person_id: string }) {
  const typed = ChosenDay.safeParse(useFormContext().watch('left_on'))
  const input = typed.success ? { person_id, left_on: typed.data } : { person_id }
  const fund = useRead(api.funds.of_person, input, { keep: true })
  if (!fund) return <Skeleton className="h-5 w-56" />
  const { held_cents, currency, balances, if_left } = fund
  const left = balances.reduce((sum, { balance_cents }) => sum + balance_cents, 0)
  return (
    <p className="rounded-card bg-sunken px-4 py-3 text-sm">
      {held_cents > 0 ? (
        <>
          <Money cents={held_cents} currency={currency} /> is on hold for open claims, which are
          decided as usual.{' '}
        </>
      ) : (
        'Nothing is on hold for open claims. '
      )}
      <Money cents={left} currency={currency} /> {leftUntil(if_left)}
    </p>
  )
}

type IfLeft = NonNullable<Awaited<ReturnType<typeof api.funds.of_person>>>['if_left']

function leftUntil(days: IfLeft): string {
  if (!days) return 'is left to claim; what is not claimed in time goes back to the company.'
  const { filing_ends_on, returns_on } = days
  const until = dateText(filing_ends_on)
  const back = returns_on && `goes back to the company on ${dateText(returns_on)}.`
  if (filing_ends_on < today())
    return `is left. The time to claim it was over on ${until}${back ? `; it ${back}` : '.'}`
  return `is left to claim until ${until}${back ? `; what is not claimed by then ${back}` : '.'}`
}
