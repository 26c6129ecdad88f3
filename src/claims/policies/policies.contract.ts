// By what a company decides: a version is kept for ever, and frozen on each claim.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { Cents } from '#funds/terms.contract.ts'
import { get, patch, post, put } from '#lib/contract.ts'

/** Then no claim needs a second approver. */
export const never_two_cents = 1e12

export const PolicyTerms = z.object({
  auto_approve_cents: Cents.max(1e9),
  auto_approve_per_month: z.int().min(0).max(100),
  /** Percent of those that could be approved by themselves which a person looks at all the same. */
  spot_check_percent: z.int().min(0).max(100),
  receipt_above_cents: Cents.max(1e9),
  /** Up to this one approver decides, above it two different ones. */
  one_approver_cents: Cents.max(never_two_cents),
  review_days: z.int().min(1).max(60),
  /** How many days a new or changed account waits for its first payout. */
  account_wait_days: z.int().min(0).max(60),
})

export const Policy = PolicyTerms.extend({
  version: z.int(),
  since: z.iso.datetime(),
  by_name: z.string().nullable(),
  note: z.string().nullable(),
})

export const ClaimType = z.object({
  id: z.uuid(),
  category: Category,
  name: z.string(),
  active: z.boolean(),
  claims: z.int(),
})
const TypeName = z.string().trim().min(2, 'Give it a name').max(60, 'At most 60 characters')

export const policies = {
  current: get(
    '/claim-policy',
    z.object({}),
    Policy.extend({ admins: z.int(), currency: z.string() }),
  ),
  history: get('/claim-policy/history', z.object({}), Policy.array()),
  /** What the last twelve months would have looked like under these terms, beside what they were. */
  preview: post(
    '/claim-policy/preview',
    PolicyTerms,
    z.object({
      claims: z.int(),
      now: z.object({ automatic: z.int(), one_review: z.int(), two_reviews: z.int() }),
      instead: z.object({ automatic: z.int(), one_review: z.int(), two_reviews: z.int() }),
      automatic_cents_now: z.int(),
      automatic_cents_then: z.int(),
    }),
  ),
  change: put(
    '/claim-policy',
    PolicyTerms.extend({ version: z.int(), note: z.string().trim().max(500).optional() }),
    Policy,
  ),
  types: get('/claim-types', z.object({}), ClaimType.array()),
  add_type: post('/claim-types', z.object({ category: Category, name: TypeName }), ClaimType),
  change_type: patch(
    '/claim-types/:id',
    z.object({ id: z.uuid(), name: TypeName.optional(), active: z.boolean().optional() }),
    ClaimType,
  ),
}
