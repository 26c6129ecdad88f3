import { Bar } from '#ui/Bar.tsx'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { NotShown } from '#ui/NotShown.tsx'

type UsedFund = { total_cents: number; used_cents: number | null; percent: number | null }
type Props = { fund: UsedFund | undefined; currency: string }

/** The used part of the total, and its share as a bar: a line of a list. */
export function FundUse({ fund, currency }: Props) {
  if (!fund) return <Skeleton className="inline-block h-4 w-40" />
  if (fund.total_cents === 0) return <span className="text-faint">No money yet</span>
  if (fund.used_cents === null || fund.percent === null) {
    return (
      <span className="flex w-60 min-w-0 flex-col text-ui sm:ml-auto sm:text-left">
        <Money cents={fund.total_cents} currency={currency} whole />
        <NotShown why />
      </span>
    )
  }
  return (
    <span className="flex w-60 min-w-0 flex-col gap-1.5 sm:ml-auto">
      <span className="flex items-baseline justify-between gap-3 text-ui">
        <span className="min-w-0 text-left wrap-anywhere sm:whitespace-normal">
          <Money cents={fund.used_cents} currency={currency} whole />
          <span className="text-soft"> of </span>
          <Money cents={fund.total_cents} currency={currency} whole />
        </span>
        <span className="shrink-0 font-medium">{`${fund.percent}%`}</span>
      </span>
      <Bar percent={fund.percent} label="Fund utilization" className="h-1.5!" />
    </span>
  )
}
