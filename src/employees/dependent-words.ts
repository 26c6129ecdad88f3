import { cover_states } from '#dependents/words.contract.ts'

/** Cover states in HR's words. */
export const coverStates: typeof cover_states = {
  ...cover_states,
  requested: ['Waiting for you', 'accent'],
}
