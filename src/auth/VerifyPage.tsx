import type { EmailOtpType } from '@supabase/auth-js'
import { useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { paths } from '#paths.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { toast } from '#ui/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { messageOf } from './failure.ts'
import { greetOnceIn } from './greeting.ts'
import { auth } from './session.ts'
import { SetPasswordForm, type Link } from './SetPasswordForm.tsx'
import { UsedUpPage } from './UsedUpPage.tsx'

const types = ['signup', 'invite', 'recovery', 'email_change', 'magiclink', 'email'] as const

/** Where mailed links lead. Opening it changes nothing: mail scanners open links, too. */
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

/** Where the mail was read on another device: its code is typed here. */
function ByCode({ email, type, first }: Coded) {
  const [typed, setTyped] = useState<z.infer<typeof Code>>()
  const [wrong, setWrong] = useState(false)
  const onUsedUp = () => {
    setTyped(undefined)
    setWrong(true)
  }
  if (typed) return <Welcome link={{ ...typed, type }} first={first} onUsedUp={onUsedUp} />
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
    </AuthFrame>
  )
}

type Props = { link: Link; onUsedUp: () => void }

function Welcome({ link, first, onUsedUp }: Props & { first: boolean }) {
  const words = welcomes[first ? 'invite' : link.type] ?? confirming
  const { title, what, label = 'Password', button, done } = words
  return (
    <AuthFrame title={title} description={what}>
      <SetPasswordForm link={link} label={label} button={button} done={done} onUsedUp={onUsedUp} />
    </AuthFrame>
  )
}

type Words = { title: string; what: string; label?: string; button: string; done: string }
const confirming: Words = {
  title: 'Confirm your email address',
  what: 'Please set your password again. All other sessions end, so that it is yours alone.',
  button: 'Confirm and continue',
  done: 'Email address confirmed',
}
const welcomes: Partial<Record<EmailOtpType, Words>> = {
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
    else greetOnceIn()
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
