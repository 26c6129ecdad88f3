// The claims of an employee, and their decisions.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { Day } from '#lib/days.ts'
import { PositiveCents } from '#funds/terms.contract.ts'
import { OwnLimit } from './policies/limits.contract.ts'
import { receipt_limits } from '#receipts/limits.contract.ts'
import { ReceiptFacts } from '#receipts/marks.contract.ts'
import { get, post, Refusal } from '#lib/contract.ts'
import {
  Answer,
  ClaimState,
  ClaimStatus,
  Payment,
  ReasonCode,
  Sentence,
  ClaimStage,
  TraceStep,
} from './words.contract.ts'
import { OneLine } from '#lib/one-line.ts'

export const ClaimId = z.object({ id: z.coerce.number().int().positive() })

/** The lines of a claim, if its person named any: each is decided on separately. */
export const ClaimLine = z.object({
  what: OneLine.min(1, 'Say what it is').max(100, 'At most 100 characters'),
  amount_cents: PositiveCents,
})
export const most_lines = 20

/** The same receipt twice counts once. */
const ReceiptIds = z
  .array(z.uuid())
  .max(receipt_limits.each_claim, `At most ${receipt_limits.each_claim} receipts`)
  .refine((ids) => new Set(ids).size === ids.length, 'Each receipt once')

export const ClaimDraft = z.object({
  category: Category,
  /** Null: for the employee. Solidarity is for a dependent, and only Solidarity is. */
  dependent_id: z.uuid().nullish(),
  type_id: z.uuid(),
  provider: OneLine.min(2, 'Enter the provider').max(200),
  service_on: Day(),
  bill_cents: PositiveCents,
  amount_cents: PositiveCents,
  note: z.string().trim().max(1000, 'Write at most 1,000 characters').optional(),
  lines: ClaimLine.array().max(most_lines, `At most ${most_lines} lines`).optional(),
  receipt_ids: ReceiptIds,
})

/** A claim as a list shows it. `id` is the number people see: Claim #17. */
export type Claim = z.infer<typeof Claim>
export const Claim = z.object({
  id: z.int(),
  version: z.int(),
  category: Category,
  type_name: z.string(),
  for_whom: z.string().nullable(),
  provider: z.string(),
  service_on: z.iso.date(),
  bill_cents: z.int(),
  amount_cents: z.int(),
  approved_cents: z.int().nullable(),
  currency: z.string(),
  status: ClaimStatus,
  stage: ClaimStage.nullable(),
  /** The claim was decided before, and waits for another decision. */
  is_appeal: z.boolean(),
  payment: Payment.nullable(),
  paid_on: z.iso.date().nullable(),
  submitted_at: z.iso.datetime(),
  reviewed_at: z.iso.datetime().nullable(),
  receipts: z.int(),
  automatic: z.boolean(),
})

export type ClaimEvent = z.infer<typeof ClaimEvent>
export const ClaimEvent = z.object({
  at: z.iso.datetime(),
  event: z.enum([
    'submitted',
    'approved_by_policy',
    'approved_step',
    'approved',
    'rejected',
    'asked',
    'answered',
    'question_withdrawn',
    'withdrawn',
    'expired',
    'appealed',
    'rest_appealed',
    'put_in_run',
    'taken_from_run',
    'paid',
    'payment_returned',
    'reversed',
  ]),
  by_name: z.string().nullable(),
  by_role: z.enum(['employee', 'company_admin', 'system']),
  text: z.string().nullable(),
  reason: ReasonCode.nullable(),
  amount_cents: z.int().nullable(),
  /** When the reviewer undid this decision; the employee never sees it. */
  undone_at: z.iso.datetime().nullable(),
})

export const ClaimReceipt = ReceiptFacts.extend({
  media_type: z.string(),
  pages: z.int().nullable(),
})

export type DecidedLine = z.infer<typeof DecidedLine>
export const DecidedLine = z.object({
  what: z.string(),
  amount_cents: z.int(),
  /** The amount that the last decision approved; null: all of it, or none yet. */
  approved_cents: z.int().nullable(),
  reason: z.string().nullable(),
})

/** The side that has to act now; its approval is the `nth` of `of`. */
export type ClaimWait = z.infer<typeof ClaimWait>
const ClaimWait = z.object({ who: z.enum(['hr', 'employee']), nth: z.int(), of: z.int() })

