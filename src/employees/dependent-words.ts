import type { Dependent } from '#dependents/dependents.contract.ts'
import { cover_states } from '#dependents/words.contract.ts'

/** As HR reads them. */
export const coverStates: typeof cover_states = {
  ...cover_states,
  requested: ['Waiting for you', 'accent'],
}

/** The last day of cover that is set or follows from age. */
export const lastDayOf = ({ covered_to, ages_out_on }: Dependent): string | undefined =>
  [covered_to, ages_out_on].filter((day) => day !== null).toSorted()[0]
