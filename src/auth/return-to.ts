import { useLocation } from 'react-router'

/** State that the pages before the dashboard hand on to one another. */
type Arrival = {
  from?: string
  /** The visitor was signed in there, and the session ended. */
  ended?: boolean
  /** The sentence that the sign-in page should show above its form. */
  notice?: string
  email?: string
}

export function useArrival(): Arrival {
  const state: unknown = useLocation().state
  return typeof state === 'object' && state !== null ? state : {}
}
