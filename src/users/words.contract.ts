// The states of an account in words and colours, the same for its company and the provider.
import type { AccountState } from './users.contract.ts'

/** The specification's words: an account that is not active is Pending, unless its state has a word of its own. */
export const account_words: Record<AccountState, string> = {
  active: 'Active',
  pending: 'Pending',
  requested: 'Pending',
  suspended: 'Suspended',
  left: 'Left',
}

export const account_tones = {
  active: 'good',
  pending: 'accent',
  requested: 'accent',
  suspended: 'bad',
  left: 'neutral',
} as const satisfies Record<AccountState, string>

export const accountWordsOf = <S extends AccountState>(
  states: readonly S[],
): Record<string, string> =>
  Object.fromEntries(states.map((state) => [state, account_words[state]]))
