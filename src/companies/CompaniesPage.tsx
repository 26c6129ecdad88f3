import { Building2 } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function CompaniesPage() {
  return (
    <Page title="Companies">
      <Card>
        <Empty icon={<Building2 aria-hidden />} title="No companies to show yet">
          This page will list every company with its status, employees, fund and utilization.
        </Empty>
      </Card>
    </Page>
  )
}
