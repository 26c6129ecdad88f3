import { clsx } from 'clsx'
import { CalendarX2, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api } from '#api/api.ts'
import { CoverStateStatus, RelationshipBadge } from '#shared/cover-states.tsx'
import { EndCover } from '#shared/EndCover.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { initialsOf } from '#ui/initials.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EditDependent } from './DependentForm.tsx'
import {
  isCurrent,
  type Dependent,
  type DependentEvent,
  type Family,
} from './dependents.contract.ts'

type Props = { family: Family; dependent: Dependent | undefined; onClose: () => void }

/** One dependent: facts to change, acts, and the history of cover. */
export function DependentSheet({ family, dependent, onClose }: Props) {
  return (
    <Sheet
      open={dependent !== undefined}
      onClose={onClose}
      title={dependent?.full_name ?? 'Dependent'}
    >
      {dependent && (
        <div className="flex flex-col gap-6">
          <Head family={family} dependent={dependent} />
          {dependent.decline_reason && (
            <Callout tone="accent" title="HR declined this">
              {dependent.decline_reason}
            </Callout>
          )}
          {isCurrent(dependent) && (
            <EditDependent
              key={dependent.id}
              family={family}
              dependent={dependent}
              onDone={onClose}
            />
          )}
          <DependentActions family={family} dependent={dependent} onDone={onClose} />
          <History dependent={dependent} />
        </div>
      )}
    </Sheet>
  )
}

type HeadProps = { family: Family; dependent: Dependent }

function Head({ family: { left_on }, dependent }: HeadProps) {
  const { full_name, relationship, cover_state, covered_from, covered_until } = dependent
  const ended = cover_state === 'ended'
  // Employment that ends before cover begins.
  const began = covered_until === null || covered_from <= covered_until
  const last = began && (ended || isCurrent(dependent)) ? covered_until : null
  return (
    <div className="flex items-start gap-3">
      <Avatar large initials={initialsOf(full_name)} />
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap gap-2">
          <RelationshipBadge relationship={relationship} />
          <CoverStateStatus dependent={dependent} />
        </p>
        <p className="mt-2 text-soft">
          {cover_state === 'requested' && 'To be covered from '}
          {!isCurrent(dependent) &&
            (ended && began ? 'Was covered' : 'Was to be covered') + ' from '}
          {isCurrent(dependent) && cover_state !== 'requested' && 'Covered from '}
          <DateText value={covered_from} />
          {last && (
            <>
              {' '}
              to <DateText value={last} />
              {reasonOf(dependent, left_on)}
            </>
          )}
        </p>
      </div>
    </div>
  )
}

/** The reason for an end that nobody set. */
function reasonOf({ covered_until, covered_to, ages_out_on }: Dependent, left_on: string | null) {
  if (covered_until === covered_to) return null
  return covered_until === ages_out_on
    ? ', by age'
    : covered_until === left_on && ', your last day at the company'
}

type DependentActionsProps = { family: Family; dependent: Dependent; onDone: () => void }

function DependentActions({ family, dependent, onDone }: DependentActionsProps) {
  const { id, full_name, cover_state, covered_from, covered_to, refusals } = dependent
  const [ending, setEnding] = useState(false)
  const resume = useWrite(api.dependents.resume, `${full_name} stays covered`)
  const withdraw = useWrite(api.dependents.withdraw, 'Withdrawn: nothing was covered')
  const buttons: ReactNode[] = []
  if (!covered_to && refusals.end === null) {
    buttons.push(
      <Button key="end" icon={CalendarX2} onClick={() => setEnding(true)}>
        End cover
      </Button>,
    )
  }
  if (covered_to && refusals.resume === null) {
    buttons.push(
      <Button key="resume" icon={Undo2} loading={resume.pending} onClick={() => resume({ id })}>
        Resume cover
      </Button>,
    )
  }
  if (refusals.withdraw === null) {
    buttons.push(
      <Button
        key="withdraw"
        icon={Undo2}
        loading={withdraw.pending}
        onClick={() => {
          withdraw({ id })
          onDone()
        }}
      >
        {cover_state === 'requested' ? 'Withdraw the request' : 'Withdraw before it begins'}
      </Button>,
    )
  }
  return (
    <div
      className={clsx(
        'flex flex-col gap-2',
        buttons.length > 0 ? 'border-t border-line pt-5' : 'hidden',
      )}
    >
      {buttons}
      <EndCover
        dependent={dependent}
        open={ending}
        onClose={() => setEnding(false)}
        onDone={onDone}
        description={what_ends}
        last_day={covered_from > family.today ? covered_from : family.today}
      />
    </div>
  )
}

const what_ends =
  'Bills up to the last day can still be claimed, later ones can’t. What was covered stays in ' +
  'your history, and you can undo this until a day after.'

const who = { person: 'you', hr: 'HR', system: '' }

const happened: Record<DependentEvent['event'], (event: DependentEvent) => string> = {
  added: ({ day }) => `Added, covered from ${day ? dateText(day) : ''}`,
  requested: () => 'Asked HR for approval',
  approved: () => 'Approved',
  declined: () => 'Declined',
  withdrawn: () => 'Withdrawn',
  changed: () => 'Details changed',
  ended: ({ day }) => `Cover ends on ${day ? dateText(day) : ''}`,
  resumed: () => 'Cover resumed',
  reminded: ({ day }) => `Reminded that cover ends by age on ${day ? dateText(day) : ''}`,
}

function History({ dependent: { id } }: { dependent: Dependent }) {
  const events = useRead(api.dependents.history, { id })
  return (
    <section aria-label="History" className="border-t border-line pt-5">
      <h3 className="text-sm font-semibold">History</h3>
      {events ? (
        <ol className="mt-3 flex flex-col gap-3">
          {events.toReversed().map((event) => (
            <li key={event.id} className="flex gap-3 text-sm">
              <span className="mt-1.5 size-1.5 shrink-0 rounded-full bg-edge" aria-hidden />
              <span>
                {happened[event.event](event)}
                <span className="block text-ui text-soft">
                  <DateText value={event.at} show="moment" />
                  {who[event.by] && ` by ${who[event.by]}`}
                </span>
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <Skeleton className="mt-3 h-12 w-full" />
      )}
    </section>
  )
}
