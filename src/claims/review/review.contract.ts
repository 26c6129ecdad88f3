// The acts of the company's reviewers on claims.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { PositiveCents } from '#funds/terms.contract.ts'
import { get, post, Refusal, SearchText } from '#lib/contract.ts'
import { NextSecondPerson } from '#users/rights.contract.ts'
import { Claim, ClaimCounts, ClaimId, most_lines, ClaimDetail } from '#claims/claims.contract.ts'
import { ClaimState, Question, ReasonCode, Sentence } from '#claims/words.contract.ts'

/** Why this admin may not do each act now. */
const ReviewRefusals = z.object({
  /** `approve`: all of it or a part. */
  approve: Refusal,
  approve_whole: Refusal,
  approve_many: Refusal,
  reject: Refusal,
  ask: Refusal,
  withdraw_question: Refusal,
  reverse: Refusal,
})

/** An admin who may decide on it, perhaps in place of one who is away. */
export const Assignee = z.object({ name: z.string(), for_name: z.string().nullable() })

/** `assigned_to` after an approval: who decides next. Null: any reviewer who is here; empty: nobody. */
const ApprovedClaim = Claim.extend({ assigned_to: Assignee.array().nullable() })

const QueueCounts = ClaimCounts.extend({ overdue: z.int() })

export type QueuedClaim = z.infer<typeof QueuedClaim>
export const QueuedClaim = Claim.extend({
  person_id: z.uuid(),
  person_name: z.string(),
  /** The employee is suspended and can’t answer until re-activated. */
  suspended: z.boolean(),
  /** Working days until the deadline, below zero after it; null while the clock stands still. */
  days_left: z.int().nullable(),
  overdue: z.boolean(),
  refusals: ReviewRefusals,
  suspicion: z.int().min(0).max(100),
  /** The amount that an earlier approval left: the next may only lower it. */
  passed_cents: z.int().nullable(),
  /** Null: any reviewer who is here; empty: nobody. */
  assigned_to: Assignee.array().nullable(),
})

/** A claim at least this much like another is not approved with one press. */
export const isDoubtful = (suspicion: number) => suspicion >= 50

export const ReviewFilter = z.object({
  search: SearchText.optional(),
  status: ClaimState.optional(),
  category: Category.optional(),
  overdue: z.stringbool().optional(),
  person_id: z.uuid().optional(),
  /** Waiting claims begin with the oldest. */
  sort: z.enum(['oldest', 'newest', 'amount', '-amount']).default('oldest'),
})

export type Duplicate = z.infer<typeof Duplicate>
export const Duplicate = z.object({
  /** The same file, a picture that looks the same, or a bill of the same amount and day. */
  kind: z.enum(['same_file', 'same_picture', 'same_facts']),
  score: z.int().min(0).max(100),
  /** Null if the other claim is another person's: that is never shown. */
  claim_id: z.int().nullable(),
})
export type LikeClaim = z.infer<typeof LikeClaim>
export const LikeClaim = Duplicate.extend({
  /** Null if the other claim is not shown. */
  other: z.object({ amount_cents: z.int(), service_on: z.iso.date() }).nullable(),
})

/** An approval that the claim needs: by whom, and up to how much. */
export type ClaimStep = z.infer<typeof ClaimStep>
export const ClaimStep = z.object({
  nth: z.int(),
  who: z.enum(['reviewers', 'owners', 'people', 'manager']),
  names: z.string().array(),
  deputy_name: z.string().nullable(),
  most_cents: z.int().nullable(),
  days: z.int().nullable(),
})

export type ReviewedClaim = z.infer<typeof ReviewedClaim>
export const ReviewedClaim = ClaimDetail.extend({
  person_id: z.uuid(),
  person_name: z.string(),
  suspended: QueuedClaim.shape.suspended,
  department: z.string().nullable(),
  left_on: z.iso.date().nullable(),
  days_left: z.int().nullable(),
  refusals: ReviewRefusals,
  passed_cents: QueuedClaim.shape.passed_cents,
  step_most_cents: z.int().nullable(),
  /** The approvals that it needs, in order; with none, one by any reviewer. */
  steps: z.array(ClaimStep),
  approvals_needed: z.int(),
  approvals: z.array(
    z.object({ by_name: z.string(), at: z.iso.datetime(), amount_cents: z.int() }),
  ),
  duplicates: LikeClaim.array(),
  available_cents: z.int(),
  restricted_receipts: z.int(),
  /** The assignees while it waits for its reviewers; empty: nobody available may decide. */
  assigned_to: Assignee.array().nullable(),
  /** The next person to count as another reviewer, a day after the right was given. */
  next_second_person: NextSecondPerson.nullable(),
})

