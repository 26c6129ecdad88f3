import { useEffect, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { z } from 'zod'
import { paths } from '#paths.ts'
import { Callout } from '#ui/Callout.tsx'
import { Failure } from '#ui/failure.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { AuthFrame, textLink } from './AuthFrame.tsx'
import { goThere, useCompanyDomain } from './company-sign-in.ts'
import { messageOf } from './failure.ts'
import { greetAfterSignIn } from './greeting.ts'
import { useArrival } from './return-to.ts'
import { auth } from './session.ts'
import { Terms } from './Terms.tsx'

const SignInFields = z.object({
  email: z.string().trim().min(1, 'Email is required'),
  password: z.string().min(1, 'Password is required'),
})

const ByCompany = SignInFields.pick({ email: true })

export function LoginPage() {
  const arrival = useArrival()
  return (
    <AuthFrame
      title="Sign In"
      description="Welcome back. Enter your details to continue."
      footer={
        <>
          Don’t have an account?{' '}
          <Link to={paths.signup} state={arrival} className={textLink}>
            Sign up
          </Link>
        </>
      }
    >
      <SignInForm />
    </AuthFrame>
  )
}

/** The form begins with the address: people whose company has an identity provider need no password field. */
function SignInForm() {
  const arrival = useArrival()
  const [by_password, setByPassword] = useState(false)
  const [email, setEmail] = useState(arrival.email)
  const leads_to = useCompanyDomain(email)
  const company = by_password ? undefined : leads_to
  return (
    <Form
      name="sign-in"
      shape={company ? ByCompany : SignInFields}
      defaults={arrival.email ? { email: arrival.email } : {}}
      onSubmit={(values) =>
        company ? goThere(company, arrival.from) : signIn(values as z.infer<typeof SignInFields>)
      }
    >
      <Notice />
      <TextField name="email" label="Email" type="email" autoComplete="username" required />
      <Typed onTyped={setEmail} />
      {company ? (
        <>
          <SubmitButton waiting="Opening..." wide large>
            Continue with your company
          </SubmitButton>
          <button type="button" className={textLink} onClick={() => setByPassword(true)}>
            Use your password instead
          </button>
        </>
      ) : (
        <>
          <PasswordField
            name="password"
            label="Password"
            autoComplete="current-password"
            required
            aside={<Forgotten />}
          />
          <SubmitButton waiting="Signing in..." wide large>
            Sign In
          </SubmitButton>
          {by_password && (
            <button type="button" className={textLink} onClick={() => setByPassword(false)}>
              Continue with your company
            </button>
          )}
        </>
      )}
      <Terms act="signing in" />
    </Form>
  )
}

/** Passes the typed address to the form, whose fields depend on it. */
function Typed({ onTyped }: { onTyped: (email: string | undefined) => void }) {
  const email = useFormContext().watch('email') as string | undefined
  useEffect(() => onTyped(email), [email, onTyped])
  return null
}

/** The link takes along the address that was typed already. */
function Forgotten() {
  const email = useFormContext().watch('email') as string | undefined
  return (
    <Link
      to={paths.forgot_password}
      state={email ? { email } : null}
      className={`text-ui ${textLink}`}
    >
      Forgot password?
    </Link>
  )
}

async function signIn(values: z.infer<typeof SignInFields>) {
  const { error } = await auth.signInWithPassword(values)
  if (error) throw new Failure(messageOf(error, 'An error occurred during signin'))
  greetAfterSignIn()
}

/** The reason why the person is here: a new account, a page that needs them, or a used-up link. */
function Notice() {
  const { notice, from, ended } = useArrival()
  const { hash } = useLocation()
  // The answer to this attempt stands there already.
  if (useFormContext().formState.errors['root']) return null
  if (hash.includes('error_code=')) {
    return (
      <Callout tone="accent" title="This link has expired or was already used">
        Sign in to get a new one, or use Forgot password.
      </Callout>
    )
  }
  if (notice) return <Callout tone="good">{notice}</Callout>
  if (ended) return <Callout>Your session has ended. Sign in to continue.</Callout>
  return from ? <Callout>Sign in to continue to the page you asked for.</Callout> : null
}
