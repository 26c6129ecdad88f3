import { clsx } from 'clsx'
import { BellOff } from 'lucide-react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { paths } from '#paths.ts'
import { NotificationLine } from './NotificationLine.tsx'
import { ReadAll } from './ReadAll.tsx'

const headStyles = 'flex h-12 shrink-0 items-center justify-between gap-3 border-b border-line px-4'
const allStyles = clsx(
  'shrink-0 border-t border-line px-4 py-3 text-center text-sm font-medium text-primary-ink',
  '-outline-offset-2 hover:bg-sunken',
)

/** The newest few, in the panel under the bell. */
export function Latest({ onGo }: { onGo: () => void }) {
  const found = useRead(api.notifications.list, { limit: 8 })
  return (
    <>
      <header className={headStyles}>
        <h2 className="text-sm font-semibold">Notifications</h2>
        <ReadAll />
      </header>
      <div className="relative min-h-0 flex-1 overflow-y-auto" aria-busy={!found}>
        {!found && <Skeleton className="m-4 h-24" />}
        {found?.notifications.length === 0 && (
          <Empty icon={<BellOff aria-hidden />} title="Nothing yet">
            News about your claims, funds and account appears here.
          </Empty>
        )}
        <ul className="divide-y divide-line">
          {found?.notifications.map((notification) => (
            <NotificationLine key={notification.id} notification={notification} onGo={onGo} />
          ))}
        </ul>
      </div>
      <Link to={paths.notifications} onClick={onGo} className={allStyles}>
        See all notifications
      </Link>
    </>
  )
}
