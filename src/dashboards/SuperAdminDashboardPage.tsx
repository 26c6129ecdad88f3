import { Card } from '#ui/Card.tsx'
import { Page } from '#ui/Page.tsx'
import { HealthPanel } from './HealthPanel.tsx'
import { MoneyByCurrency } from './MoneyByCurrency.tsx'
import { NeedsYou } from './NeedsYou.tsx'
import { PlatformCards } from './PlatformCards.tsx'
import { QuickActions } from './QuickActions.tsx'
import { RecentCompanies } from './RecentCompanies.tsx'

export function SuperAdminDashboardPage() {
  return (
    <Page title="Dashboard">
      <NeedsYou />
      <PlatformCards />
      <MoneyByCurrency />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <RecentCompanies />
        <Card title="Quick actions">
          <QuickActions />
        </Card>
      </div>
      <HealthPanel />
    </Page>
  )
}
