import type { ReactNode } from 'react'
import { z } from 'zod'
import { Dialog } from '#ui/Dialog.tsx'
import { CancelButton, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from './ProvenForm.tsx'

const Nothing = z.object({})

type Props = {
  /** Under which the form is kept, as every form’s. */
  name: string
  open?: boolean
  onClose: () => void
  title: string
  description?: string
  /** The label of the button that acts: 'Remove'; and while it does. */
  does: string
  waiting: string
  /** A change that came while it was open and leaves nothing to do. */
  moot?: string | undefined
  /** The facts are still loading: nobody says yes to what they can't see. */
  loading?: boolean
  act: () => Promise<unknown>
  /** Facts to know before, above the password. */
  children?: ReactNode
}

/** Asks before an act that an open screen alone must not do, and proves who is at it. */
export function PasswordDialog(props: Props) {
  const {
    name,
    open = true,
    onClose,
    title,
    description,
    does,
    waiting,
    moot,
    loading,
    act,
  } = props
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      {...(description ? { description } : {})}
      moot={moot}
    >
      <ProvenForm
        name={name}
        shape={Nothing}
        onSubmit={async () => {
          await act()
          onClose()
        }}
      >
        {props.children}
        <OwnPassword />
        <div className="flex justify-end gap-2">
          <CancelButton onClick={onClose} />
          <SubmitButton waiting={waiting} loading={loading}>
            {does}
          </SubmitButton>
        </div>
      </ProvenForm>
    </Dialog>
  )
}
