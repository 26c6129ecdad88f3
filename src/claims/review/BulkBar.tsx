import { clsx } from 'clsx'
import { Check, X } from 'lucide-react'
import { useRef, useState, type RefObject } from 'react'
import { api } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { showFailure } from '#ui/failure.ts'
import { count, counted, money } from '#ui/figures.ts'
import { undo_shown_ms, useLate } from '#ui/toast.ts'
import { leftToApprove } from './ceiling.ts'
import { AskMany, RejectMany } from './DecideMany.tsx'
import { shortRefusal } from './refused.ts'
import { most_at_once, type BulkOutcome, type QueuedClaim } from './review.contract.ts'

type BulkAct = 'approve' | 'reject' | 'ask'
type BulkRefusal = 'approve_many' | 'reject' | 'ask'
type BulkResult = BulkOutcome & { act: BulkAct }
type Props = { chosen: readonly QueuedClaim[]; onClear: () => void }

/** The acts on the selected claims; each one takes those for which it is allowed. */
export function BulkBar({ chosen, onClear }: Props) {
  const [dialog, setDialog] = useState<'reject' | 'ask'>()
  const [result, setResult] = useState<BulkResult>()
  // Counted when it was sent: by the time of the answer, decided claims have left the list.
  const left = useRef(0)
  const writes = useWrites(left)
  const taken = (act: BulkRefusal) => {
    const claims = chosenFor(chosen, act)
    left.current = chosen.length - claims.length
    return claims
  }
  const send = async (act: BulkAct, sent: Promise<BulkOutcome>) => {
    const done = await sent
    setDialog(undefined)
    onClear()
    if (done.refused.length > 0) setResult({ act, ...done })
  }
  return (
    <>
      {chosen.length > 0 && (
        <Bar
          chosen={chosen}
          pending={writes.approve.pending}
          onApprove={() =>
            void send('approve', writes.approve.submit({ claims: taken('approve_many') })).catch(
              showFailure,
            )
          }
          onOpen={setDialog}
          onClear={onClear}
        />
      )}
      {dialog === 'reject' && (
        <RejectMany
          claims={chosenFor(chosen, 'reject')}
          onClose={() => setDialog(undefined)}
          send={(input) =>
            send('reject', writes.reject.submit({ ...input, claims: taken('reject') }))
          }
        />
      )}
      {dialog === 'ask' && (
        <AskMany
          claims={chosenFor(chosen, 'ask')}
          onClose={() => setDialog(undefined)}
          send={(input) => send('ask', writes.ask.submit({ ...input, claims: taken('ask') }))}
        />
      )}
      {result && (
        <Outcome
          result={result}
          onUndo={() => writes.undo(result)}
          onClose={() => setResult(undefined)}
        />
      )}
    </>
  )
}

type BarProps = Props & {
  pending: boolean
  onApprove: () => void
  onOpen: (what: 'reject' | 'ask') => void
}

function Bar({ chosen, pending, onApprove, onOpen, onClear }: BarProps) {
  const approvable = allowed(chosen, 'approve_many')
  const left = chosen.filter((claim) => !approvable.includes(claim))
  return (
    <div data-foot-bar className={placeStyles}>
      <section aria-label="Selected claims" className={barStyles}>
        <p aria-live="polite" className="figures text-sm max-sm:basis-full max-sm:pr-10">
          <span className="font-medium">{count(chosen.length)} selected</span>
          <span className="text-soft">
            {left.length === 0 || approvable.length === 0
              ? `, ${sumOf(chosen)}`
              : `, ${count(approvable.length)} to approve: ${sumOf(approvable)}`}
          </span>
          {left.length > 0 && (
            <span className="block text-ui text-soft">{`Not approved here: ${namedClaims(left)}`}</span>
          )}
        </p>
        {approvable.length > 0 && (
          <Button variant="primary" loading={pending} icon={Check} onClick={onApprove}>
            {`Approve ${count(approvable.length)}`}
          </Button>
        )}
        <Button onClick={() => onOpen('ask')}>Ask</Button>
        <Button onClick={() => onOpen('reject')}>Reject</Button>
        <IconButton
          label="Clear selection"
          className="max-sm:absolute max-sm:top-1.5 max-sm:right-1.5"
          icon={X}
          onClick={onClear}
        />
      </section>
    </div>
  )
}

