import { useEffect, useEffectEvent, useState } from 'react'
import { sentenceOf } from '#ui/failure.ts'
import { isPasswordNeeded } from './factor-calls.ts'

/**
 * Makes something as its screen opens. If a proof of who is there is needed first, `make` does it after that, and may fail again.
 */
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
    // Strict mode runs effects twice: the timer of the first run is cleared.
    const timer = setTimeout(() => open(), 0)
    return () => clearTimeout(timer)
  }, [])
  return { made, fault, confirming, make, begin }
}
