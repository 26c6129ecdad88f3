import { clsx } from 'clsx'
import { ArrowLeftRight } from 'lucide-react'
import { useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { categories, type Category, categoryNames, categorySpots } from '#categories.ts'
import { paths } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Bar } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

type Overview = Awaited<ReturnType<typeof api.funds.overview>>

/** Each category: used of allocated. */
export function FundAllocation() {
  const navigate = useNavigate()
  const may = useMay()
  const funds = useRead(api.funds.overview, {})
  return (
    <Card
      title="Fund allocation"
      description={funds && `Plan year ${dateText(funds.plan_year)} – ${dateText(funds.ends_on)}`}
      actions={
        may('funds.rebalance') && (
          <Button
            icon={ArrowLeftRight}
            unless={funds?.refusals.rebalance}
            onClick={() => void navigate(`${paths.funds}?open=rebalance`)}
          >
            Rebalance
          </Button>
        )
      }
    >
      <ul className="grid gap-x-8 gap-y-6 md:grid-cols-3">
        {categories.map((category) => (
          <li key={category}>
            <Share category={category} funds={funds} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Share({ category, funds }: { category: Category; funds: Overview | undefined }) {
  const fund = funds?.categories.find((one) => one.category === category)
  const name = categoryNames[category]
  return (
    <>
      <p className="flex items-baseline justify-between gap-3 text-sm">
        <span className="flex items-center gap-2 font-medium">
          <span aria-hidden className={clsx('size-2.5 rounded-full', categorySpots[category])} />
          {name}
        </span>
        <span className="figures font-semibold">
          {fund ? `${fund.percent}%` : <Skeleton className="inline-block h-4 w-10" />}
        </span>
      </p>
      <Bar className="mt-2.5" percent={fund?.percent ?? 0} label={`${name} utilization`} />
      <p className="mt-2 text-ui text-soft">
        {fund && funds ? (
          <>
            <Money cents={fund.used_cents} currency={funds.currency} />
            {' used of '}
            <Money cents={fund.allocated_cents} currency={funds.currency} />
          </>
        ) : (
          <Skeleton className="inline-block h-4 w-40" />
        )}
      </p>
    </>
  )
}
