import { clsx } from 'clsx'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { showFailure } from '#ui/failure.ts'
import { count, money } from '#ui/Money.tsx'
import { undo_shown_ms, useLate } from '#ui/toast.ts'
import type { Queued } from './queue.ts'

/** As many as one act takes. */
export const most_at_once = 100

type Props = { chosen: readonly Queued[]; onClear: () => void }
type Result = { approved: number[]; refused: { id: number; sentence: string }[] }

export function BulkBar({ chosen, onClear }: Props) {
  const undo = useWrite(api.review.undo_many, undoneSentence)
  const undoAll = ({ approved }: Result) => undo({ claims: approved.map((id) => ({ id })) })
  const approve = useWrite(
    api.review.approve_many,
    // Where some were left, one place says all of it: a toast would lie over the dialog's own button.
    ({ approved, refused }) => (refused.length > 0 ? undefined : approvedSentence(approved)),
    (done) => () => undoAll(done),
  )
  const [result, setResult] = useState<Result>()
  const sum = chosen.reduce((total, { amount_cents }) => total + amount_cents, 0)
  const send = async () => {
    try {
      const claims = chosen.slice(0, most_at_once).map(({ id, version }) => ({ id, version }))
      const done = await approve.submit({ claims })
      onClear()
      if (done.refused.length > 0) setResult(done)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <>
      {chosen.length > 0 && (
        <div className="pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-4">
          <section aria-label="Selected claims" className={barLook}>
            <p aria-live="polite" className="figures text-sm">
              <span className="font-medium">{count(chosen.length)} selected</span>
              <span className="text-soft">, {money(sum, chosen[0]?.currency ?? 'EUR')}</span>
            </p>
            <Button
              variant="primary"
              loading={approve.pending}
              icon={<Check className="size-4" aria-hidden />}
              onClick={() => void send()}
            >
              {`Approve ${count(Math.min(chosen.length, most_at_once))}`}
            </Button>
            <IconButton
              label="Clear selection"
              icon={<X className="size-4" aria-hidden />}
              onClick={onClear}
            />
          </section>
        </div>
      )}
      {result && (
        <Outcome
          result={result}
          onUndo={() => undoAll(result)}
          onClose={() => setResult(undefined)}
        />
      )}
    </>
  )
}

const barLook = clsx(
  'pointer-events-auto flex max-w-full animate-rise flex-wrap items-center gap-3',
  'rounded-card bg-raised py-2 pr-2 pl-4 shadow-raised',
)

const approvedSentence = (approved: number[]) =>
  approved.length === 1
    ? `Claim #${approved[0]} approved`
    : `${count(approved.length)} claims approved`

const undoneSentence = ({ undone, refused }: { undone: number[]; refused: unknown[] }) =>
  refused.length > 0
    ? `${count(undone.length)} decisions undone. It was too late for ${count(refused.length)}`
    : `${count(undone.length)} decisions undone`

type OutcomeProps = { result: Result; onUndo: () => void; onClose: () => void }

/** Which were not approved, and why; those that were can be undone here as long as in a toast. */
function Outcome({ result: { approved, refused }, onUndo, onClose }: OutcomeProps) {
  const late = useLate(undo_shown_ms)
  return (
    <Dialog
      open
      onClose={onClose}
      title={approved.length > 0 ? approvedSentence(approved) : 'None could be approved this way'}
      description="These were left as they are:"
      actions={
        <>
          {/* First, so that it has the focus. */}
          <Button variant="primary" className="order-last" onClick={onClose}>
            OK
          </Button>
          {approved.length > 0 && !late && (
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
