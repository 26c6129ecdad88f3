import { Button } from '#ui/Button.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { toast } from '#ui/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { changePassword } from './change-password.ts'
import { useAuth } from './context.ts'
import { ChangedPassword } from './new-password.ts'

/** Somebody else made the account and knows its first password: first of all it changes. */
export function NewPasswordPage() {
  const { reload, signOut } = useAuth()
  return (
    <AuthFrame
      title="Choose your own password"
      description="The one you signed in with was made for you. Only you should know the next."
      footer={
        <Button variant="quiet" size="small" className="-ml-2.5" onClick={() => void signOut()}>
          Logout
        </Button>
      }
    >
      <Form
        name="new-password"
        shape={ChangedPassword}
        onSubmit={async (values) => {
          await changePassword(values)
          toast('Your new password is set')
          await reload()
        }}
      >
        <PasswordField
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          hint="The one you were given."
          required
        />
        <PasswordField
          name="password"
          label="New password"
          autoComplete="new-password"
          strength
          required
        />
        <PasswordField
          name="password_again"
          label="Confirm password"
          autoComplete="new-password"
          required
        />
        <SubmitButton waiting="One moment..." wide large>
          Set new password
        </SubmitButton>
      </Form>
    </AuthFrame>
  )
}
