import { Card } from '#ui/Card.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { toast } from '#ui/toast.ts'
import { changePassword } from './change-password.ts'
import { ChangedPassword } from './new-password.ts'

export function PasswordCard() {
  return (
    <Card title="Password" description="Changing it signs you out everywhere else.">
      <Form
        resets
        name="password"
        shape={ChangedPassword}
        onSubmit={async (values) => {
          await changePassword(values)
          toast('Password updated. All other sessions have ended')
        }}
      >
        <PasswordField
          name="current_password"
          label="Current Password"
          autoComplete="current-password"
          required
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <PasswordField
            name="password"
            label="New Password"
            autoComplete="new-password"
            strength
            required
          />
          <PasswordField
            name="password_again"
            label="Confirm Password"
            autoComplete="new-password"
            required
          />
        </div>
        <div className="flex justify-end">
          <SubmitButton waiting="Updating...">Update Password</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}
