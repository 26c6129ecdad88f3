import { Building2, CircleCheck, Inbox, UserRoundCheck, UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '#api.ts'
import { paths } from '#paths.ts'
import type { PlatformWaiting } from '#system/system.contract.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { count } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

type Kind = keyof PlatformWaiting

const kinds: { kind: Kind; one: string; more: string; to: string; icon: ReactNode }[] = [
  {
    kind: 'companies',
    one: 'company to activate',
    more: 'companies to activate',
    to: `${paths.companies}?status=pending`,
    icon: <Building2 aria-hidden />,
  },
  {
    kind: 'people',
    one: 'person to approve',
    more: 'people to approve',
    to: `${paths.users}?status=pending`,
    icon: <UserRoundCheck aria-hidden />,
  },
  {
    kind: 'inquiries',
    one: 'inquiry to answer',
    more: 'inquiries to answer',
    to: `${paths.inquiries}?state=open`,
    icon: <Inbox aria-hidden />,
  },
  {
    kind: 'erasures',
    one: 'erasure request to decide',
    more: 'erasure requests to decide',
    to: paths.erasures,
    icon: <UserRoundX aria-hidden />,
  },
]

const iconLook =
  'grid size-8 shrink-0 place-items-center rounded-control bg-accent-wash text-accent-ink *:size-4'
const look =
  'flex min-h-12 items-center gap-3 rounded-control px-2 py-1.5 transition-colors hover:bg-sunken'

/** What nobody but the provider's staff can do, each leading to where it is done. */
export function WaitingForYou() {
  const waiting = useRead(api.system.waiting, {})
  const some = kinds.filter(({ kind }) => waiting && waiting[kind].count > 0)
  return (
    <Card title="Waiting for you">
      {!waiting ? (
        <Skeleton className="h-12 w-full" />
      ) : some.length === 0 ? (
        <p className="flex h-12 items-center gap-2.5 text-sm text-soft">
          <CircleCheck className="size-5 text-good-ink" aria-hidden />
          Nothing waits for you.
        </p>
      ) : (
        <ul className="-mx-2 grid gap-x-4 sm:grid-cols-2 xl:grid-cols-4">
          {some.map(({ kind, one, more, to, icon }) => {
            const { count: number, since } = waiting[kind]
            return (
              <li key={kind}>
                <Link to={to} className={look}>
                  <span className={iconLook}>{icon}</span>
                  <span className="min-w-0">
                    <span className="block text-sm font-medium">
                      {`${count(number)} ${number === 1 ? one : more}`}
                    </span>
                    {since && (
                      <span className="block text-ui text-soft">
                        {number === 1 ? 'since ' : 'the first since '}
                        <DateText value={since} />
                      </span>
                    )}
                  </span>
                </Link>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
