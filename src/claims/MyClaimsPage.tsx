import { Receipt } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function MyClaimsPage() {
  return (
    <Page title="My Claims">
      <Card>
        <Empty icon={<Receipt aria-hidden />} title="No claims yet">
          Here you will hand in a receipt, and see of each claim where it stands and who has it.
        </Empty>
      </Card>
    </Page>
  )
}
