import { Building2, ChartColumn, ChartLine, ChartPie } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Toggle } from '#ui/ToggleField.tsx'
import { report_kinds, type Kind } from './kinds.ts'
import { ReportKind } from './reports.contract.ts'

const icons: Record<Kind, ReactNode> = {
  fund_allocation: <ChartPie aria-hidden />,
  claims_activity: <ChartColumn aria-hidden />,
  company_performance: <Building2 aria-hidden />,
  utilization_trends: <ChartLine aria-hidden />,
}

export function QuickReports({ onGenerate }: { onGenerate: (kind: Kind) => void }) {
  return (
    <section aria-label="Quick reports">
      <h2 className="mb-3 text-sm font-semibold">Quick reports</h2>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {ReportKind.options.map((kind) => (
          <QuickReport key={kind} kind={kind} onGenerate={() => onGenerate(kind)} />
        ))}
      </ul>
    </section>
  )
}

function QuickReport({ kind, onGenerate }: { kind: Kind; onGenerate: () => void }) {
  const { title, type, description } = report_kinds[kind]
  return (
    <li className="flex min-w-0 flex-col rounded-card border border-line bg-surface p-5 shadow-card">
      <div className="flex items-start justify-between gap-3">
        <span className="grid size-9 place-items-center rounded-control bg-primary-wash text-primary-ink *:size-4.5">
          {icons[kind]}
        </span>
        <Badge>{type}</Badge>
      </div>
      <h3 className="mt-4 text-sm font-semibold">{title}</h3>
      <p className="mt-1 mb-4 text-ui text-soft">{description}</p>
      <div className="mt-auto flex flex-col gap-3">
        <Monthly kind={kind} title={title} />
        <Button wide aria-label={`Generate ${title}`} onClick={onGenerate}>
          Generate
        </Button>
      </div>
    </li>
  )
}

/** A report made on the first of each month, over the month before and all companies. */
function Monthly({ kind, title }: { kind: Kind; title: string }) {
  const schedules = useRead(lazy_api.reports.schedules, {})
  const schedule = useWrite(lazy_api.reports.schedule, (all) =>
    all.find((one) => one.kind === kind)?.enabled
      ? `You get ${title} on the first of each month`
      : `${title} is no longer sent to you`,
  )
  const enabled = schedules?.find((one) => one.kind === kind)?.enabled ?? false
  return (
    <div className="flex items-center justify-between gap-3 text-ui text-soft">
      Send me monthly
      <Toggle
        aria-label={`Send me ${title} monthly`}
        checked={enabled}
        disabled={!schedules || schedule.pending}
        onCheckedChange={(checked) => schedule({ kind, enabled: checked })}
      />
    </div>
  )
}
