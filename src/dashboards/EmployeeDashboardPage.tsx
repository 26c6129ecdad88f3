import { Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#paths.ts'
import { Button } from '#ui/Button.tsx'
import { Page } from '#ui/Page.tsx'
import { BalanceCards } from './BalanceCards.tsx'

export function EmployeeDashboardPage() {
  return (
    <Page title="Dashboard" actions={<QuickActs />}>
      <BalanceCards />
    </Page>
  )
}

function QuickActs() {
  const navigate = useNavigate()
  return (
    <Button
      variant="primary"
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => void navigate(`${paths.my_claims}?new`)}
    >
      Submit New Claim
    </Button>
  )
}
