import { Building2, HandCoins, Users, Wallet } from 'lucide-react'
import { api } from '#api/api.ts'
import { count, counted, money } from '#ui/figures.ts'
import { useRead } from '#ui/ask.ts'
import { StatRow } from '#ui/Card.tsx'
import { few_used } from '#ui/NotShown.tsx'
import { Money } from '#ui/Money.tsx'

type Summary = Awaited<ReturnType<typeof api.companies.summary>>
type Managed = Awaited<ReturnType<typeof api.funds.managed>>

/** True sums. Money of different currencies is never added up: that of most companies stands first. */
export function CompanyStats({ summary }: { summary: Summary | undefined }) {
  const found = useRead(api.funds.managed, {})
  const managed = found?.toSorted((one, other) => other.companies - one.companies)
  const first = managed?.[0]
  const sum = (cents: number | null | undefined) =>
    managed &&
    (first && cents !== null ? <Money cents={cents ?? 0} currency={first.currency} whole /> : '–')
  return (
    <StatRow
      cards={[
        {
          label: 'Total companies',
          value: summary?.total,
          note: summary ? statuses(summary) : null,
          icon: <Building2 aria-hidden />,
        },
        {
          label: 'Total employees',
          value: summary?.employees,
          note: summary ? `in ${counted(summary.total, 'company', 'companies')}` : null,
          icon: <Users aria-hidden />,
        },
        {
          label: 'Total funds',
          value: sum(first?.total_cents),
          note: managed ? others(managed) : null,
          icon: <Wallet aria-hidden />,
        },
        {
          label: 'Used funds',
          value: sum(first?.used_cents),
          note: first
            ? first.percent === null
              ? few_used
              : `${first.percent}% of ${first.currency} contributions`
            : 'nothing yet',
          icon: <HandCoins aria-hidden />,
        },
      ]}
    />
  )
}

const statuses = ({ active, pending, suspended }: Summary) =>
  [
    `${count(active)} active`,
    pending > 0 && `${count(pending)} pending`,
    suspended > 0 && `${count(suspended)} suspended`,
  ]
    .filter(Boolean)
    .join(' · ')

function others(managed: Managed): string {
  const [first, second, ...rest] = managed
  if (!first) return 'nothing recorded yet'
  if (!second) return 'in the running plan years'
  const also = `and ${money(second.total_cents, second.currency, true)}`
  return rest.length === 0
    ? also
    : `${also}, ${counted(rest.length, 'currency', 'currencies')} more`
}
