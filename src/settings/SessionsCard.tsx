import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { SessionLine } from './settings.contract.ts'

/** The devices on which one is signed in. Ending a session counts at once, not when its token runs out. */
export function SessionsCard() {
  const sessions = useRead(lazy_api.settings.sessions, {})
  const [confirming, setConfirming] = useState(false)
  const endOthers = useWrite(lazy_api.settings.end_other_sessions, ({ ended }) =>
    ended === 1 ? 'One other session has ended' : `${ended} other sessions have ended`,
  )
  const others = (sessions?.length ?? 0) > 1
  return (
    <Card
      title="Sessions"
      description="Where you are signed in. Sign out devices you don’t recognise."
      flush
      actions={
        others && (
          <Button size="small" loading={endOthers.pending} onClick={() => setConfirming(true)}>
            Sign out all others
          </Button>
        )
      }
    >
      <ul aria-busy={!sessions} className="divide-y divide-line">
        {sessions?.map((session) => <SessionRow key={session.id} session={session} />) ?? (
          <li className="p-5">
            <Skeleton className="h-10 w-full" />
          </li>
        )}
      </ul>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title="Sign out all other devices?"
        description="Every other browser and phone is signed out at once. This one stays signed in."
        does="Sign out all others"
        act={() => endOthers.submit({})}
      />
    </Card>
  )
}

function SessionRow({ session }: { session: SessionLine }) {
  const { id, device, address, created_at, used_at, here } = session
  const end = useWrite(lazy_api.settings.end_session, 'That session has ended')
  const name = device ?? 'Unknown device'
  const Icon = /iPhone|Android/.test(name) ? Smartphone : Laptop
  return (
    <li className="flex items-center gap-4 px-5 py-3.5">
      <Icon className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          {here && <Badge tone="good">This session</Badge>}
        </p>
        <p className="mt-0.5 text-ui wrap-anywhere text-soft">
          {address || 'Address unknown'} ·{' '}
          {here ? (
            'in use now'
          ) : (
            <>
              last used <DateText value={used_at} show="ago" />
            </>
          )}{' '}
          · since <DateText value={created_at} show="moment" />
        </p>
      </div>
      {!here && (
        <Button
          size="small"
          aria-label={`End the session of ${name}`}
          loading={end.pending}
          onClick={() => end({ id })}
        >
          End
        </Button>
      )}
    </li>
  )
}
