import { CalendarClock, FileBarChart, Files, LoaderCircle } from 'lucide-react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { StatCard, Stats } from '#ui/Card.tsx'
import { count } from '#ui/figures.ts'
import { Page } from '#ui/Page.tsx'
import { useUrlState } from '#ui/url-state.ts'
import { GenerateReport } from './GenerateReport.tsx'
import { QuickReports } from './QuickReports.tsx'
import { ReportKind } from './reports.contract.ts'
import { ReportList } from './ReportList.tsx'

export function ReportsPage() {
  const summary = useRead(lazy_api.reports.summary, {})
  // An open form stands in the address, so that the dashboard's quick action can lead right to it.
  const [generate, ask] = useUrlState('generate')
  const kind = ReportKind.safeParse(generate).data
  return (
    <Page title="Reports">
      <Stats>
        <StatCard
          label="Total reports"
          value={summary && count(summary.total)}
          icon={<Files aria-hidden />}
        />
        <StatCard
          label="Generated this month"
          value={summary && count(summary.this_month)}
          icon={<FileBarChart aria-hidden />}
        />
        <StatCard
          label="In progress"
          value={summary && count(summary.under_way)}
          icon={<LoaderCircle aria-hidden />}
        />
        <StatCard
          label="Sent to you monthly"
          value={summary && count(summary.scheduled)}
          icon={<CalendarClock aria-hidden />}
        />
      </Stats>
      <QuickReports onGenerate={ask} />
      <ReportList />
      <GenerateReport kind={kind} onClose={() => ask('')} />
    </Page>
  )
}
