import { z } from 'zod'
import { confirmPassword } from '#api/api.ts'
import { Callout } from '#ui/Callout.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'
import { hasNoPassword, useAuth } from './context.ts'

const PasswordOnly = z.object(own_password)

/** Before a second step is set up in a session that has been open for a while. */
export function ConfirmYou({ onDone }: { onDone: () => unknown }) {
  const { user } = useAuth()
  if (hasNoPassword(user)) {
    return (
      <Callout title="Confirm that it is you">
        Please sign out and in again by your company’s provider. Right after that you can set it up.
      </Callout>
    )
  }
  return (
    <Form
      name="confirm-you"
      shape={PasswordOnly}
      onSubmit={async ({ password }) => {
        await confirmPassword(password)
        await onDone()
      }}
    >
      <p className="text-sm text-soft">
        It decides who can sign in to your account, so we ask for your password once more.
      </p>
      <OwnPassword />
      <div className="flex justify-end">
        <SubmitButton waiting="Checking...">Continue</SubmitButton>
      </div>
    </Form>
  )
}
