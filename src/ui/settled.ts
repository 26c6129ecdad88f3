import { useEffect, useState } from 'react'

const typing_ms = 350

/** The value as of the last pause in typing, for asking the server about it. */
export function useSettled<T>(value: T): { settled: T; fresh: boolean } {
  const typed = JSON.stringify(value)
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), typing_ms)
    return () => clearTimeout(timer)
  }, [typed])
  return { settled: JSON.parse(settled) as T, fresh: settled === typed }
}
