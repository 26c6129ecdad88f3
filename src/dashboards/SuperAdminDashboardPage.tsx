import { LayoutDashboard } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function SuperAdminDashboardPage() {
  return (
    <Page title="Dashboard">
      <Card>
        <Empty icon={<LayoutDashboard aria-hidden />} title="Nothing to sum up yet">
          This page will show companies, employees, funds managed and their utilization, the newest
          companies and the health of the system.
        </Empty>
      </Card>
    </Page>
  )
}
