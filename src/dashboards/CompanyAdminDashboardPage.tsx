import { HandCoins, Hourglass, Users, Wallet } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { api } from '#api/api.ts'
import { trend_days } from '#funds/funds.contract.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Card, StatRow } from '#ui/Card.tsx'
import { count, money, signedMoney } from '#ui/figures.ts'
import { whenOnline } from '#ui/load-again.ts'
import { Money } from '#ui/Money.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ActionRequired } from './ActionRequired.tsx'
import { FirstDay } from './FirstDay.tsx'
import { FundAllocation } from './FundAllocation.tsx'
import { NeedsYou } from './NeedsYou.tsx'
import { RightsWait } from './RightsWait.tsx'
import { RecentClaims } from './RecentClaims.tsx'
import { TopTypes } from './TopTypes.tsx'

// Charts come after what they are about.
const Outlook = lazy(async () => ({
  default: (await whenOnline(() => import('./Outlook.tsx'))).Outlook,
}))

export function CompanyAdminDashboardPage() {
  const may = useMay()
  return (
    <Page title="Dashboard">
      <RightsWait />
      {may('companies.close_first_day') && <FirstDay />}
      <NeedsYou />
      <Figures />
      <ActionRequired />
      <FundAllocation />
      <Suspense fallback={<OutlookComes />}>
        <Outlook />
      </Suspense>
      {(may('review.queue') || may('policies.types')) && (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {may('review.queue') && <RecentClaims />}
          {may('policies.types') && <TopTypes />}
        </div>
      )}
    </Page>
  )
}

const OutlookComes = () => (
  <Card>
    <Skeleton className="h-72 w-full" />
  </Card>
)

function Figures() {
  const people = useRead(api.employees.summary, {})
  const trend = useRead(api.funds.trend, {})
  const claims = useRead(api.review.waiting, {})
  const shown = (cents: number) => trend && <Money cents={cents} currency={trend.currency} />
  return (
    <StatRow
      cards={[
        {
          label: 'Employees',
          value: people && people.total - people.leavers,
          note: people ? headcountChange(people) : null,
          icon: <Users aria-hidden />,
        },
        {
          label: 'Fund balance',
          value: shown(trend?.balance_cents ?? 0),
          note: trend ? balanceChange(trend) : null,
          icon: <Wallet aria-hidden />,
        },
        {
          label: 'Utilization',
          value: trend && `${trend.percent}%`,
          note: trend ? pointsChange(trend) : null,
          icon: <HandCoins aria-hidden />,
        },
        {
          label: 'Pending claims',
          value: claims && count(claims.pending),
          note: claims ? pendingNote(claims) : null,
          icon: <Hourglass aria-hidden />,
        },
      ]}
    />
  )
}

type PeopleSummary = Awaited<ReturnType<typeof api.employees.summary>>
type Trend = Awaited<ReturnType<typeof api.funds.trend>>

type WaitingClaims = Awaited<ReturnType<typeof api.review.waiting>>

function pendingNote({ pending, pending_cents, overdue, currency }: WaitingClaims): string {
  if (pending === 0) return 'Everything is decided'
  const waiting = `${money(pending_cents, currency, true)} waiting`
  return overdue > 0 ? `${waiting} · ${count(overdue)} overdue` : waiting
}

const lately = `in ${trend_days} days`
const signed = (value: number, text: string) => `${value > 0 ? '+' : '−'}${text}`

function headcountChange({ total, leavers, total_before }: PeopleSummary): string {
  const change = total - leavers - (total_before ?? 0)
  if (change === 0) return `no change ${lately}`
  return `${signed(change, count(Math.abs(change)))} ${lately}`
}

function balanceChange({ balance_cents, balance_before_cents, currency }: Trend): string {
  const change = balance_cents - balance_before_cents
  if (change === 0) return `no change ${lately}`
  return `${signedMoney(change, currency)} ${lately}`
}

function pointsChange({ percent, percent_before }: Trend): string {
  const change = percent - percent_before
  if (change === 0) return `of contributions, no change ${lately}`
  const points = Math.abs(change) === 1 ? 'point' : 'points'
  return `of contributions, ${signed(change, `${count(Math.abs(change))} ${points}`)} ${lately}`
}
