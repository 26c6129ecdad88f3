import { Settings } from 'lucide-react'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'

export function SettingsPage() {
  return (
    <Page title="Settings">
      <Card>
        <Empty icon={<Settings aria-hidden />} title="Nothing to set yet">
          Your profile, your notifications and the security of your account will be here. The theme
          is in the menu behind your initials.
        </Empty>
      </Card>
    </Page>
  )
}
