import { FileText } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function ClaimsPage() {
  return (
    <Page title="Claims">
      <Card>
        <Empty icon={<FileText aria-hidden />} title="No claims to review">
          The claims of your people will arrive here, oldest first, to approve or to reject.
        </Empty>
      </Card>
    </Page>
  )
}
