import type { GivenRight } from '#users/giving.contract.ts'
import { dateText } from '#ui/date-words.ts'

/** The last day of a right is the one before the moment it ends. */
export function rightSpan(right: GivenRight): string {
  const { begins_at, ends_at, given_by, confirmed_by, waits, counts_from } = right
  const last = ends_at && new Date(Date.parse(ends_at) - 1).toISOString()
  const since = waits ? 'given' : Date.parse(begins_at) > Date.now() ? 'from' : 'since'
  const days = `${since} ${dateText(begins_at)}${last ? ` until ${dateText(last)}` : ''}`
  // The founder's are given by nobody, and need nobody's confirmation.
  const giver = given_by ?? (waits || confirmed_by ? 'the provider' : null)
  const by = [
    giver && `by ${giver}`,
    confirmed_by && confirmed_by !== given_by && `confirmed by ${confirmed_by}`,
    counts_from && `counts as a second person from ${dateText(counts_from, 'moment')}`,
  ]
  return [days, ...by].filter(Boolean).join(', ')
}
