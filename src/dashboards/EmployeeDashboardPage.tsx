import { LayoutDashboard } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function EmployeeDashboardPage() {
  return (
    <Page title="Dashboard">
      <Card>
        <Empty icon={<LayoutDashboard aria-hidden />} title="Nothing to sum up yet">
          This page will show what you have left for Prevention, Treatment and Solidarity, your
          recent claims and your dependents.
        </Empty>
      </Card>
    </Page>
  )
}
