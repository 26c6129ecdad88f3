import { useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Callout } from './Callout.tsx'
import { Dialog } from './Dialog.tsx'
import { onceOnline, sentenceOf, showFailure } from './failure.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  /** The label of the button that acts: 'Suspend'. */
  does: string
  keep?: string
  variant?: 'danger' | 'primary'
  /** Why there is nothing left to confirm, if something changed while it was open. */
  moot?: string | undefined
  act: () => Promise<unknown>
  /** Called when it is done; the dialog is closed by then. */
  onDone?: (() => void) | undefined
  children?: ReactNode
}

/** Asks before an act. It stays until the act is done, so a failure can be tried again. */
export function ConfirmDialog(props: Props) {
  const { onClose, does, keep = 'Cancel', variant = 'danger', moot, act, onDone } = props
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [was_open, setWasOpen] = useState(props.open)
  if (props.open !== was_open) {
    setWasOpen(props.open)
    // A dialog may ask about something else now.
    setFault(undefined)
  }
  const confirm = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      await act()
      onClose()
      onDone?.()
    } catch (error) {
      showFailure(error)
      setFault(sentenceOf(error))
      onceOnline(() => setFault(undefined))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={props.open}
      onClose={onClose}
      title={props.title}
      {...(props.description ? { description: props.description } : {})}
      // A change that this very act made is no news.
      moot={busy ? undefined : moot}
      actions={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button variant={variant} loading={busy} onClick={() => void confirm()}>
            {does}
          </Button>
        </>
      }
    >
      {fault && (
        <div className="mb-4 last:mb-0">
          <Callout tone="bad" quiet>
            {fault}
          </Callout>
        </div>
      )}
      {props.children}
    </Dialog>
  )
}
