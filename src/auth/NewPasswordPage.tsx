import { Button } from '#ui/Button.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { toast } from '#ui/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { changePassword } from './change-password.ts'
import { useAuth } from './context.ts'
import { ChangedPassword, NewPassword } from './new-password.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'

/** Somebody else made the first password, so it has to be changed before all else. A mailed link stands in for it. */
export function NewPasswordPage() {
  const { by_link, reload, signOut } = useAuth()
  return (
    <AuthFrame
      title="Choose your own password"
      description={
        by_link
          ? 'It replaces the one your account was created with. Only you should know it.'
          : 'The password you signed in with was made for you. Choose one that only you know.'
      }
      footer={
        <Button variant="quiet" size="small" className="-ml-2.5" onClick={() => void signOut()}>
          Logout
        </Button>
      }
    >
      <Form
        name="new-password"
        shape={by_link ? NewPassword : ChangedPassword}
        onSubmit={async (values) => {
          await changePassword(values)
          toast('New password set')
          await reload()
        }}
      >
        {!by_link && (
          <PasswordField
            name="current_password"
            label="Current password"
            autoComplete="current-password"
            hint="The one you were given."
            required
          />
        )}
        <NewPasswordFields />
        <SubmitButton waiting="One moment..." wide large>
          Set new password
        </SubmitButton>
      </Form>
    </AuthFrame>
  )
}
