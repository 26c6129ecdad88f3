import { useEffect, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { paths } from '#paths.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Waiting } from '#ui/Spinner.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { comeBack, takeWanted } from './company-sign-in.ts'
import { greetAfterSignIn } from './greeting.ts'
import { confirmed, isConfirming } from './provider-confirmation.ts'

const refusals: Record<string, string> = {
  email_address_not_authorized:
    'Your company’s identity provider sent an address that is not at a verified domain of your company. Ask your HR.',
  email_exists: 'This address belongs to an account outside your company. Ask your HR.',
  user_banned:
    'This account or its whole company is suspended or closed. Ask your HR team, or the provider if HR can’t sign in either.',
  sso_provider_not_found: 'Your company no longer signs in this way. Use your password.',
  bad_oauth_callback: 'Your company’s identity provider did not confirm who you are.',
}
const over = 'This sign-in has ended, or was started in another browser. Please start again.'

/** The page to which a company's identity provider sends people back. */
export function SsoPage() {
  const [search] = useSearchParams()
  const code = search.get('code')
  const [confirming] = useState(isConfirming)
  const [refused, setRefused] = useState(
    code || confirming ? undefined : (search.get('error_code') ?? 'over'),
  )
  const [arrived, setArrived] = useState<string>()
  const [confirmed_here, setConfirmedHere] = useState<{ fault: string | null }>()
  const begun = useRef(false)
  useEffect(() => {
    // A code is good once, and effects may run twice.
    if (!(code || confirming) || begun.current) return
    begun.current = true
    void (async () => {
      if (confirming || !code) {
        const outcome = await confirmed(code)
        return 'from' in outcome ? setArrived(outcome.from) : setConfirmedHere(outcome)
      }
      const error = await comeBack(code)
      if (error) return setRefused(error.code ?? 'over')
      greetAfterSignIn()
      return setArrived(takeWanted() ?? paths.login)
    })()
  }, [code, confirming])
  if (arrived) return <Navigate to={arrived} replace />
  // The tab has closed, unless the browser keeps it.
  if (confirmed_here) {
    const title = confirmed_here.fault ?? 'Confirmed. This works for 5 minutes'
    return <AuthFrame title={title}>You can close this tab and go on in the other.</AuthFrame>
  }
  if (!refused) return <Waiting />
  return (
    <AuthFrame title="You are not signed in" description={refusals[refused] ?? over}>
      <ButtonLink to={paths.login}>Back to Sign In</ButtonLink>
    </AuthFrame>
  )
}
