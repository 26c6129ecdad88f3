import { ChartColumn } from 'lucide-react'
import { api } from '#api/api.ts'
import { categories, categoryNames } from '#categories.ts'
import { no_forecast } from '#funds/funds.contract.ts'
import { useRead } from '#ui/ask.ts'
import { Bar } from '#ui/Bar.tsx'
import { Card } from '#ui/Card.tsx'
import { Columns } from '#ui/Columns.tsx'
import { decimalsOf } from '#lib/currencies.ts'
import { dateText, threeLetters } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

type CategoryOutlook = Awaited<ReturnType<typeof api.funds.overview>>['categories'][number]

/** Spending so far, month by month, and its outlook. */
export function Outlook() {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Trend />
      <Forecast />
    </div>
  )
}

const short = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

function Trend() {
  const trend = useRead(api.funds.trend, {})
  return (
    <Card title="Used in the last twelve months" description="Approved claims, by category">
      {trend && !hasUse(trend) ? (
        <Empty icon={<ChartColumn aria-hidden />} title="Nothing used yet">
          Each approved claim shows here, in its month and category.
        </Empty>
      ) : trend ? (
        <Columns
          label="Used by month and category"
          of="Month"
          series={categories.map((fill) => ({ name: categoryNames[fill], fill }))}
          groups={trend.months.map((month) => ({
            name: long.format(new Date(month.month)),
            short: threeLetters(short.format(new Date(month.month))),
            values: categories.map((category) => month[`${category}_cents`]),
          }))}
          show={(cents, round) => (
            <Money
              cents={cents}
              currency={trend.currency}
              whole={Boolean(round) && cents % 10 ** decimalsOf(trend.currency) === 0}
            />
          )}
        />
      ) : (
        <Skeleton className="h-56 w-full" />
      )}
    </Card>
  )
}

const hasUse = ({ months }: Awaited<ReturnType<typeof api.funds.trend>>) =>
  months.some((month) => categories.some((category) => month[`${category}_cents`] > 0))

function Forecast() {
  const funds = useRead(api.funds.overview, {})
  return (
    <Card
      title="Forecast"
      description={funds && `Used by ${dateText(funds.ends_on)} at the current pace`}
    >
      {funds ? (
        <ul className="flex flex-col gap-5">
          {funds.categories.map((fund) => (
            <li key={fund.category}>
              <Expected fund={fund} currency={funds.currency} />
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton className="h-56 w-full" />
      )}
    </Card>
  )
}

function Expected({ fund, currency }: { fund: CategoryOutlook; currency: string }) {
  const { category, forecast_cents, allocated_cents } = fund
  const name = categoryNames[category]
  const left = allocated_cents - (forecast_cents ?? 0)
  return (
    <>
      <p className="flex items-baseline justify-between gap-3 text-sm">
        <span className="font-medium">{name}</span>
        {forecast_cents !== null && <Money cents={forecast_cents} currency={currency} />}
      </p>
      {forecast_cents === null ? (
        <p className="mt-1 text-ui text-soft">{no_forecast}</p>
      ) : (
        <>
          <Bar
            className="mt-2"
            percent={allocated_cents ? (100 * forecast_cents) / allocated_cents : 0}
            label={`${name} forecast of what is allocated`}
          />
          <p className="mt-2 text-ui text-soft">
            {left < 0
              ? `${money(-left, currency)} more than allocated`
              : `${money(left, currency)} of the allocation would remain`}
          </p>
        </>
      )}
    </>
  )
}
