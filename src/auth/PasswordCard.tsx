import { Card } from '#ui/Card.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { Problem } from '#problems.ts'
import { toast } from '#ui/toast.ts'
import { useState } from 'react'
import type { z } from 'zod'
import { changePassword, mailCode } from './change-password.ts'
import { hasNoPassword, useAuth } from './context.ts'
import { ChangedPassword, FirstPassword } from './new-password.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'

export function PasswordCard() {
  const { user } = useAuth()
  const has_none = hasNoPassword(user)
  return (
    <Card
      title="Password"
      description={
        has_none
          ? 'You have none: your company’s provider signs you in. Setting one signs you out everywhere else.'
          : 'Changing it signs you out everywhere else.'
      }
    >
      {has_none ? <FirstOne /> : <NextOne />}
    </Card>
  )
}

const NextOne = () => (
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
      label="Current password"
      autoComplete="current-password"
      required
    />
    <NewTwice />
    <FormButtons waiting="Updating...">Update Password</FormButtons>
  </Form>
)

/** A person without a password sets the first one: soon after signing in without a proof, later with a mailed code. */
function FirstOne() {
  const [mailed, setMailed] = useState(false)
  const set = async ({ password, nonce }: z.infer<typeof FirstPassword>) => {
    try {
      await changePassword({ password, ...(nonce ? { nonce } : {}) })
    } catch (error) {
      if (!mailed && error instanceof Problem && error.fields?.['nonce']) {
        await mailCode()
        setMailed(true)
      }
      throw error
    }
    toast('Password set. All other sessions have ended')
  }
  return (
    <Form name="first-password" shape={FirstPassword} onSubmit={set}>
      <NewTwice />
      {mailed && (
        <TextField
          name="nonce"
          label="Code from the email"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
        />
      )}
      <FormButtons waiting="Setting...">Set password</FormButtons>
    </Form>
  )
}

const NewTwice = () => (
  <div className="grid gap-5 sm:grid-cols-2">
    <NewPasswordFields />
  </div>
)
