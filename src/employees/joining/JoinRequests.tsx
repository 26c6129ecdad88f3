import { useState } from 'react'
import type { z } from 'zod'
import { api } from '#api/api.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { useMay } from '#permissions/use-may.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { count as shown } from '#ui/figures.ts'
import { initialsOf } from '#ui/initials.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { showFailure } from '#ui/failure.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { employees } from '#employees/employees.contract.ts'

type Joiner = z.infer<(typeof employees)['requests']['output']>['people'][number]
type JoinDecision = 'approved' | 'declined'
type DecidedRequest = { person: Joiner; answer: JoinDecision }

/** People who signed up with an address of the company and wait for its HR, oldest first. */
export function JoinRequests({ count }: { count: number }) {
  const waiting = useRead(api.employees.requests, {})
  // Decided requests keep their place: a second press must not meet the next person.
  const [decided, setDecided] = useState<readonly DecidedRequest[]>([])
  const done = decided.filter(({ person }) => !waiting?.people.some(({ id }) => id === person.id))
  const lines = [
    ...(waiting?.people.map((person) => ({ person, answer: undefined })) ?? []),
    ...done,
  ].toSorted((a, b) => (a.person.requested_at ?? '').localeCompare(b.person.requested_at ?? ''))
  return (
    <Card
      flush
      title="Waiting for your approval"
      description="They signed up with an address of your domain."
      actions={<Badge tone="accent">{shown(count)}</Badge>}
    >
      <ul className="divide-y divide-line">
        {waiting ? (
          lines.map(({ person, answer }) => (
            <li key={person.id} className="flex flex-wrap items-center gap-3 px-5 py-3 text-sm">
              <Who person={person} />
              {answer ? (
                <p className="text-soft">{answer === 'approved' ? 'Approved' : 'Declined'}</p>
              ) : (
                <DecideJoinRequest
                  person={person}
                  onDone={(answer) => setDecided([...decided, { person, answer }])}
                />
              )}
            </li>
          ))
        ) : (
          <li className="px-5 py-4">
            <Skeleton className="h-6 w-64" />
          </li>
        )}
      </ul>
      {waiting && count > waiting.people.length && (
        <p className="border-t border-line px-5 py-3 text-ui text-soft">
          {shown(waiting.people.length)} of {shown(count)}: the next appear as you decide.
        </p>
      )}
    </Card>
  )
}

export const Who = ({ person }: { person: Joiner }) => (
  <>
    <Avatar initials={initialsOf(person.full_name)} />
    <span className="min-w-40 flex-1">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere">{person.full_name}</span>
        {person.role === 'company_admin' && (
          <Badge tone="accent">Wants to be a Company Admin</Badge>
        )}
      </span>
      <span className="block text-ui wrap-anywhere text-soft">
        {person.email}
        {person.requested_at && (
          <>
            {' · '}
            <DateText value={person.requested_at} show="ago" />
          </>
        )}
      </span>
    </span>
  </>
)

const what_declining_does =
  'does not join, and domain auto-registration will not let them in later. You can still add them.'
const what_admins_can =
  'will be able to see every claim with its receipts, approve claims, move the company’s funds and ' +
  'release payouts. If your company has another owner, they have to confirm that first.'

type DecideProps = { person: Joiner; onDone: (answer: JoinDecision) => void }

export function DecideJoinRequest({ person, onDone }: DecideProps) {
  const { id, full_name } = person
  const [confirming, setConfirming] = useState<JoinDecision>()
  const approve = useWrite(api.employees.approve, `${full_name} approved`)
  const decline = useWrite(api.employees.decline, `${full_name}’s request declined`)
  const admin = person.role === 'company_admin'
  const may = useMay()
  const approveNow = async () => {
    await approve.submit({ id })
    onDone('approved')
  }
  if (admin && !may('rights.give'))
    return <span className="text-ui text-soft">An owner decides</span>
  return (
    <span className="flex gap-2">
      <Button
        size="small"
        variant="primary"
        unless={person.refusals.approve}
        loading={approve.pending}
        onClick={() => (admin ? setConfirming('approved') : void approveNow().catch(showFailure))}
      >
        Approve
      </Button>
      <Button
        size="small"
        unless={person.refusals.decline}
        onClick={() => setConfirming('declined')}
      >
        Decline
      </Button>
      <PasswordDialog
        name={`approve-${id}`}
        open={confirming === 'approved'}
        onClose={() => setConfirming(undefined)}
        title={`Make ${full_name} a Company Admin?`}
        description={`${person.email} ${what_admins_can}`}
        does="Make Company Admin"
        waiting="Saving..."
        act={approveNow}
      />
      <ConfirmDialog
        open={confirming === 'declined'}
        onClose={() => setConfirming(undefined)}
        title={`Decline ${full_name}?`}
        description={`${person.email} ${what_declining_does}`}
        does="Decline"
        act={async () => {
          await decline.submit({ id })
          onDone('declined')
        }}
      />
    </span>
  )
}
