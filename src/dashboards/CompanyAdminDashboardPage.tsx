import { LayoutDashboard } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function CompanyAdminDashboardPage() {
  return (
    <Page title="Dashboard">
      <Card>
        <Empty icon={<LayoutDashboard aria-hidden />} title="Nothing to sum up yet">
          This page will show your employees, the fund and its utilization by category, and the
          claims that wait for you.
        </Empty>
      </Card>
    </Page>
  )
}
