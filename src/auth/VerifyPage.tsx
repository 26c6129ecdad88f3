import type { EmailOtpType } from '@supabase/auth-js'
import { useState, type ComponentProps } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { paths } from '#paths.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { toast } from '#ui/toast.ts'
import { AuthFrame, textLink } from './AuthFrame.tsx'
import { messageOf } from './failure.ts'
import { greetAfterSignIn } from './greeting.ts'
import { auth } from './session.ts'
import { ResendConfirmation } from './ResendConfirmation.tsx'
import { SetPasswordForm, type PasswordLink as MailedLink } from './SetPasswordForm.tsx'
import { UsedUpPage } from './UsedUpPage.tsx'

const types = ['signup', 'invite', 'recovery', 'email_change', 'magiclink', 'email'] as const

/** The page of mailed links. Opening it changes nothing: mail scanners open links, too. */
export function VerifyPage() {
  const [search] = useSearchParams()
  const [used_up, setUsedUp] = useState(false)
  const token_hash = search.get('token')
  const type = types.find((known) => known === search.get('type'))
  const email = search.get('email')
  const first = search.has('first')
  if (!token_hash && (type === 'invite' || type === 'recovery' || (type === 'signup' && email))) {
    return <ByCode email={email} type={type} first={first} />
  }
  if (!token_hash || !type || used_up) return <UsedUpPage type={first ? 'invite' : type} />
  const link = { token_hash, type }
  const onUsedUp = () => setUsedUp(true)
  if (type === 'recovery' && !first) {
    const there = `${paths.reset_password}?${new URLSearchParams({ token: token_hash })}`
    return <Navigate to={there} replace />
  }
  if (type === 'signup' || type === 'invite' || first) {
    return <Welcome link={link} first={first} onUsedUp={onUsedUp} />
  }
  return <Confirm link={link} onUsedUp={onUsedUp} />
}

const Code = z.object({
  email: z.string().trim().min(1, 'Email is required').pipe(z.email('Invalid email address')),
  token: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Enter the six digits from the email'),
})

type Coded = { email: string | null; type: 'signup' | 'recovery' | 'invite'; first: boolean }

/** The code of a mail that was read on another device is typed here. */
function ByCode({ email, type, first }: Coded) {
  const [typed, setTyped] = useState<z.infer<typeof Code>>()
  // The password that came with a wrong code: it is not asked for again.
  const [password, setPassword] = useState<string>()
  const wrong = password !== undefined
  const onUsedUp = (with_it: string) => {
    setTyped(undefined)
    setPassword(with_it)
  }
  if (typed) {
    return <Welcome link={{ ...typed, type }} {...{ first, onUsedUp }} typed={password} />
  }
  const description = email ? `We sent it to ${email}.` : 'It is in the email that we sent you.'
  return (
    <AuthFrame title="Enter your code" description={description}>
      <Form
        name="mailed-code"
        shape={Code}
        defaults={email ? { email } : {}}
        onSubmit={(values) => setTyped(values)}
      >
        {wrong && (
          <Callout tone="bad">This code is wrong or has expired. Check the newest email.</Callout>
        )}
        {!email && (
          <TextField name="email" label="Email" type="email" autoComplete="username" required />
        )}
        <TextField
          name="token"
          label="Six-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
        />
        <SubmitButton wide large>
          Continue
        </SubmitButton>
      </Form>
      <div className="mt-5">
        {type === 'signup' && email
          ? wrong && <ResendConfirmation email={email} />
          : type !== 'signup' && (
              <Link to={paths.forgot_password} className={textLink}>
                Get a new code
              </Link>
            )}
      </div>
    </AuthFrame>
  )
}

type Props = { link: MailedLink; onUsedUp: () => void }
type WelcomeProps = Pick<ComponentProps<typeof SetPasswordForm>, 'typed' | 'onUsedUp'> & {
  link: MailedLink
  first: boolean
}

function Welcome({ link, first, typed, onUsedUp }: WelcomeProps) {
  const words = welcomes[first ? 'invite' : link.type] ?? confirming
  const { title, what, label = 'Password', button, done } = words
  return (
    <AuthFrame title={title} description={what}>
      <SetPasswordForm {...{ link, label, button, done, typed, onUsedUp }} />
    </AuthFrame>
  )
}

type PageWords = { title: string; what: string; label?: string; button: string; done: string }
const confirming: PageWords = {
  title: 'Confirm your email address',
  what: 'Please set your password again. All other sessions end, so that it is yours alone.',
  button: 'Confirm and continue',
  done: 'Email address confirmed',
}
const welcomes: Partial<Record<EmailOtpType, PageWords>> = {
  invite: {
    title: 'Welcome to Healthfund',
    what: 'Choose a password, and your account is ready.',
    button: 'Set password and continue',
    done: 'Your account is ready',
  },
  recovery: {
    title: 'Reset password',
    what: 'Choose a new password. All other sessions of your account end.',
    label: 'New password',
    button: 'Set new password',
    done: 'New password set',
  },
}

const words: Partial<Record<EmailOtpType, { title: string; what: string; button: string }>> = {
  email_change: {
    title: 'Confirm your new email address',
    what: 'From then on you sign in with the new address.',
    button: 'Confirm',
  },
}
const signing_in = {
  title: 'Sign In',
  what: 'This link signs you in.',
  button: 'Sign In',
}

function Confirm({ link, onUsedUp }: Props) {
  const navigate = useNavigate()
  const [loading, setLoading] = useState(false)
  const [half_done, setHalfDone] = useState(false)
  const { title, what, button } = words[link.type] ?? signing_in
  const confirm = async () => {
    setLoading(true)
    const { data, error } = await auth.verifyOtp(link)
    setLoading(false)
    if (error?.code === 'otp_expired') return onUsedUp()
    if (error) return toast(messageOf(error, 'This did not work. Please try again'), 'failure')
    // The change needs both addresses; the first of the two brings no session.
    if (!data.session) return setHalfDone(true)
    if (link.type === 'email_change') toast('New address confirmed')
    else greetAfterSignIn()
    return navigate(paths.login, { replace: true })
  }
  if (half_done) {
    return (
      <AuthFrame
        title="Almost done"
        description="This address is confirmed. Now open the link that went to the other one."
      >
        <ButtonLink to={paths.login}>Continue</ButtonLink>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={title} description={what}>
      <Button variant="primary" size="large" wide loading={loading} onClick={() => void confirm()}>
        {button}
      </Button>
    </AuthFrame>
  )
}
