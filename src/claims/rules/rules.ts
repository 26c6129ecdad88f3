// The rules that evaluate a claim before a person looks at it. Each says which facts it looks at, what it found and what follows;
// none asks a database or a clock. trace-words.ts has the sentences.
import {
  withCurrency,
  suspicionOf,
  claimWithReceipt,
  type Draft,
  type Inputs,
  type Requirement,
  type RuleFacts,
} from './rule-facts.ts'
import { limit_requirements } from './limits.ts'
import { receiptMatch } from './receipt-match.ts'
import type { TraceRule } from '#claims/words.contract.ts'

export const requirements: readonly Requirement[] = [
  {
    rule: 'amount_and_bill',
    code: 'amount_over_bill',
    field: 'amount_cents',
    needs: ['bill_cents', 'amount_cents'],
    fulfilled: ({ amount_cents, bill_cents }) => amount_cents <= bill_cents,
    otherwise: (c, f) => `The bill is ${withCurrency(c.bill_cents, f)}. Claim that amount or less`,
    inputs: ({ amount_cents, bill_cents }) => ({ amount_cents, bill_cents }),
  },
  {
    rule: null,
    code: 'lines_differ',
    field: 'lines',
    needs: ['lines', 'amount_cents'],
    fulfilled: ({ lines = [], amount_cents }) =>
      lines.length === 0 || totalOf(lines) === amount_cents,
    otherwise: ({ lines = [] }, f) =>
      `The lines come to ${withCurrency(totalOf(lines), f)}, which is not the amount claimed`,
  },
  {
    rule: 'type_of_claim',
    code: 'type_inactive',
    field: 'type_id',
    needs: ['type_id', 'category'],
    fulfilled: ({ category }, { type }) => Boolean(type?.active && type.category === category),
    otherwise: () => 'Your company no longer offers this type. Choose another one',
    inputs: (_, { type }) => ({ type: type?.name ?? '' }),
  },
  {
    rule: 'for_oneself',
    code: 'dependent_needed',
    field: 'dependent_id',
    needs: ['category'],
    fulfilled: ({ category, dependent_id }) => category !== 'solidarity' || Boolean(dependent_id),
    otherwise: () => 'Solidarity is for your family: choose who this was for',
    inputs: ({ category }) => (category === 'solidarity' ? null : {}),
  },
  {
    rule: null,
    code: 'only_for_yourself',
    field: 'dependent_id',
    needs: ['category'],
    fulfilled: ({ category, dependent_id }) => category === 'solidarity' || !dependent_id,
    otherwise: () => 'Prevention and Treatment are for yourself. For a dependent choose Solidarity',
  },
  {
    rule: 'dependent',
    code: 'not_your_dependent',
    field: 'dependent_id',
    needs: ['dependent_id'],
    fulfilled: ({ dependent_id }, { dependent }) => !dependent_id || dependent !== null,
    otherwise: () => 'This person is not among your dependents. Add them on Dependents first',
    inputs: (_, { dependent }) => dependent && { name: dependent.full_name },
  },
  {
    rule: 'dependent_covered',
    code: 'dependent_not_covered',
    field: 'service_on',
    needs: ['dependent_id', 'service_on'],
    fulfilled: (_, { dependent }) => dependent === null || dependent.covered === true,
    otherwise: ({ service_on }, { dependent }) =>
      `${dependent?.full_name} was not covered on ${service_on}. Look at the dates on Dependents`,
    inputs: ({ service_on }, { dependent }) =>
      dependent && { name: dependent.full_name, service_on },
  },
  {
    rule: 'service_date',
    code: 'service_in_future',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: ({ service_on }, { today }) => service_on <= today,
    otherwise: () => 'That date is in the future. Claim after the appointment',
    inputs: ({ service_on }, { today }) => ({ service_on, today }),
  },
  {
    rule: 'plan_year',
    code: 'no_plan_year_then',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: (_, { year }) => year !== null,
    otherwise: () => 'Your company had no plan on this day, so nothing can be claimed for it',
    inputs: (_, { year }) => year && { plan_year: year.plan_year },
  },
  {
    rule: 'employment',
    code: 'service_not_covered',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: ({ service_on }, { person }) =>
      service_on >= person.joined_on && (!person.left_on || service_on <= person.left_on),
    otherwise: (_, { person: { joined_on, left_on } }) =>
      `Your cover starts on ${joined_on}${left_on ? ` and ends on ${left_on}` : ''}. ` +
      `Services ${left_on ? 'outside these days' : 'before that day'} aren’t covered. ` +
      'If a day is wrong, HR can correct it.',
    inputs: ({ service_on }) => ({ service_on }),
  },
  {
    rule: 'filing_deadline',
    code: 'filed_too_late',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: (_, { year }) => !year || year.takes_claims,
    otherwise: (_, { year }) =>
      `Claims for this day could be made until ${year?.filing_ends_on ?? ''}`,
    inputs: (_, { year, today }) => ({ today, filing_ends_on: year?.filing_ends_on ?? '' }),
  },
  {
    rule: 'available_balance',
    code: 'fund_exhausted',
    field: 'amount_cents',
    needs: ['amount_cents', 'category', 'service_on'],
    fulfilled: ({ amount_cents }, { year, available_cents }) =>
      !year || amount_cents <= available_cents,
    otherwise: (_, facts) => {
      const { available_cents, coming } = facts
      const more = coming ? `, ${withCurrency(coming.cents, facts)} more on ${coming.on}` : ''
      return available_cents > 0
        ? `Only ${withCurrency(available_cents, facts)} is available${more && ` now${more}`}. Claim that amount or less`
        : more
          ? `Nothing is available now${more}`
          : 'Nothing is left in this category and plan year'
    },
    inputs: ({ amount_cents }, { available_cents, plan_group, coming }) => ({
      amount_cents,
      left_cents: available_cents,
      ...(plan_group ? { plan_group } : {}),
      ...(coming ? { more_cents: coming.cents, more_on: coming.on } : {}),
    }),
  },
  ...limit_requirements,
  {
    rule: 'receipt',
    code: 'receipt_needed',
    field: 'receipt_ids',
    needs: ['amount_cents', 'receipt_ids'],
    fulfilled: ({ amount_cents, receipt_ids }, { policy }) =>
      receipt_ids.length > 0 || amount_cents <= policy.receipt_above_cents,
    otherwise: (_, facts) =>
      `Above ${withCurrency(facts.policy.receipt_above_cents, facts)} your company needs a receipt`,
    inputs: ({ receipt_ids }, { policy }) => ({
      receipts: receipt_ids.length,
      receipt_above_cents: policy.receipt_above_cents,
    }),
  },
  {
    rule: null,
    code: 'receipt_gone',
    field: 'receipt_ids',
    needs: ['receipt_ids'],
    fulfilled: (_, { receipts }) => receipts.every(({ there }) => there),
    otherwise: () => 'A receipt was deleted meanwhile. Add it again',
  },
  {
    rule: 'receipt_is_new',
    code: 'receipt_used',
    field: 'receipt_ids',
    needs: ['receipt_ids'],
    fulfilled: (_, facts) => claimWithReceipt(facts) === undefined,
    otherwise: (_, facts) => `This receipt is on your claim #${claimWithReceipt(facts)} already`,
    inputs: ({ receipt_ids }, facts) =>
      receipt_ids.length > 0 ? { claim_id: claimWithReceipt(facts) ?? null } : null,
  },
]

