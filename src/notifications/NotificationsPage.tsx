import { BellOff, Settings } from 'lucide-react'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { usePageKey } from '#ui/url-state.ts'
import { NotificationLine } from './NotificationLine.tsx'
import { ReadAll } from './ReadAll.tsx'

export function NotificationsPage() {
  return (
    <Page
      title="Notifications"
      description="Everything that concerns you, newest first."
      actions={
        <>
          <ReadAll />
          <ButtonLink to={`${paths.settings}#notifications`} icon={Settings}>
            Email preferences
          </ButtonLink>
        </>
      }
    >
      <Card flush>
        <List />
      </Card>
    </Page>
  )
}

function List() {
  const { after } = usePageKey()
  const found = useRead(api.notifications.list, { after, limit: 20 }, { keep: true })
  if (!found) {
    return (
      <div aria-busy className="flex flex-col gap-4 p-4">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-14 w-full" />
        ))}
      </div>
    )
  }
  if (found.notifications.length === 0) {
    return (
      <Empty icon={<BellOff aria-hidden />} title="Nothing yet">
        News about your claims, funds and account appears here as soon as it happens.
      </Empty>
    )
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {found.notifications.map((notification) => (
          <NotificationLine key={notification.id} notification={notification} />
        ))}
      </ul>
      <Pager next={found.next} />
    </>
  )
}
