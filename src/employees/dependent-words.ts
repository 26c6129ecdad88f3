import { cover_states } from '#dependents/words.contract.ts'

/** As HR reads them. */
export const coverStates: typeof cover_states = {
  ...cover_states,
  requested: ['Waiting for you', 'accent'],
}
