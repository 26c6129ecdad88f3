import type { EmailOtpType } from '@supabase/auth-js'
import { z } from 'zod'
import { paths } from '#paths.ts'
import { deadLink, invitation_seconds, link_seconds } from '#shared/link-life.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Failure } from '#ui/failure.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { toast } from '#ui/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { messageOf } from './failure.ts'
import { auth } from './session.ts'

const invited =
  'You can get a new one with your email address alone. If none arrives, the invitation was withdrawn: ask your HR.'

/** A link that no longer works, with a way to a new one. */
export function UsedUpPage({ type }: { type: EmailOtpType | undefined }) {
  if (type === 'signup') return <NewConfirmation />
  return (
    <AuthFrame
      title="This link no longer works"
      description={
        <>
          {deadLink(type === 'invite' ? invitation_seconds : link_seconds)}{' '}
          {type === 'invite' && invited}
          {type === 'email_change' && 'Change the address again in your settings to get a new one.'}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {type === 'invite' && (
          <ButtonLink to={paths.forgot_password} variant="primary" size="large" wide>
            Get a new link
          </ButtonLink>
        )}
        <ButtonLink
          to={paths.login}
          variant={type === 'invite' ? 'secondary' : 'primary'}
          size="large"
          wide
        >
          Sign in
        </ButtonLink>
      </div>
    </AuthFrame>
  )
}

const Address = z.object({
  email: z
    .string()
    .trim()
    .min(1, 'Email is required')
    .max(255, 'At most 255 characters')
    .pipe(z.email('Invalid email address')),
})

const NewConfirmation = () => (
  <AuthFrame
    title="This link no longer works"
    description={`${deadLink(link_seconds)} We can send you a new one.`}
  >
    <Form
      name="new-confirmation"
      shape={Address}
      onSubmit={async ({ email }) => {
        const emailRedirectTo = `${window.location.origin}/`
        const { error } = await auth.resend({ type: 'signup', email, options: { emailRedirectTo } })
        if (error) throw new Failure(messageOf(error, 'The email could not be sent'))
        toast('If this address still waits for its confirmation, a new link is on its way')
      }}
    >
      <TextField name="email" label="Email" type="email" autoComplete="username" required />
      <SubmitButton waiting="Sending..." wide large>
        Send a new link
      </SubmitButton>
    </Form>
    <ButtonLink to={paths.login} variant="quiet" wide className="mt-3">
      Back to sign in
    </ButtonLink>
  </AuthFrame>
)
