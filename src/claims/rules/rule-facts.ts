// The facts that the rules of a claim use, read by the database (claim_facts in facts.sql), and the draw.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { decimal } from '#lib/money.ts'
import type { ProblemCode } from '#problems.ts'
import { BlackedRead } from '#receipts/marks.contract.ts'
import type { ClaimDraft } from '#claims/claims.contract.ts'
import { OwnLimit } from '#claims/policies/limits.contract.ts'
import { sameProvider } from './provider.ts'
import { ApprovalStep } from '#claims/policies/steps.contract.ts'
import { Duplicate } from '#claims/review/review.contract.ts'
import type { TraceRule, TraceStep } from '#claims/words.contract.ts'

export type Draft = Omit<z.output<typeof ClaimDraft>, 'dependent_id'> & {
  dependent_id: string | null
}

/** The fields of a draft, as a submitted claim has them. */
export const KnownDraft = z.object({
  category: Category,
  dependent_id: z.uuid().nullable(),
  type_id: z.uuid(),
  provider: z.string(),
  service_on: z.iso.date(),
  bill_cents: z.int(),
  amount_cents: z.int(),
})

const PolicyInForce = z.object({
  version: z.int(),
  auto_approve_cents: z.int(),
  auto_approve_per_month: z.int(),
  spot_check_percent: z.int(),
  receipt_above_cents: z.int(),
  steps: ApprovalStep.array(),
  review_days: z.int(),
  /** The claimant wrote this policy version. */
  by_claimant: z.boolean(),
})

const Main = z.object({
  today: z.iso.date(),
  currency: z.string(),
  policy: PolicyInForce,
  /** The policy's steps that it has to pass; with none, one reviewer decides. */
  steps: z.array(z.object({ number: z.int() })),
  person: z.object({
    joined_on: z.iso.date(),
    left_on: z.iso.date().nullable(),
  }),
  type: z.object({ name: z.string(), category: Category, active: z.boolean() }).nullable(),
  year: z
    .object({
      plan_year: z.iso.date(),
      ends_on: z.iso.date(),
      /** The person's last day for claims of the year. */
      filing_ends_on: z.iso.date(),
      takes_claims: z.boolean(),
    })
    .nullable(),
  available_cents: z.int(),
  /** The group by whose plan the person is granted; null for the company's plan. */
  plan_group: z.string().nullable().optional(),
  /** The next grant in the category, if the plan is by month. */
  coming: z.object({ on: z.iso.date(), cents: z.int() }).nullable().optional(),
})

/** The facts as the database answers them. */
export const ReadFacts = z
  .object({
    main: Main,
    dependent: z.object({ full_name: z.string(), covered: z.boolean().nullable() }).nullable(),
    past: z.object({
      automatic: z.int(),
      same: z.array(z.object({ claim_id: z.int(), provider: z.string() })),
    }),
    receipts: z.array(
      z.object({
        id: z.uuid(),
        there: z.boolean(),
        claim_id: z.int().nullable(),
        read_state: z.enum(['waiting', 'reading', 'read', 'unreadable']).nullable(),
        read_amount_cents: z.int().nullable(),
        read_currency: z.string().nullable(),
        read_on: z.iso.date().nullable(),
        read_provider: z.string().nullable(),
        /** Whether the provider's name that is now blacked out was the claim's. */
        same_provider: z.boolean().nullable(),
        /** Facts for the rules alone, not for the trace. */
        blacked_reads: BlackedRead.array(),
      }),
    ),
    duplicates: z.array(Duplicate),
    /** The policy's limits for its person; none for a claim that is already submitted. */
    limits: z.array(OwnLimit),
    /** The draw of an earlier claim about the same bill. */
    earlier_draw: z.int().nullable().optional(),
  })
  .transform(({ main, ...rest }) => ({ ...main, ...rest }))

export type RuleFacts = Omit<z.infer<typeof ReadFacts>, 'earlier_draw'> & {
  /** 0 to 99, drawn once for each claim: a person looks if it is below the policy's share. */
  spot_check_draw: number
  /** Somebody asked about it or decided on it: from then on no rule approves it. */
  people_decide?: boolean | undefined
}

export type Inputs = TraceStep['facts']

/** A condition without which the claim can't be made. */
export type Requirement = {
  rule: TraceRule | null
  code: ProblemCode
  field: keyof Draft
  /** A rule is checked once all of these are filled in. */
  needs: readonly (keyof Draft)[]
  fulfilled: (draft: Draft, facts: RuleFacts) => boolean
  otherwise: (draft: Draft, facts: RuleFacts) => string
  /** The facts that the trace keeps; null if there are none. */
  inputs?: (draft: Draft, facts: RuleFacts) => Inputs | null
}

/** Other claims that look like this one. Only those of the same person have their `claim_id`. */
export const duplicatesOf = (
  { provider }: Pick<Draft, 'provider'>,
  { duplicates, past }: Pick<RuleFacts, 'duplicates' | 'past'>,
): Duplicate[] => [
  ...duplicates,
  ...past.same.map(({ claim_id, provider: other }) => ({
    kind: 'same_facts' as const,
    score: sameProvider(other, provider) ? 90 : 50,
    claim_id,
  })),
]

/** 0: like no other claim. 100: the very same file is on another claim. */
export const suspicionOf = (
  draft: Pick<Draft, 'provider'>,
  facts: Pick<RuleFacts, 'duplicates' | 'past'>,
): number => Math.max(0, ...duplicatesOf(draft, facts).map(({ score }) => score))

/** The person's own claim that has one of these files already. */
export const claimWithReceipt = ({
  receipts,
  duplicates,
}: Pick<RuleFacts, 'receipts' | 'duplicates'>): number | undefined =>
  receipts.find(({ claim_id }) => claim_id !== null)?.claim_id ??
  duplicates.find(({ kind, claim_id }) => kind === 'same_file' && claim_id !== null)?.claim_id ??
  undefined

export const stillBeingRead = ({ read_state }: RuleFacts['receipts'][number]) =>
  read_state === 'waiting' || read_state === 'reading'

export const withCurrency = (cents: number, { currency }: Pick<RuleFacts, 'currency'>) =>
  `${decimal(cents, currency)} ${currency}`

type ReadAmount = { read_amount_cents: number | null; read_currency: string | null }

/** The amounts of receipts in this currency; null for one that has none, or one in another currency. */
export const amountsIn = (receipts: readonly ReadAmount[], currency: string) =>
  receipts.map(({ read_amount_cents, read_currency }) =>
    (read_currency ?? currency) === currency ? read_amount_cents : null,
  )

/**
 * The sum of several receipts. Two of the same amount have none: a bill and the slip of the card it was
 * paid with are one expense.
 */
export function jointBill(amounts: readonly (number | null)[]): number | undefined {
  const cents = amounts.flatMap((amount) => (amount === null ? [] : [amount]))
  const joint = cents.length > 1 && cents.length === amounts.length
  if (!joint || new Set(cents).size < cents.length) return undefined
  return cents.reduce((sum, amount) => sum + amount, 0)
}