const sumOf = (claims: readonly QueuedClaim[]) =>
  money(
    claims.reduce((total, claim) => total + leftToApprove(claim), 0),
    claims[0]?.currency ?? 'EUR',
  )

const named_max = 3

/** Up to three claims for each reason, and the reason once. */
const namedClaims = (left: readonly QueuedClaim[]) =>
  [...Map.groupBy(left, ({ refusals }) => refusals.approve_many)]
    .map(([why, claims]) => {
      const more = claims.length - named_max
      const ids = claims.slice(0, named_max).map(({ id }) => `#${id}`)
      const text = ids.join(', ') + (more > 0 ? ` and ${count(more)} more` : '')
      return `${text} (${why ? shortRefusal(why).toLowerCase() : 'too many at once'})`
    })
    .join(', ')

const allowed = (chosen: readonly QueuedClaim[], act: BulkRefusal) =>
  chosen.filter(({ refusals }) => refusals[act] === null).slice(0, most_at_once)

const chosenFor = (...input: Parameters<typeof allowed>) =>
  allowed(...input).map(({ id, version }) => ({ id, version }))

function useWrites(left: RefObject<number>) {
  const undone = useWrite(api.review.undo_many, undoneSentence)
  const undo = ({ done }: BulkOutcome) => undone({ claims: done.map((id) => ({ id })) })
  // A toast if all were done; with refusals the list of those says everything.
  const doneText = (act: BulkAct) => (each: BulkOutcome) => {
    if (each.refused.length > 0) return undefined
    const some = left.current > 0 ? `, ${count(left.current)} left as they were` : ''
    return doneSentence(act, each.done) + some
  }
  const undoable = (each: BulkOutcome) => () => undo(each)
  return {
    undo,
    approve: useWrite(api.review.approve_many, doneText('approve'), undoable),
    reject: useWrite(api.review.reject_many, doneText('reject'), undoable),
    ask: useWrite(api.review.ask_many, doneText('ask'), undoable),
  }
}

/** The bar lies over the list, beside the menu and never beyond the page's edges. */
const placeStyles = clsx(
  'pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-4 sm:px-6',
  'lg:left-(--sidebar) lg:px-10',
)

const barStyles = clsx(
  'pointer-events-auto relative flex max-w-full animate-rise flex-wrap items-center gap-3',
  'rounded-card bg-raised py-2 pr-2 pl-4 shadow-raised',
)

const doneSentence = (act: BulkAct, done: number[]) => {
  const claims = done.length === 1 ? `claim #${done[0]}` : `${count(done.length)} claims`
  if (act === 'ask') return `Asked about ${claims}`
  const past = act === 'approve' ? 'approved' : 'rejected'
  return `${claims.charAt(0).toUpperCase()}${claims.slice(1)} ${past}`
}

const undoneSentence = ({ done, refused }: BulkOutcome) =>
  `Undone for ${counted(done.length, 'claim')}` +
  (refused.length > 0 ? `. It was too late for ${count(refused.length)}` : '')

type OutcomeProps = { result: BulkResult; onUndo: () => void; onClose: () => void }

/** The claims that were left, and why; the others can be undone here for as long as in a toast. */
function Outcome({ result: { act, done, refused }, onUndo, onClose }: OutcomeProps) {
  const late = useLate(undo_shown_ms)
  return (
    <Dialog
      open
      onClose={onClose}
      title={done.length > 0 ? doneSentence(act, done) : 'Nothing was changed'}
      description="These were left as they are:"
      actions={
        <>
          {/* First in the DOM, so that it has the focus. */}
          <Button variant="primary" className="order-last" onClick={onClose}>
            OK
          </Button>
          {done.length > 0 && !late && (
            <Button
              onClick={() => {
                onUndo()
                onClose()
              }}
            >
              Undo
            </Button>
          )}
        </>
      }
    >
      <ul className="divide-y divide-line text-sm">
        {refused.map(({ id, sentence }) => (
          <li key={id} className="flex gap-4 py-2">
            <span className="figures w-16 shrink-0 font-medium">#{id}</span>
            <span className="min-w-0 text-soft">{sentence}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