/** A lower amount than claimed needs a reason, which the employee reads. */
const LineDecision = z.object({
  approved_cents: z.int().min(0),
  reason: Sentence.optional(),
})

/** Why somebody opens restricted receipts; their employee reads it. */
export const Purpose = z
  .string()
  .trim()
  .min(3, 'Say why in at least 3 characters')
  .max(200, 'At most 200 characters')

const RefusedClaim = z.object({ id: z.int(), code: z.string(), sentence: z.string() })

/** The outcome of each: a refusal of one stops no other. */
export type BulkOutcome = z.infer<typeof BulkOutcome>
export const BulkOutcome = z.object({ done: z.array(z.int()), refused: RefusedClaim.array() })

export const most_at_once = 100

const SeenClaims = z
  .array(z.object({ id: z.int().positive(), version: z.int() }))
  .min(1)
  .max(most_at_once)

export const review = {
  queue: get(
    '/review/claims',
    ReviewFilter.extend({
      after: z.string().max(2000).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    z.object({
      claims: QueuedClaim.array(),
      next: z.string().nullable(),
      /** Null if a search or several filters leave more than a thousand. */
      total: z.int().nullable(),
    }),
    { alone: true },
  ),
  summary: get('/review/summary', z.object({}), QueueCounts),
  /** Figures of waiting claims alone, which everybody who works for the company may see. */
  waiting: get(
    '/review/waiting',
    z.object({}),
    QueueCounts.pick({ pending: true, pending_cents: true, overdue: true, currency: true }),
  ),
  find: get('/review/claims/:id', ClaimId, ReviewedClaim),
  /** Opens restricted receipts for half an hour, to holders of the right to receipts. */
  open_receipts: post(
    '/review/claims/:id/receipts',
    ClaimId.extend({ purpose: Purpose }),
    ReviewedClaim,
  ),
  approve: post(
    '/review/claims/:id/approval',
    ClaimId.extend({
      version: z.int(),
      /** A lower amount than claimed approves a part, with the reason. */
      amount_cents: PositiveCents.optional(),
      text: Sentence.optional(),
      /** Decisions on the lines of a claim, in their order; a claim with lines needs one for each. */
      lines: LineDecision.array().max(most_lines).optional(),
    }),
    ApprovedClaim,
  ),
  approve_many: post('/review/approvals', z.object({ claims: SeenClaims }), BulkOutcome),
  /** One reason and text for all of them. */
  reject_many: post(
    '/review/rejections',
    z.object({ claims: SeenClaims, reason: ReasonCode, text: Sentence }),
    BulkOutcome,
  ),
  ask_many: post(
    '/review/questions',
    z.object({ claims: SeenClaims, text: Question }),
    BulkOutcome,
  ),
  /** The admin who decided may undo it for some seconds: nobody is notified before that. */
  undo: post('/review/claims/:id/undo', ClaimId, Claim),
  undo_many: post(
    '/review/undos',
    z.object({ claims: z.array(ClaimId).min(1).max(most_at_once) }),
    BulkOutcome,
  ),
  reject: post(
    '/review/claims/:id/rejection',
    ClaimId.extend({ version: z.int(), reason: ReasonCode, text: Sentence }),
    Claim,
  ),
  ask: post(
    '/review/claims/:id/question',
    ClaimId.extend({ version: z.int(), text: Question }),
    Claim,
  ),
  withdraw_question: post(
    '/review/claims/:id/question/withdrawal',
    ClaimId.extend({ version: z.int() }),
    Claim,
  ),
  reverse: post(
    '/review/claims/:id/reversal',
    ClaimId.extend({ version: z.int(), text: Sentence }),
    Claim,
  ),
}
