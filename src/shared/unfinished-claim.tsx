// The claim that somebody began in this tab: announced, for nobody looks for it in a form that is closed.
import { lazy, Suspense, useState } from 'react'
import { receipts_api } from '#api/receipts-api.ts'
import { paths } from '#paths.ts'
import { Problem } from '#problems.ts'
import { useActor } from '#ui/actor.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { clearDraft, draftsOf } from '#ui/draft.ts'

/** Dialogs are a twentieth of what the dashboard loads, and hardly anybody has left a claim unfinished. */
const ConfirmDialog = lazy(async () => ({
  default: (await import('#ui/ConfirmDialog.tsx')).ConfirmDialog,
}))

type StartedClaim = {
  name: string
  again: string | undefined
  receipt_ids: string[]
  in_doubt: boolean
}

/** Receipts that Claim again took along are nothing that somebody did. */
function begunBy(person_id: string): StartedClaim | undefined {
  for (const { name, typed } of draftsOf(person_id)) {
    const found = /^claim(?:-again:(\d+))?$/.exec(name)
    if (!found) continue
    const again = found[1]
    const not_typed = ['attempt', ...(again ? ['receipt_ids'] : [])]
    if (Object.keys(typed).every((field) => not_typed.includes(field))) continue
    const { receipt_ids: ids } = typed
    const receipt_ids = typeof ids === 'string' ? ids.split(',').filter(Boolean) : []
    return { name, again, receipt_ids, in_doubt: Boolean(typed['attempt']) }
  }
  return undefined
}

/** Swept after a day, or sent with a claim from another tab: there is nothing left to remove. */
function unlessGone(error: unknown) {
  const is_gone = error instanceof Problem && ['not_found', 'receipt_attached'].includes(error.code)
  if (!is_gone) throw error
}

export function UnfinishedClaim() {
  const { id } = useActor()
  const remove = useWrite(receipts_api.remove)
  const [begun, setBegun] = useState(() => begunBy(id))
  const [asks, setAsks] = useState(false)
  if (!begun) return null
  const discard = async () => {
    // Receipts of a draft that is given up would wait, unseen, for a claim that never comes. A claim that did arrive keeps them.
    for (const receipt of begun.in_doubt ? [] : begun.receipt_ids)
      await remove.submit({ id: receipt }).catch(unlessGone)
    clearDraft(`${id}:${begun.name}`)
    setBegun(begunBy(id))
  }
  const again = begun.again ? `&from=${begun.again}` : ''
  return (
    <Callout
      title="You have an unfinished claim"
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="small" onClick={() => setAsks(true)}>
            Discard
          </Button>
          <ButtonLink size="small" variant="primary" to={`${paths.my_claims}?new${again}`}>
            Continue
          </ButtonLink>
        </div>
      }
    >
      {begun.in_doubt
        ? 'It may already have been submitted. Submit it again to find out: that won’t create a second claim. '
        : 'Nothing has been submitted yet. '}
      It stays in this tab until you close it or sign out.
      <Suspense>
        <ConfirmDialog
          open={asks}
          onClose={() => setAsks(false)}
          title="Discard your unfinished claim?"
          description={
            begun.in_doubt
              ? 'What you typed is removed. A claim that was submitted stays.'
              : 'What you typed and the receipts you added are removed.'
          }
          does="Discard"
          act={discard}
        />
      </Suspense>
    </Callout>
  )
}
