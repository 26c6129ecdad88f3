import type { ReactNode } from 'react'
import { z } from 'zod'
import { confirmPassword } from '#api/api.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Failure } from '#ui/failure.ts'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'
import { hasNoPassword, useAuth } from './context.ts'
import { isPasswordNeeded } from './factor-calls.ts'

const PasswordOnly = z.object(own_password)
const Nothing = z.object({})

const by_provider = 'Your company’s provider signs you in: this works for 5 minutes after that.'
const again = 'To be sure that it is you, please sign out and in again first'

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

/**
 * Asks before an act that an open screen alone must not do: with the password once more. An account without one
 * proves itself by a sign-in at its company’s provider, minutes ago.
 */
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
  const has_none = hasNoPassword(useAuth().user)
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
        shape={has_none ? Nothing : PasswordOnly}
        onSubmit={async (typed) => {
          if ('password' in typed) await confirmPassword(typed.password)
          await act().catch((error: unknown) => {
            throw has_none && isPasswordNeeded(error) ? new Failure(again) : error
          })
          onClose()
        }}
      >
        {props.children}
        {has_none ? <p className="text-sm text-soft">{by_provider}</p> : <OwnPassword />}
        <div className="flex justify-end gap-2">
          <CancelButton onClick={onClose} />
          <SubmitButton waiting={waiting} loading={loading}>
            {does}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
