import { UserRound } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function DependentsPage() {
  return (
    <Page title="Dependents">
      <Card>
        <Empty icon={<UserRound aria-hidden />} title="No dependents added yet">
          Here you will register the family members that your Solidarity fund covers.
        </Empty>
      </Card>
    </Page>
  )
}
