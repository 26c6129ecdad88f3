// The words about a view.
import type { SavedView } from './views.contract.ts'

const filter_words: Record<string, string> = {
  person: 'the person',
  group: 'the group',
  department: 'the department',
}

/** The filters left out of a view as it is opened. */
export const lostOf = ({ lost }: Pick<SavedView, 'lost'>): string =>
  `Left out, because it is no longer there: ${lost
    .map((name) => filter_words[name] ?? `the filter “${name}”`)
    .join(', ')}`
