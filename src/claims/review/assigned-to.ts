// The assignees of a waiting claim, in words.
import type { z } from 'zod'
import { money } from '#ui/figures.ts'
import type { Claim } from '#claims/claims.contract.ts'
import type { Assignee } from './review.contract.ts'

type Assignees = readonly z.infer<typeof Assignee>[] | null
export type WithAssignees = { assigned_to: Assignees }

const named_max = 3

/** The people who may decide on it now, by name; null: any reviewer. */
export function assignedTo(assigned_to: Assignees): string | null {
  if (assigned_to === null) return null
  if (assigned_to.length === 0) return 'nobody available'
  const names = assigned_to.map(({ name, for_name }) =>
    for_name ? `${name} for ${for_name}` : name,
  )
  const more = names.length - named_max
  return names.slice(0, named_max).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** The sentence after an approval; the claim is still pending if another approval follows. */
export function approvedSentence(claim: Claim & WithAssignees): string {
  const { status, assigned_to, amount_cents, approved_cents, currency } = claim
  const text = (cents: number) => money(cents, currency)
  const part =
    approved_cents !== null && approved_cents < amount_cents
      ? ` in part: ${text(approved_cents)} of ${text(amount_cents)}`
      : ''
  if (status !== 'pending') return `Claim #${claim.id} approved${part}`
  const done = `Your approval of claim #${claim.id} counts`
  if (assigned_to?.length === 0) return `${done}. Nobody available can give the next one yet`
  const one_of = assigned_to && assigned_to.length > 1 ? 'One of ' : ''
  return `${done}. ${one_of}${assignedTo(assigned_to) ?? 'Another reviewer'} decides next`
}
