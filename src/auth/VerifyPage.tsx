import type { EmailOtpType } from '@supabase/auth-js'
import { useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { paths } from '#paths.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { messageOf } from './failure.ts'
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
  if (!token_hash || !type || used_up) return <UsedUpPage type={type} />
  const link = { token_hash, type }
  const onUsedUp = () => setUsedUp(true)
  if (type === 'recovery') {
    const there = `${paths.reset_password}?${new URLSearchParams({ token: token_hash })}`
    return <Navigate to={there} replace />
  }
  if (type === 'signup' || type === 'invite') return <Welcome link={link} onUsedUp={onUsedUp} />
  return <Confirm link={link} onUsedUp={onUsedUp} />
}

type Props = { link: Link; onUsedUp: () => void }

function Welcome({ link, onUsedUp }: Props) {
  const invited = link.type === 'invite'
  return (
    <AuthFrame
      title={invited ? 'Welcome to Healthfund' : 'Confirm your email address'}
      description={
        invited
          ? 'Choose a password, and your account is ready.'
          : 'Please set your password again. All other sessions end, so that it is yours alone.'
      }
    >
      <SetPasswordForm
        link={link}
        label="Password"
        button={invited ? 'Set password and continue' : 'Confirm and continue'}
        done={invited ? 'Your account is ready' : 'Your email address is confirmed'}
        onUsedUp={onUsedUp}
      />
    </AuthFrame>
  )
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
  what: 'You came by a link that signs you in.',
  button: 'Sign In',
}

function Confirm({ link, onUsedUp }: Props) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const [half_done, setHalfDone] = useState(false)
  const { title, what, button } = words[link.type] ?? signing_in
  const confirm = async () => {
    setAsking(true)
    const { data, error } = await auth.verifyOtp(link)
    setAsking(false)
    if (error?.code === 'otp_expired') return onUsedUp()
    if (error) return toast(messageOf(error, 'This did not work. Please try again'), 'failure')
    // The change needs both addresses; the first of the two brings no session.
    if (!data.session) return setHalfDone(true)
    toast(
      link.type === 'email_change' ? 'Your new address is confirmed' : 'Signed in successfully!',
    )
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
      <Button variant="primary" size="large" wide loading={asking} onClick={() => void confirm()}>
        {button}
      </Button>
    </AuthFrame>
  )
}
