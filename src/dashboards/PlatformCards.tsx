import { Building2, Percent, Users, Wallet } from 'lucide-react'
import { system_api } from '#api/system-api.ts'
import type { PlatformFigures } from '#system/system.contract.ts'
import { useRead } from '#ui/ask.ts'
import { count, money, signedMoney } from '#ui/figures.ts'
import { few_used } from '#ui/NotShown.tsx'
import { StatCard, Stats } from '#ui/Card.tsx'

type CurrencyFigures = PlatformFigures['money'][number]

/** The figures of all companies together, each beside that of thirty days ago. */
export function PlatformCards() {
  const figures = useRead(system_api.figures, {})
  const [main] = figures?.money ?? []
  const days = figures?.days ?? 30
  const inMain = (label: string) =>
    main && (figures?.money.length ?? 0) > 1 ? `${label}, ${main.currency}` : label
  return (
    <Stats>
      <StatCard
        label="Total companies"
        icon={<Building2 aria-hidden />}
        value={figures && count(figures.companies)}
        note={figures && grown(figures.companies - figures.companies_before, days)}
      />
      <StatCard
        label="Total employees"
        icon={<Users aria-hidden />}
        value={figures && count(figures.employees)}
        note={figures && grown(figures.employees - figures.employees_before, days)}
      />
      <StatCard
        label={inMain('Funds managed')}
        icon={<Wallet aria-hidden />}
        value={figures && (main ? managed(main) : '–')}
        note={figures && (main ? managedSince(main, days) : 'No company yet')}
      />
      <StatCard
        label={inMain('Fund utilization')}
        icon={<Percent aria-hidden />}
        value={figures && (main?.percent == null ? '–' : `${main.percent}%`)}
        note={figures && (main ? usedSince(main, days) : 'No company yet')}
      />
    </Stats>
  )
}

const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' })

const grown = (change: number, days: number) =>
  change === 0 ? `no change in ${days} days` : `${signed.format(change)} in ${days} days`

const managed = ({ managed_cents, currency }: CurrencyFigures) =>
  money(managed_cents, currency, true)

function managedSince(
  { managed_cents, managed_before_cents, currency }: CurrencyFigures,
  days: number,
) {
  const change = managed_cents - managed_before_cents
  if (change === 0) return grown(0, days)
  return `${signedMoney(change, currency, true)} in ${days} days`
}

function usedSince(sums: CurrencyFigures, days: number) {
  const { used_cents, used_before_cents, percent, percent_before } = sums
  if (used_cents === null) return few_used
  if (percent === null) return 'No money managed yet'
  if (used_before_cents === null) return 'of contributions'
  if (percent_before === null) return `Nothing managed ${days} days ago`
  const points = percent - percent_before
  if (points === 0) return `of contributions, no change in ${days} days`
  return `of contributions, ${signed.format(points)} points in ${days} days`
}
