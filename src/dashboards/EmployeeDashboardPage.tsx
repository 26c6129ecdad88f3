import { Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#paths.ts'
import { UnfinishedClaim } from '#shared/unfinished-claim.tsx'
import { useActor } from '#ui/actor.ts'
import { Button } from '#ui/Button.tsx'
import { Page } from '#ui/Page.tsx'
import { BalanceCards } from './BalanceCards.tsx'
import { LastDay } from './LastDay.tsx'
import { HealthReminder } from './HealthReminder.tsx'
import { MyFamily } from './MyFamily.tsx'
import { NeedsYou } from './NeedsYou.tsx'
import { RightsWait } from './RightsWait.tsx'
import { MyRecentClaims } from './RecentClaims.tsx'

export function EmployeeDashboardPage() {
  const { role, only_waits } = useActor()
  if (only_waits) {
    return (
      <Page title="Dashboard">
        <RightsWait />
        <NeedsYou />
      </Page>
    )
  }
  return (
    <Page title={role === 'employee' ? 'Dashboard' : 'My Fund'} actions={<SubmitClaim />}>
      <RightsWait />
      <LastDay />
      <UnfinishedClaim />
      <NeedsYou />
      <BalanceCards />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <MyRecentClaims />
        <div className="flex flex-col gap-6">
          <HealthReminder />
          <MyFamily />
        </div>
      </div>
    </Page>
  )
}

function SubmitClaim() {
  const navigate = useNavigate()
  return (
    <Button variant="primary" icon={Plus} onClick={() => void navigate(`${paths.my_claims}?new`)}>
      Submit New Claim
    </Button>
  )
}
