import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { Problem } from '#problems.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { Waiting } from '#ui/Spinner.tsx'
import { TextField } from '#ui/TextField.tsx'
import { toast } from '#ui/toast.ts'
import { Setup } from '#users/users.contract.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { auth } from './session.ts'

const FirstAdmin = Setup.omit({ token: true })

/** The one-time link that an installation prints at its first start. */
export function SetupPage() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const token = search.get('token')
  const [used, setUsed] = useState(false)
  const link = useRead(api.users.setup_open, token ? { token } : undefined)
  if (used || link?.open === false) {
    return (
      <AuthFrame
        title="This link no longer works"
        description="This Healthfund has already been set up, or a newer link has been printed since."
      >
        <ButtonLink to={paths.login}>Go to sign in</ButtonLink>
      </AuthFrame>
    )
  }
  if (!token) {
    return (
      <AuthFrame
        title="Set up Healthfund"
        description="This page needs the one-time link that the server printed at its first start."
      >
        <ButtonLink to={paths.login}>Go to sign in</ButtonLink>
      </AuthFrame>
    )
  }
  if (!link) return <Waiting />
  return (
    <AuthFrame
      title="Set up Healthfund"
      description="You are the first. This creates the Super Admin who approves everybody else."
    >
      <Form
        name="setup"
        shape={FirstAdmin}
        onSubmit={async (values) => {
          try {
            await api.users.setup({ token, ...values })
          } catch (error) {
            if (error instanceof Problem && error.code === 'not_found') return setUsed(true)
            throw error
          }
          const { email, password } = values
          const { error } = await auth.signInWithPassword({ email, password })
          toast(error ? 'Your account is ready. You can now sign in.' : 'Welcome to Healthfund')
          await navigate(paths.login, { replace: true, state: { email } })
        }}
      >
        <TextField name="full_name" label="Full Name" autoComplete="name" required />
        <TextField name="email" label="Work Email" type="email" autoComplete="email" required />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          strength
          required
        />
        <SubmitButton waiting="Creating account..." wide large>
          Create Super Admin
        </SubmitButton>
      </Form>
    </AuthFrame>
  )
}
