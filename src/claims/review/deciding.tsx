import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { api } from '#api/api.ts'
import { Problem } from '#problems.ts'
import { Failure, showFailure } from '#ui/failure.ts'
import { DecisionDialog } from './DecisionDialog.tsx'
import type { DecisionKind, Decidable, Decide } from './DecisionFields.tsx'
import { eventNames } from '#claims/labels.ts'
import { approvedSentence } from './assigned-to.ts'
import { isDoubtful } from './review.contract.ts'
import { useDecision } from './undoing.ts'

const none: ReadonlySet<number> = new Set()

type DecisionDialogs = { decide: Decide; dialogs: ReactNode }

/** `after` answers where to go next. It is asked before the decision, as the decided claim leaves the queue. */
export function useDeciding(after: (id: number) => () => void): DecisionDialogs {
  const approval = useDecision(api.review.approve, approvedSentence)
  const [open, setOpen] = useState<{ what: DecisionKind; claim: Decidable }>()
  const decided = useRef(new Set<number>())
  const latest = useRef(after)
  useEffect(() => {
    latest.current = after
  })
  const [sent, setSent] = useState<ReadonlySet<number>>(none)
  const { submit } = approval
  const decide = useMemo((): Decide => {
    const send: Decide['send'] = async ({ id }, act, stays = false) => {
      decided.current.add(id)
      const moveOn = latest.current(id)
      setSent((before) => new Set([...before, id]))
      try {
        await act()
        if (!stays) moveOn()
      } catch (error) {
        decided.current.delete(id)
        throw await whoWasFirst(id, error)
      } finally {
        setSent((before) => new Set([...before].filter((other) => other !== id)))
      }
    }
    return {
      send,
      approve(claim) {
        if (sent.has(claim.id)) return
        if (isDoubtful(claim.suspicion ?? 0)) setOpen({ what: 'doubt', claim })
        else {
          send(claim, () => submit({ id: claim.id, version: claim.version })).catch(showFailure)
        }
      },
      ask: (what, claim) => setOpen({ what, claim }),
      decidedHere: (id) => decided.current.has(id),
      isSending: (id) => sent.has(id),
    }
  }, [submit, sent])
  const dialogs = open && (
    <DecisionDialog
      key={`${open.what} ${open.claim.id}`}
      what={open.what}
      claim={open.claim}
      decide={decide}
      onClose={() => setOpen(undefined)}
    />
  )
  return { decide, dialogs }
}

/** The second of two who decide at the same moment reads who was first, and what they did. */
async function whoWasFirst(id: number, error: unknown): Promise<unknown> {
  if (!(error instanceof Problem) || error.code === 'invalid_input') return error
  try {
    const { events } = await api.review.find({ id })
    const last = events.findLast(({ undone_at }) => undone_at === null)
    const just_now = last && Date.now() - Date.parse(last.at) < 10 * 60_000
    if (just_now && last.event !== 'submitted') {
      const who = last.by_name ? ` by ${last.by_name}` : ''
      const what = eventNames[last.event].toLowerCase()
      return new Failure(`Claim #${id}: ${what}${who} a moment ago`, 'notice')
    }
  } catch {
    // The act's own refusal will do.
  }
  return error
}