export type ClaimDetail = z.infer<typeof ClaimDetail>
export const ClaimDetail = Claim.extend({
  dependent_id: z.uuid().nullable(),
  type_id: z.uuid(),
  note: z.string().nullable(),
  lines: DecidedLine.array(),
  plan_year: z.iso.date(),
  receipts_list: ClaimReceipt.array(),
  events: ClaimEvent.array(),
  trace: TraceStep.array(),
  /** When the checks in the trace were made; decisions come after them. */
  checked_at: z.iso.datetime().nullable(),
  /** When receipts were checked again, because an answer or an appeal brought one. */
  receipts_checked_at: z.iso.datetime().nullable(),
  /** The policy version that decides on this claim, if it is pending and a newer version is in force. */
  earlier_policy: z.int().nullable(),
  question: z.string().nullable(),
  /** Null when nobody has to act. */
  waits_for: ClaimWait.nullable(),
  rejection: z.object({ reason: ReasonCode, text: z.string() }).nullable(),
  /**
   * `appeal_of`: the claim, approved in part, whose rest this one claims. `appealed_as`: the claim that claims the rest of this
   * one.
   */
  appeal_of: z.int().nullable(),
  appealed_as: z.int().nullable(),
  /** The reason, for each act, why its employee may not do it now; `again` is to claim its bill once more. */
  refusals: z.object({ withdraw: Refusal, answer: Refusal, appeal: Refusal, again: Refusal }),
  appeal_ends_on: z.iso.date().nullable(),
  /** The deadline of the decision; null while an answer is awaited, and once it is decided. */
  due_at: z.iso.datetime().nullable(),
  overdue: z.boolean(),
  /** Public holidays between its submission and its deadline, or its decision. */
  holidays: z.array(z.object({ on_day: z.iso.date(), name: z.string() })),
})

/** The choices that the form offers this person today. */
export type ClaimOptions = z.infer<typeof ClaimOptions>
export const ClaimOptions = z.object({
  currency: z.string(),
  today: z.iso.date(),
  earliest: z.iso.date(),
  receipt_above_cents: z.int(),
  auto_approve_cents: z.int(),
  types: z.array(z.object({ id: z.uuid(), category: Category, name: z.string() })),
  dependents: z.array(
    z.object({
      id: z.uuid(),
      full_name: z.string(),
      relationship: z.enum(['spouse', 'child', 'parent']),
      covered_from: z.iso.date(),
      covered_to: z.iso.date().nullable(),
    }),
  ),
  years: z.array(
    z.object({
      plan_year: z.iso.date(),
      ends_on: z.iso.date(),
      filing_ends_on: z.iso.date(),
      available: z.record(Category, z.int()),
    }),
  ),
  joined_on: z.iso.date(),
  /** The policy's limits for this person, with what each counts of their claims. */
  limits: OwnLimit.array(),
})

/** A check has a code of its own, shown before submitting, beside the input `field`. */
const DraftChecks = z.object({
  problems: z.array(
    z.object({
      code: z.string(),
      sentence: z.string(),
      field: z.string(),
      facts: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  left_cents: z.int().nullable(),
  /** The person's own claims that this one resembles: a warning, no refusal. */
  looks_like: z.int().array(),
  /** The outcome to expect: decided at once by the policy, or by so many people. */
  would: z.enum(['be_approved', 'one_review', 'more_reviews']).nullable(),
  trace: TraceStep.array(),
})

export const ClaimCounts = z.object({
  total: z.int(),
  pending: z.int(),
  approved: z.int(),
  reversed: z.int(),
  rejected: z.int(),
  withdrawn: z.int(),
  claimed_cents: z.int(),
  approved_cents: z.int(),
  pending_cents: z.int(),
  currency: z.string(),
})

const Reply = ClaimId.extend({
  text: Sentence,
  receipt_ids: ReceiptIds.default([]),
})

export const claims = {
  options: get('/claims/options', z.object({}), ClaimOptions),
  check: post('/claims/check', ClaimDraft.partial(), DraftChecks),
  submit: post('/claims', ClaimDraft, Claim, { idempotent: true }),
  mine: get(
    '/claims/mine',
    z.object({
      status: ClaimState.optional(),
      category: Category.optional(),
      /** Words of the provider, the type or the dependent. */
      search: z.string().trim().max(200).optional(),
      after: z.string().max(2000).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    z.object({ claims: Claim.array(), next: z.string().nullable() }),
  ),
  my_summary: get('/claims/mine/summary', z.object({}), ClaimCounts),
  find: get('/claims/:id', ClaimId, ClaimDetail),
  withdraw: post('/claims/:id/withdrawal', ClaimId, ClaimDetail),
  answer: post('/claims/:id/answer', Reply.extend({ text: Answer }), ClaimDetail),
  /** The rest of a claim approved in part becomes a claim of its own, which is the answer. */
  appeal: post('/claims/:id/appeal', Reply, ClaimDetail),
}
