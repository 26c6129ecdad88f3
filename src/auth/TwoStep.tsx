import type { Factor } from '@supabase/auth-js'
import { Fingerprint } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { problems } from '#problems.ts'
import { Button } from '#ui/Button.tsx'
import { Failed } from '#ui/Empty.tsx'
import { showFailure } from '#ui/failure.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { AppCode } from './AppCode.tsx'
import { EnrollTwoStep } from './EnrollTwoStep.tsx'
import { sentenceFor } from './factor-calls.ts'
import { RecoveryCodeForm } from './RecoveryCodeForm.tsx'
import { auth } from './session.ts'

/** Asks for the second step by whatever the account has; sets one up where it has none. */
export function TwoStep({ onDone }: { onDone: () => unknown }) {
  const [factors, setFactors] = useState<Factor[] | 'failed'>()
  const load = useCallback(async () => {
    const { data, error } = await auth.mfa.listFactors()
    setFactors(error ? 'failed' : data.all.filter(({ status }) => status === 'verified'))
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => void load(), 0)
    return () => clearTimeout(timer)
  }, [load])

  if (factors === undefined) return <Skeleton className="h-32 w-full" />
  if (factors === 'failed') {
    return <Failed sentence={problems.unavailable[1]} onRetry={() => void load()} />
  }
  if (factors.length === 0) return <EnrollTwoStep why={demanded} onDone={onDone} />
  return <SecondStep factors={factors} onDone={onDone} />
}

const demanded =
  'Your company requires a second step from its administrators. Scan this with an authenticator app, then enter the code.'

type Props = { factors: Factor[]; onDone: () => unknown }

function SecondStep({ factors, onDone }: Props) {
  const of = (type: Factor['factor_type']) =>
    factors.filter(({ factor_type }) => factor_type === type)
  const apps = of('totp')
  const passkeys = of('webauthn')
  const [lost, setLost] = useState(apps.length + passkeys.length === 0)
  const has_codes = of('recovery_code').length > 0
  return (
    <div className="flex flex-col gap-6">
      {lost ? (
        <RecoveryCodeForm onDone={onDone} />
      ) : (
        <>
          {passkeys.map((factor) => (
            <Passkey
              key={factor.id}
              factor={factor}
              several={passkeys.length > 1}
              onDone={onDone}
            />
          ))}
          {apps.length > 0 && passkeys.length > 0 && (
            <p className="text-center text-ui text-faint">or</p>
          )}
          {apps.length > 0 && <AppCode factor_ids={apps.map(({ id }) => id)} onDone={onDone} />}
        </>
      )}
      {has_codes ? (
        <Button variant="quiet" size="small" className="self-start" onClick={() => setLost(!lost)}>
          {lost ? 'Back to my second step' : 'Lost your phone? Use a recovery code'}
        </Button>
      ) : (
        <p className="text-ui text-soft">
          Lost it? Ask the provider’s staff to reset your two-step verification.
        </p>
      )}
    </div>
  )
}

type PasskeyProps = { factor: Factor; several: boolean; onDone: () => unknown }

function Passkey({ factor, several, onDone }: PasskeyProps) {
  const [loading, setLoading] = useState(false)
  const ask = async () => {
    setLoading(true)
    const { error } = await auth.mfa.webauthn.authenticate({ factorId: factor.id }, anywhere)
    setLoading(false)
    if (error) {
      const unexpected = 'Your passkey was not accepted. Please try again'
      toast('status' in error ? sentenceFor(error, unexpected) : unexpected, 'failure')
      return
    }
    try {
      await onDone()
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <Button
      variant="primary"
      size="large"
      wide
      loading={loading}
      icon={<Fingerprint className="size-5" aria-hidden />}
      onClick={() => void ask()}
    >
      {several ? `Use ${factor.friendly_name}` : 'Use your passkey'}
    </Button>
  )
}

/** The client prefers security keys; ours may be in the phone or the laptop as well. */
const anywhere = { hints: [] } as never
