import type { ReactNode } from 'react'
import { z } from 'zod'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from './ProvenForm.tsx'

const Nothing = z.object({})

type Props = {
  /** The name under which the form keeps its draft. */
  name: string
  open?: boolean
  onClose: () => void
  title: string
  description?: string
  /** The label of the button, such as 'Remove', and its label while it works. */
  does: string
  waiting: string
  /** Why there is nothing left to do, if something changed while the dialog was open. */
  moot?: string | undefined
  /** The facts are still loading: nobody says yes to what they can't see. */
  loading?: boolean
  act: () => Promise<unknown>
  /** Facts to know before acting, above the password. */
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
        <FormButtons onCancel={onClose} waiting={waiting} loading={loading}>
          {does}
        </FormButtons>
      </ProvenForm>
    </Dialog>
  )
}
