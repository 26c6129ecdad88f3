// The holders of a waiting claim, in words.
import type { z } from 'zod'
import { money } from '#ui/figures.ts'
import type { Claim } from '#claims/claims.contract.ts'
import type { ClaimHolder } from './review.contract.ts'

type Holders = readonly z.infer<typeof ClaimHolder>[] | null
export type WithHolders = { held_by: Holders }

const named_max = 3

/** The people who may decide on it now, by name; null: any reviewer. */
export function heldBy(held_by: Holders): string | null {
  if (held_by === null) return null
  if (held_by.length === 0) return 'nobody available'
  const names = held_by.map(({ name, for_name }) => (for_name ? `${name} for ${for_name}` : name))
  const more = names.length - named_max
  return names.slice(0, named_max).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Before the last approval it is pending still. */
export function approvedSentence(claim: Claim & WithHolders): string {
  const { status, held_by, amount_cents, approved_cents, currency } = claim
  const text = (cents: number) => money(cents, currency)
  const part =
    approved_cents !== null && approved_cents < amount_cents
      ? ` in part: ${text(approved_cents)} of ${text(amount_cents)}`
      : ''
  if (status !== 'pending') return `Claim #${claim.id} approved${part}`
  const done = `Your approval of claim #${claim.id} counts`
  if (held_by?.length === 0) return `${done}. Nobody available can give the next one yet`
  const one_of = held_by && held_by.length > 1 ? 'One of ' : ''
  return `${done}. ${one_of}${heldBy(held_by) ?? 'Another reviewer'} decides next`
}
