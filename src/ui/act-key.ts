import { useRef } from 'react'

/** Sent again as it was, after a lost answer, it counts once; with anything changed it is another act. */
export function useActKey() {
  const last = useRef({ what: '', key: '' })
  return {
    of(input: unknown): string {
      const what = JSON.stringify(input)
      if (what !== last.current.what) last.current = { what, key: crypto.randomUUID() }
      return last.current.key
    },
    /** Done: the same once more is a second time. */
    done() {
      last.current = { what: '', key: '' }
    },
  }
}
