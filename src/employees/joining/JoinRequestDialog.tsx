import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { DecideJoinRequest, Who } from './JoinRequests.tsx'

type Props = { id: string; onClose: () => void }

/** One request to join, away from their list. */
export function JoinRequestDialog({ id, onClose }: Props) {
  const waiting = useRead(api.employees.requests, {})
  const person = waiting?.people.find((one) => one.id === id)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Request to join your company"
      description="They signed up with an address of your domain."
      moot={waiting && !person && !waiting.next ? 'This was decided a moment ago.' : undefined}
    >
      {person ? (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <Who person={person} />
          <DecideJoinRequest person={person} onDone={onClose} />
        </div>
      ) : waiting ? (
        <Link to={paths.employees} className="text-sm font-medium text-primary-ink underline">
          Open Employees
        </Link>
      ) : (
        <Skeleton className="h-12 w-full" />
      )}
    </Dialog>
  )
}