/** Days that HR or the person may have corrected while a receipt was read: looked at again with it. */
export const cover_rules: ReadonlySet<TraceRule | null> = new Set<TraceRule>([
  'employment',
  'dependent_covered',
])

const totalOf = (lines: { amount_cents: number }[]) =>
  lines.reduce((cents, { amount_cents }) => cents + amount_cents, 0)

/** The conditions for an automatic approval. If one fails, a person decides. */
type Condition = {
  rule: TraceRule
  /** Null if the rule has nothing to say. */
  evaluate: (draft: Draft, facts: RuleFacts) => { fine: boolean; facts: Inputs } | null
}

export const conditions: readonly Condition[] = [
  {
    rule: 'automatic_limit',
    evaluate: ({ amount_cents }, { policy: { auto_approve_cents } }) => ({
      fine: amount_cents <= auto_approve_cents,
      facts: { amount_cents, auto_approve_cents },
    }),
  },
  {
    rule: 'receipt_match',
    evaluate: receiptMatch,
  },
  {
    rule: 'duplicates',
    evaluate: (draft, facts) => {
      const alike = suspicionOf(draft, facts) > 0
      return { fine: !alike, facts: { alike } }
    },
  },
  {
    rule: 'automatic_this_month',
    evaluate: (_, { past, policy: { auto_approve_per_month } }) => ({
      fine: past.automatic < auto_approve_per_month,
      facts: { this_month: past.automatic, at_most: auto_approve_per_month },
    }),
  },
  {
    rule: 'spot_check',
    evaluate: (_, { spot_check_draw, policy: { spot_check_percent } }) => ({
      fine: spot_check_draw >= spot_check_percent,
      facts: { spot_check_draw, below: spot_check_percent },
    }),
  },
  {
    rule: 'people_decide',
    evaluate: (_, { people_decide }) => (people_decide ? { fine: false, facts: {} } : null),
  },
  {
    rule: 'own_policy',
    evaluate: (_, { policy: { by_claimant } }) => (by_claimant ? { fine: false, facts: {} } : null),
  },
]
