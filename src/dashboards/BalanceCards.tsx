import { clsx } from 'clsx'
import { lazy, Suspense } from 'react'
import { api } from '#api/api.ts'
import { categories, type Category, categoryNames, categorySpots } from '#categories.ts'
import { useRead } from '#ui/ask.ts'
import { Bar } from '#ui/Bar.tsx'
import { today } from '#ui/calendar-days.ts'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** Most companies have no limits, and their people wait for none. */
const CardLimits = lazy(async () => ({ default: (await import('./CardLimits.tsx')).CardLimits }))

type MyFunds = Awaited<ReturnType<typeof api.funds.mine>>
type Balance = MyFunds['balances'][number]

const covers: Record<Category, string> = {
  prevention: 'Check-ups, vaccinations, fitness',
  treatment: 'Doctors, hospital, medicine',
  solidarity: 'Care of your dependents',
}

/** The rest of each category, of how much, and what is lost when. */
export function BalanceCards() {
  const funds = useRead(api.funds.mine, {})
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {categories.map((category) => (
        <BalanceCard key={category} category={category} funds={funds} />
      ))}
    </div>
  )
}

function BalanceCard({ category, funds }: { category: Category; funds: MyFunds | undefined }) {
  const balance = funds?.balances.find((one) => one.category === category)
  const name = categoryNames[category]
  return (
    <Card>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 text-sm font-semibold">
            <span aria-hidden className={clsx('size-2.5 rounded-full', categorySpots[category])} />
            {name}
          </h2>
          <p className="mt-0.5 text-ui text-soft">{covers[category]}</p>
        </div>
        {balance && (
          <span className="figures text-sm font-semibold whitespace-nowrap">
            {`${shareOf(balance)}% left`}
          </span>
        )}
      </div>
      {funds && balance ? (
        <Amounts funds={funds} balance={balance} name={name} />
      ) : funds ? (
        <p className="mt-5 text-sm text-soft">There is no plan year yet.</p>
      ) : (
        <Skeleton className="mt-5 h-32 w-full" />
      )}
    </Card>
  )
}

const shareOf = ({ percent, total_cents }: Balance) => (total_cents > 0 ? percent : 0)

type AmountsProps = { funds: MyFunds; balance: Balance; name: string }

function Amounts({ funds, balance, name }: AmountsProps) {
  const { currency } = funds
  return (
    <>
      <p className="mt-5 flex flex-wrap items-baseline gap-x-2">
        <span className="figures text-2xl font-semibold tracking-tight">
          <Money cents={balance.balance_cents} currency={currency} />
        </span>
        <span className="text-sm text-soft">
          {'of '}
          <Money cents={balance.total_cents} currency={currency} />
        </span>
      </p>
      <Bar
        className="mt-3"
        fill={balance.category}
        percent={shareOf(balance)}
        label={`${name} left`}
      />
      <ul className="mt-4 flex flex-col md:min-h-16 gap-1 text-ui text-pretty text-soft">
        {funds.limited && (
          <Suspense>
            <CardLimits balance={balance} plan_year={funds.plan_year ?? undefined} />
          </Suspense>
        )}
        {linesOf(balance, funds).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}

function linesOf(balance: Balance, { use_by, filing_ends_on, currency }: MyFunds): string[] {
  const { held_cents, waiting_cents, balance_cents, expires_cents, next_on, next_cents } = balance
  const amount = (cents: number) => money(cents, currency)
  const lines: string[] = []
  if (waiting_cents > 0) {
    lines.push(`${amount(waiting_cents)} more as soon as your company has set the money aside.`)
  }
  if (next_on) lines.push(`+ ${amount(next_cents)} on ${dateText(next_on)}`)
  if (held_cents > 0) lines.push(`${amount(held_cents)} on hold for your open claims`)
  if (balance_cents === 0 || !use_by || !filing_ends_on) return lines
  lines.push(
    expires_cents > 0
      ? (expires_cents < balance_cents ? `${amount(expires_cents)}: ` : '') +
          `${use_by < today() ? 'For services until' : 'Use by'} ${dateText(use_by)} · ` +
          `claim by ${dateText(filing_ends_on)}`
      : 'What you don’t use is carried over into the next plan year.',
  )
  return lines
}
