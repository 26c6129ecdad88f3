import type { AuthError, EmailOtpType, VerifyTokenHashParams } from '@supabase/auth-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { paths } from '#paths.ts'
import { Failure } from '#ui/failure.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { toast } from '#ui/toast.ts'
import { useAuth } from './context.ts'
import { messageOf, throwIfWeak } from './failure.ts'
import { NewPassword } from './new-password.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { auth } from './session.ts'
import { TwoStep } from './TwoStep.tsx'

/** The link of the mail, or its code with the address that it was sent to. */
export type PasswordLink = { type: EmailOtpType } & (
  | { token_hash: string }
  | { email: string; token: string }
)

type Props = {
  /** Undefined if a link has already begun this tab's session. */
  link: PasswordLink | undefined
  label: string
  button: string
  done: string
  /** The password that was typed before, with a wrong code. */
  typed?: string | undefined
  onUsedUp: (typed: string) => void
}

/**
 * Follows the link and sets the password in one press. All other sessions of the account end:
 * nobody stays in an account that somebody else prepared in their name.
 */
export function SetPasswordForm({ link, label, button, done, typed, onUsedUp }: Props) {
  const navigate = useNavigate()
  const { recovered, reload } = useAuth()
  // Following the link begins another session, whose `reload` is needed.
  const latest = useRef(reload)
  useEffect(() => {
    latest.current = reload
  }, [reload])
  useLook(link, onUsedUp)
  const new_password = useRef('')
  const [asks_two_step, setAsksTwoStep] = useState(false)

  const setPassword = async () => {
    const password = new_password.current
    // The new password is sent as the current one, too: following the link may have set it. If it did not, the link is the proof.
    const { error } = await auth.updateUser({ password, current_password: password })
    if (error?.code?.startsWith('current_password')) {
      if (link) forgetFollowed(link)
      return onUsedUp(password)
    }
    if (error?.code === 'insufficient_aal') {
      setAsksTwoStep(true)
      return undefined
    }
    throwIfWeak(error)
    // The account may have this password already, from the link or from before: that is as good.
    if (error && error.code !== 'same_password') throw failureOf(error)
    await auth.signOut({ scope: 'others' })
    // The data loaded as the session began still says that HR's password has to be changed.
    await latest.current()
    recovered()
    if (link) forgetFollowed(link)
    toast(done)
    return navigate(paths.login, { replace: true })
  }

  const submit = async ({ password }: z.infer<typeof NewPassword>) => {
    new_password.current = password
    if (link && !isFollowed(link)) {
      // One request follows the link and sets the password: if the rest fails, a password that somebody else prepared is gone
      // anyway.
      const proof: PasswordLink & { password: string } = { ...link, password }
      const { error } = await auth.verifyOtp(proof)
      if (error?.code === 'otp_expired') return onUsedUp(password)
      throwIfWeak(error)
      if (error) throw failureOf(error)
      rememberFollowed(link)
    }
    return setPassword()
  }

  if (asks_two_step) return <TwoStep onDone={setPassword} />
  return (
    <Form
      name="set-password"
      shape={NewPassword}
      defaults={typed ? { password: typed, password_again: typed } : {}}
      onSubmit={submit}
    >
      <NewPasswordFields label={label} />
      <SubmitButton waiting="One moment..." wide large>
        {button}
      </SubmitButton>
    </Form>
  )
}

/** A link that is dead is said to be before a password is typed; looking at it uses nothing up. */
function useLook(link: PasswordLink | undefined, onUsedUp: (typed: string) => void) {
  const dead = useEffectEvent(() => onUsedUp(''))
  const token_hash = link && 'token_hash' in link && !isFollowed(link) ? link.token_hash : undefined
  const type = link?.type
  useEffect(() => {
    if (!token_hash || !type) return
    const question: VerifyTokenHashParams & { looks: string } = { token_hash, type, looks: 'yes' }
    void auth.verifyOtp(question).then(({ error }) => error?.code === 'otp_expired' && dead())
  }, [token_hash, type])
}

const failureOf = (error: AuthError) =>
  new Failure(messageOf(error, 'The password could not be set. Please try again'))

// A link works once, and its password may be refused after that. A further try, also after a reload, does not follow it again.
const key = (link: PasswordLink) =>
  `followed:${'token_hash' in link ? link.token_hash : `${link.email} ${link.token}`}`
const isFollowed = (link: PasswordLink) => sessionStorage.getItem(key(link)) !== null
const rememberFollowed = (link: PasswordLink) => sessionStorage.setItem(key(link), '1')
const forgetFollowed = (link: PasswordLink) => sessionStorage.removeItem(key(link))
