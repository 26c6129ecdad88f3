import { isAuthRetryableFetchError } from '@supabase/auth-js'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { paths } from '#paths.ts'
import { problems } from '#problems.ts'
import { Callout } from '#ui/Callout.tsx'
import { Failure } from '#ui/failure.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { AuthFrame, textLink } from './AuthFrame.tsx'
import { codePage } from './code-page.ts'
import { useArrival } from './return-to.ts'
import { auth } from './session.ts'

const Forgotten = z.object({
  email: z
    .string()
    .trim()
    .min(1, 'Email is required')
    .max(255, 'At most 255 characters')
    .pipe(z.email('Invalid email address')),
})

export function ForgotPasswordPage() {
  const [sent_to, setSentTo] = useState<string>()
  const { email: typed } = useArrival()
  return (
    <AuthFrame
      title="Forgot password"
      description="Enter your email and we’ll send you a link to set a new password."
      footer={
        <Link to={paths.login} className={textLink}>
          Back to sign in
        </Link>
      }
    >
      <Form
        name="forgot-password"
        shape={Forgotten}
        defaults={typed ? { email: typed } : {}}
        onSubmit={async ({ email }) => {
          setSentTo(undefined)
          const redirectTo = window.location.origin + paths.reset_password
          const { error } = await auth.resetPasswordForEmail(email, { redirectTo })
          // Our answer is always the same, whatever the service says: it must not tell who has an account.
          if (error && isAuthRetryableFetchError(error)) throw new Failure(problems.unavailable[1])
          setSentTo(email)
        }}
      >
        {sent_to && (
          <output className="block">
            <Callout tone="good">
              If an account exists for this address, a link to set a new password is on its way. It
              works for one hour.{' '}
              <Link to={codePage('recovery', sent_to)} className={textLink}>
                Enter the code from the email instead
              </Link>
            </Callout>
          </output>
        )}
        <TextField name="email" label="Email" type="email" autoComplete="username" required />
        <SubmitButton waiting="Sending..." wide large>
          Send link
        </SubmitButton>
      </Form>
    </AuthFrame>
  )
}
