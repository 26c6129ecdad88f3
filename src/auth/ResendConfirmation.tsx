import { useEffect, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { messageOf } from './failure.ts'
import { auth } from './session.ts'

const WAIT_SECONDS = 60

/** The service mails once a minute: the button counts down instead of being refused. */
export function ResendConfirmation({ email }: { email: string }) {
  const [sending, setSending] = useState(false)
  const [wait_seconds, setWait] = useState(0)
  useEffect(() => {
    if (wait_seconds === 0) return undefined
    const timer = setTimeout(() => setWait(wait_seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait_seconds])
  const send = async () => {
    setSending(true)
    const emailRedirectTo = `${window.location.origin}/`
    const { error } = await auth.resend({ type: 'signup', email, options: { emailRedirectTo } })
    setSending(false)
    if (error) {
      toast(messageOf(error, 'The email could not be sent. Please try again'), 'failure')
      return
    }
    setWait(WAIT_SECONDS)
    toast(`We sent a new link to ${email}`)
  }
  return (
    <Button
      variant="primary"
      wide
      size="large"
      loading={sending}
      disabled={wait_seconds > 0}
      onClick={() => void send()}
    >
      {wait_seconds > 0
        ? `Sent. You can send it again in ${wait_seconds} s`
        : 'Resend confirmation email'}
    </Button>
  )
}
