import { useRef } from 'react'

/** An idempotency key: the same input sent again, after a lost answer, counts once; a changed input is another act. */
export function useActKey() {
  const last = useRef({ what: '', key: '' })
  return {
    of(input: unknown): string {
      const what = JSON.stringify(input)
      if (what !== last.current.what) last.current = { what, key: crypto.randomUUID() }
      return last.current.key
    },
    /** Ends the act: the same input is then a second one. */
    done() {
      last.current = { what: '', key: '' }
    },
  }
}
