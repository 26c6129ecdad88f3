import { useEffect, useEffectEvent, useState } from 'react'
import { Failed } from '#ui/Empty.tsx'
import { sentenceOf } from '#ui/failure.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ConfirmYou } from './ConfirmYou.tsx'
import { factorCalls, isPasswordNeeded } from './factor-calls.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** After the first second step: its recovery codes. Whoever has some already just goes on. */
export function FirstCodes({ onDone }: { onDone: () => unknown }) {
  const [made, setMade] = useState<string[] | string>()
  // Setting up the second step may have taken longer than the password counts.
  const [confirming, setConfirming] = useState(false)
  const make = async () => {
    setMade(undefined)
    setConfirming(false)
    try {
      if (await factorCalls.codesLeft({})) await onDone()
      else setMade(await factorCalls.makeCodes({ replacing: false }))
    } catch (error) {
      if (isPasswordNeeded(error)) setConfirming(true)
      else setMade(sentenceOf(error))
    }
  }
  const begin = useEffectEvent(() => void make())
  useEffect(() => {
    // Strict mode runs effects twice, but the codes are shown once.
    const timer = setTimeout(() => begin(), 0)
    return () => clearTimeout(timer)
  }, [])
  if (confirming) return <ConfirmYou onDone={make} />
  if (typeof made === 'string') return <Failed sentence={made} onRetry={() => void make()} />
  if (!made) return <Skeleton className="h-60 w-full" />
  return <RecoveryCodes codes={made} onDone={onDone} />
}
