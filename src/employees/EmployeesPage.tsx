import { Users } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function EmployeesPage() {
  return (
    <Page title="Employees">
      <Card>
        <Empty icon={<Users aria-hidden />} title="No employees to show yet">
          Here you will add your people one by one, from a CSV file, or by their email domain, and
          see their balances.
        </Empty>
      </Card>
    </Page>
  )
}
