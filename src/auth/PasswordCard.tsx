import { Card } from '#ui/Card.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { toast } from '#ui/toast.ts'
import { useState } from 'react'
import { changePassword } from './change-password.ts'
import { ChangedPassword } from './new-password.ts'

export function PasswordCard() {
  // A form of its own after each change: nothing of the last one stays in its fields.
  const [done, setDone] = useState(0)
  return (
    <Card title="Password" description="Changing it signs you out everywhere else.">
      <Form
        key={done}
        name="password"
        shape={ChangedPassword}
        onSubmit={async (values) => {
          await changePassword(values)
          toast('Password updated. All other sessions have ended')
          setDone(done + 1)
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
