import { UsersRound } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function UsersPage() {
  return (
    <Page title="Users">
      <Card>
        <Empty icon={<UsersRound aria-hidden />} title="No users to show yet">
          This page will list everybody with their role, status and company, and who waits for
          approval.
        </Empty>
      </Card>
    </Page>
  )
}
