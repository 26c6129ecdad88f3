import { clsx } from 'clsx'
import { categoryNames, categorySpots } from '#categories.ts'
import { Bar } from '#ui/Bar.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Facts } from '#ui/Facts.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { no_forecast, type CategoryFund } from './funds.contract.ts'

type Props = { fund: CategoryFund | undefined; currency: string; ends_on: string | undefined }

export function CategoryCard({ fund, currency, ends_on }: Props) {
  if (!fund) {
    return (
      <Card>
        <Skeleton className="h-[19.5rem] w-full" />
      </Card>
    )
  }
  const name = categoryNames[fund.category]
  const rows = [
    ['Allocated', fund.allocated_cents, true],
    ['Granted to people', fund.granted_cents],
    ['Used', fund.used_cents],
    ['On hold for claims', fund.held_cents],
    ['Available to people', fund.available_cents],
    ...(fund.overpaid_cents > 0 ? ([['Overpaid to people', fund.overpaid_cents]] as const) : []),
    ['Free in the pool', fund.free_cents, true],
  ] as const
  return (
    <Card>
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="flex items-center gap-2 text-sm font-semibold">
          <span
            aria-hidden
            className={clsx('size-2.5 rounded-full', categorySpots[fund.category])}
          />
          {name}
        </h2>
        <p className="figures text-2xl font-semibold tracking-tight">{`${fund.percent}%`}</p>
      </div>
      <Bar className="mt-3" percent={fund.percent} label={`${name} used`} />
      <Facts
        variant="sums"
        className="mt-5"
        facts={rows.map(([label, cents, strong]) => [
          label,
          <span key={label} className={clsx(strong && 'font-semibold')}>
            <Money cents={cents} currency={currency} />
          </span>,
        ])}
      />
      <p className="mt-4 border-t border-line pt-3 text-ui text-pretty text-soft">
        {forecast(fund, currency, ends_on)}
      </p>
    </Card>
  )
}

function forecast(fund: CategoryFund, currency: string, ends_on: string | undefined): string {
  const { forecast_cents, allocated_cents } = fund
  if (forecast_cents === null || !ends_on) return no_forecast
  const sum = money(forecast_cents, currency)
  const over = forecast_cents - allocated_cents
  return over > 0
    ? `On track to use ${sum} by ${dateText(ends_on)}: ${money(over, currency)} more than allocated.`
    : `On track to use ${sum} by ${dateText(ends_on)}.`
}
