import { useEffect, useEffectEvent, useState } from 'react'
import { sentenceOf } from '#ui/failure.ts'
import { isPasswordNeeded } from './factor-calls.ts'

/** Made as its screen opens, unless it must be proven first who is at it: then by `make`, which may be refused again. */
export function useMadeOnce<T>(ask: () => Promise<T>) {
  const [made, setMade] = useState<T>()
  const [fault, setFault] = useState<string>()
  const [confirming, setConfirming] = useState(false)
  const make = async () => {
    setMade(await ask())
    setConfirming(false)
  }
  const begin = async () => {
    setFault(undefined)
    try {
      await make()
    } catch (error) {
      if (isPasswordNeeded(error)) setConfirming(true)
      else setFault(sentenceOf(error))
    }
  }
  const open = useEffectEvent(() => void begin())
  useEffect(() => {
    // Strict mode runs effects twice, and it is made once.
    const timer = setTimeout(() => open(), 0)
    return () => clearTimeout(timer)
  }, [])
  return { made, fault, confirming, make, begin }
}
