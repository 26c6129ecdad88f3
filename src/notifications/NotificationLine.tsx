import { clsx } from 'clsx'
import { FileText, HeartPulse, UserRound, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { writingOf } from '#lib/writing.ts'
import { useWrite } from '#ui/ask.ts'
import { DateText } from '#ui/DateText.tsx'
import type { Notification } from './notifications.contract.ts'
import { inWords } from './words.contract.ts'

const icons: Record<Notification['kind'], ReactNode> = {
  claims: <FileText aria-hidden />,
  funds: <Wallet aria-hidden />,
  health: <HeartPulse aria-hidden />,
  account: <UserRound aria-hidden />,
}

const on_screen = writingOf(undefined)

type Props = { notification: Notification; onGo?: () => void }

/** A link to what the notice is about; following it marks the notice as read. */
export function NotificationLine({ notification, onGo }: Props) {
  const { id, kind, path, at, read_at, done } = notification
  const is_read = read_at !== null || done
  const { title, sentence } = inWords(notification, on_screen)
  const read = useWrite(api.notifications.read)
  const go = () => {
    if (!read_at) read({ id })
    onGo?.()
  }
  return (
    <li>
      <Link
        to={path}
        onClick={go}
        className="flex gap-3 px-4 py-3 text-sm -outline-offset-2 hover:bg-sunken"
      >
        <span
          className={clsx(
            'mt-0.5 grid size-8 shrink-0 place-items-center rounded-full *:size-4',
            is_read ? 'bg-sunken text-faint' : 'bg-primary-wash text-primary-ink',
          )}
        >
          {icons[kind]}
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-3">
            <span className={clsx('wrap-anywhere', is_read ? 'text-soft' : 'font-medium')}>
              {title}
              {!is_read && <span className="sr-only"> (unread)</span>}
              {done && ' (done)'}
            </span>
            <span className="shrink-0 text-xs text-faint">
              <DateText value={at} show="ago" />
            </span>
          </span>
          {sentence && (
            <span className="mt-0.5 block text-ui wrap-anywhere text-soft">{sentence}</span>
          )}
        </span>
        {!is_read && (
          <span className="mt-2 size-2 shrink-0 rounded-full bg-primary" aria-hidden="true" />
        )}
      </Link>
    </li>
  )
}
