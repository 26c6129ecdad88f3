// The policy of a company: a version is kept for ever, and frozen on each claim.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { Cents } from '#funds/terms.contract.ts'
import { get, patch, post, put, Refusal } from '#lib/contract.ts'
import { PolicyGaps } from './gaps.contract.ts'
import { ApprovalSteps } from './steps.contract.ts'
import { OneLine } from '#lib/one-line.ts'

export const PolicyTerms = z.object({
  auto_approve_cents: Cents.max(1e9),
  auto_approve_per_month: z.int().min(0).max(100),
  /** Percent of automatic approvals that a person looks at anyway. */
  spot_check_percent: z.int().min(0).max(100),
  receipt_above_cents: Cents.max(1e9),
  steps: ApprovalSteps,
  review_days: z.int().min(1).max(60),
  /** The days that a new or changed bank account waits for its first payout. */
  account_wait_days: z.int().min(0).max(60),
})

export const Policy = PolicyTerms.extend({
  version: z.int(),
  since: z.iso.datetime(),
  by_name: z.string().nullable(),
  note: z.string().nullable(),
  names: z.record(z.uuid(), z.string()),
})

export const ClaimType = z.object({
  id: z.uuid(),
  category: Category,
  name: z.string(),
  active: z.boolean(),
  claims: z.int(),
})
const TypeName = OneLine.min(2, 'Give it a name').max(60, 'At most 60 characters')

const StepChoice = z.object({ id: z.uuid(), name: z.string() })
const ClaimSplit = z.object({ automatic: z.int(), one_review: z.int(), more_reviews: z.int() })

export type Preview = z.infer<typeof Preview>
export const Preview = z.object({
  claims: z.int(),
  /** Why these terms can't be saved. */
  refusal: Refusal,
  now: ClaimSplit,
  instead: ClaimSplit,
  automatic_cents_now: z.int(),
  automatic_cents_then: z.int(),
  /** How much each step would have decided, and how many days its people usually took. */
  steps: z
    .object({
      number: z.int(),
      claims: z.int(),
      amount_cents: z.int(),
      days: z.number().nullable(),
    })
    .array(),
})

export const policies = {
  current: get('/claim-policy', z.object({}), Policy.extend({ currency: z.string() })),
  history: get('/claim-policy/history', z.object({}), Policy.array()),
  /** The gaps of the policy in force; with `without`, those it would have without one of its reviewers. */
  gaps: get('/claim-policy/gaps', z.object({ without: z.uuid().optional() }), PolicyGaps),
  /** The last twelve months as they were, and as they would have been under these terms. */
  preview: post('/claim-policy/preview', PolicyTerms, Preview),
  /** The people that a step can name, and the departments it can be for. */
  step_choices: get(
    '/claim-policy/step-choices',
    z.object({}),
    z.object({
      people: StepChoice.array(),
      groups: StepChoice.array(),
      departments: z.string().array(),
    }),
  ),
  change: put(
    '/claim-policy',
    PolicyTerms.extend({
      version: z.int(),
      note: z.string().trim().max(500, 'At most 500 characters').optional(),
    }),
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
