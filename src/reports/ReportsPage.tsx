import { BarChart3 } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function ReportsPage() {
  return (
    <Page title="Reports">
      <Card>
        <Empty icon={<BarChart3 aria-hidden />} title="No reports yet">
          Here you will make fund allocation summaries, claims activity, company performance and
          utilization trends, and download them.
        </Empty>
      </Card>
    </Page>
  )
}
