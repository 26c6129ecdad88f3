import type { ReactNode } from 'react'
import { z } from 'zod'
import { confirmPassword } from '#api/api.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'

const Own = z.object(own_password)

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
  act: () => Promise<unknown>
  /** Facts to know before, above the password. */
  children?: ReactNode
}

/** Asks before an act that an open screen alone must not do: with the password once more. */
export function PasswordDialog(props: Props) {
  const { name, open = true, onClose, title, description, does, waiting, moot, act } = props
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      {...(description ? { description } : {})}
      moot={moot}
    >
      <Form
        name={name}
        shape={Own}
        onSubmit={async ({ password }) => {
          await confirmPassword(password)
          await act()
          onClose()
        }}
      >
        {props.children}
        <OwnPassword />
        <div className="flex justify-end gap-2">
          <CancelButton onClick={onClose} />
          <SubmitButton waiting={waiting}>{does}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
