import type { Factor } from '@supabase/auth-js'
import { Fingerprint } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { problems } from '#problems.ts'
import { Button } from '#ui/Button.tsx'
import { Failed } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { AppCode, type StepProps } from './AppCode.tsx'
import { EnrolTwoStep } from './EnrolTwoStep.tsx'
import { messageOf } from './failure.ts'
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
  const app = factors.find(({ factor_type }) => factor_type === 'totp')
  const passkey = factors.find(({ factor_type }) => factor_type === 'webauthn')
  if (!app && !passkey) return <EnrolTwoStep onDone={onDone} />
  return (
    <div className="flex flex-col gap-6">
      {passkey && <Passkey factor_id={passkey.id} onDone={onDone} />}
      {app && passkey && <p className="text-center text-ui text-faint">or</p>}
      {app && <AppCode factor_id={app.id} onDone={onDone} />}
    </div>
  )
}

function Passkey({ factor_id, onDone }: StepProps) {
  const [asking, setAsking] = useState(false)
  const ask = async () => {
    setAsking(true)
    const { error } = await auth.mfa.webauthn.authenticate({ factorId: factor_id })
    setAsking(false)
    if (error) {
      const unexpected = 'Your passkey was not accepted. Please try again'
      toast('status' in error ? messageOf(error, unexpected) : unexpected, 'failure')
      return
    }
    await onDone()
  }
  return (
    <Button
      variant="primary"
      size="large"
      wide
      loading={asking}
      icon={<Fingerprint className="size-5" aria-hidden />}
      onClick={() => void ask()}
    >
      Use your passkey
    </Button>
  )
}
