// By what a claim is decided before a person looks at it. Each rule says what it looks at, what it found and
// what that does; nothing here asks a database or a clock. What is written here is what people are told.
import type { ProblemCode } from '#problems.ts'
import {
  dayText,
  fileUntil,
  stillBeingRead,
  sum,
  suspicionOf,
  usedBy,
  type Draft,
  type Facts,
} from './facts.ts'
import { sameProvider } from './provider.ts'
import type { TraceStep } from './words.contract.ts'

type Inputs = TraceStep['facts']

/** What has to be so, or the claim cannot be made. */
export type Requirement = {
  rule: string
  code: ProblemCode
  /** Beside which field of the form it is told. */
  field: keyof Draft
  /** It is looked at once all of these are filled in. */
  needs: readonly (keyof Draft)[]
  fulfilled: (draft: Draft, facts: Facts) => boolean
  /** What the trace says; null where there is nothing to say. */
  fine: (draft: Draft, facts: Facts) => string | null
  otherwise: (draft: Draft, facts: Facts) => string
  inputs?: (draft: Draft, facts: Facts) => Inputs
}

export const requirements: readonly Requirement[] = [
  {
    rule: 'Amount and bill',
    code: 'amount_over_bill',
    field: 'amount_cents',
    needs: ['bill_cents', 'amount_cents'],
    fulfilled: ({ amount_cents, bill_cents }) => amount_cents <= bill_cents,
    fine: (c, f) => `${sum(c.amount_cents, f)} claimed of a bill of ${sum(c.bill_cents, f)}`,
    otherwise: (c, f) => `The bill is ${sum(c.bill_cents, f)}. Claim that amount or less`,
    inputs: ({ amount_cents, bill_cents }) => ({ amount_cents, bill_cents }),
  },
  {
    rule: 'Type of claim',
    code: 'type_inactive',
    field: 'type_id',
    needs: ['type_id', 'category'],
    fulfilled: ({ category }, { type }) => Boolean(type?.active && type.category === category),
    fine: (_, { type }) => `Your company pays for ${type?.name}`,
    otherwise: () => 'Your company does not offer this type any more. Choose another one',
  },
  {
    rule: 'Who it is for',
    code: 'dependent_needed',
    field: 'dependent_id',
    needs: ['category'],
    fulfilled: ({ category, dependent_id }) => category !== 'solidarity' || Boolean(dependent_id),
    fine: ({ category }) =>
      category === 'solidarity' ? null : 'For the employee, not a dependent',
    otherwise: () => 'Solidarity is for your family: choose for whom this was',
  },
  {
    rule: 'Category',
    code: 'only_for_yourself',
    field: 'dependent_id',
    needs: ['category'],
    fulfilled: ({ category, dependent_id }) => category === 'solidarity' || !dependent_id,
    fine: () => null,
    otherwise: () => 'Prevention and Treatment are for yourself. For a dependent choose Solidarity',
  },
  {
    rule: 'Dependent',
    code: 'not_your_dependent',
    field: 'dependent_id',
    needs: ['dependent_id'],
    fulfilled: ({ dependent_id }, { dependent }) => !dependent_id || dependent !== null,
    fine: (_, { dependent }) => (dependent ? `For ${dependent.full_name}` : null),
    otherwise: () => 'This person is not among your dependents. Add them on Dependents first',
  },
  {
    rule: 'Dependent’s cover',
    code: 'dependent_not_covered',
    field: 'service_on',
    needs: ['dependent_id', 'service_on'],
    fulfilled: (_, { dependent }) => dependent === null || dependent.covered === true,
    fine: ({ service_on }, { dependent }) =>
      dependent ? `Covered on ${dayText(service_on)}` : null,
    otherwise: ({ service_on }, { dependent }) =>
      `${dependent?.full_name} was not covered on ${dayText(service_on)}. Look at the dates on Dependents`,
  },
  {
    rule: 'Service date',
    code: 'service_in_future',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: ({ service_on }, { today }) => service_on <= today,
    fine: ({ service_on }) => `The service was on ${dayText(service_on)}`,
    otherwise: () => 'That date is in the future. Claim after the appointment',
    inputs: ({ service_on }, { today }) => ({ service_on, today }),
  },
  {
    rule: 'Plan year',
    code: 'no_plan_year_then',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: (_, { year }) => year !== null,
    fine: (_, { year }) => year && `Belongs to the plan year from ${dayText(year.plan_year)}`,
    otherwise: () => 'Your company had no plan on this day, so nothing can be claimed for it',
  },
  {
    rule: 'Employment',
    code: 'service_not_covered',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: ({ service_on }, { person }) =>
      service_on >= person.joined_on && (!person.left_on || service_on <= person.left_on),
    fine: ({ service_on }) => `Employed on ${dayText(service_on)}`,
    otherwise: (_, { person: { joined_on, left_on } }) =>
      `Your cover starts on ${dayText(joined_on)}` +
      (left_on
        ? ` and ends on ${dayText(left_on)}. Choose a day between.`
        : '. Choose that day or later.'),
  },
  {
    rule: 'Filing deadline',
    code: 'filed_too_late',
    field: 'service_on',
    needs: ['service_on'],
    fulfilled: (_, facts) => !facts.year || (!facts.year.closed && facts.today <= fileUntil(facts)),
    fine: (_, facts) => `Filed by ${dayText(fileUntil(facts))}`,
    otherwise: (_, facts) => `Claims for this day could be made until ${dayText(fileUntil(facts))}`,
    inputs: (_, facts) => ({ today: facts.today, file_until: fileUntil(facts) }),
  },
  {
    rule: 'Available balance',
    code: 'fund_exhausted',
    field: 'amount_cents',
    needs: ['amount_cents', 'category', 'service_on'],
    fulfilled: ({ amount_cents }, { year, available_cents }) =>
      !year || amount_cents <= available_cents,
    fine: (_, facts) => `${sum(facts.available_cents, facts)} was available`,
    otherwise: (_, facts) =>
      facts.available_cents > 0
        ? `Only ${sum(facts.available_cents, facts)} is available. Claim that amount or less`
        : 'Nothing is left in this category and plan year',
    inputs: ({ amount_cents }, { available_cents }) => ({
      amount_cents,
      left_cents: available_cents,
    }),
  },
  {
    rule: 'Receipt',
    code: 'receipt_needed',
    field: 'receipt_ids',
    needs: ['amount_cents', 'receipt_ids'],
    fulfilled: ({ amount_cents, receipt_ids }, { policy }) =>
      receipt_ids.length > 0 || amount_cents <= policy.receipt_above_cents,
    fine: ({ receipt_ids }) =>
      receipt_ids.length === 0 ? 'Not needed for this amount' : `${receipt_ids.length} attached`,
    otherwise: (_, facts) =>
      `Above ${sum(facts.policy.receipt_above_cents, facts)} your company needs a receipt`,
    inputs: ({ receipt_ids }, { policy }) => ({
      receipts: receipt_ids.length,
      receipt_above_cents: policy.receipt_above_cents,
    }),
  },
  {
    rule: 'Receipt files',
    code: 'receipt_gone',
    field: 'receipt_ids',
    needs: ['receipt_ids'],
    fulfilled: (_, { receipts }) => receipts.every(({ there }) => there),
    fine: () => null,
    otherwise: () => 'A receipt was deleted meanwhile. Add it again',
  },
  {
    rule: 'Receipt used before',
    code: 'receipt_used',
    field: 'receipt_ids',
    needs: ['receipt_ids'],
    fulfilled: (_, facts) => usedBy(facts) === undefined,
    fine: ({ receipt_ids }) => (receipt_ids.length ? 'Not used on another claim' : null),
    otherwise: (_, facts) => `This receipt is on your claim #${usedBy(facts)} already`,
    inputs: (_, facts) => ({ claim_id: usedBy(facts) ?? null }),
  },
]

/** What has to be so for the policy to approve by itself. Where one is not so, a person looks. */
export type Condition = {
  rule: string
  says: (draft: Draft, facts: Facts) => { fine: boolean; says: string; facts: Inputs }
}

export const conditions: readonly Condition[] = [
  {
    rule: 'Automatic approval limit',
    says: ({ amount_cents }, facts) => {
      const { auto_approve_cents } = facts.policy
      const fine = amount_cents <= auto_approve_cents
      const limit = `the automatic approval limit of ${sum(auto_approve_cents, facts)}`
      const says = `${sum(amount_cents, facts)} is ${fine ? 'within' : 'above'} ${limit}`
      return { fine, says, facts: { amount_cents, auto_approve_cents } }
    },
  },
  {
    rule: 'Receipt match',
    says: ({ bill_cents, service_on, provider }, facts) => {
      const { receipts } = facts
      const agreeing = receipts.find(
        (read) =>
          read.read_state === 'read' &&
          read.read_amount_cents === bill_cents &&
          (read.read_currency ?? facts.currency) === facts.currency &&
          read.read_on === service_on &&
          (read.read_provider === null || sameProvider(read.read_provider, provider)),
      )
      const first = receipts[0]
      return {
        fine: agreeing !== undefined,
        says: agreeing ? 'Amount and date match the receipt' : unlike(facts),
        facts: {
          read_amount_cents: (agreeing ?? first)?.read_amount_cents ?? null,
          read_on: (agreeing ?? first)?.read_on ?? null,
        },
      }
    },
  },
  {
    rule: 'Possible duplicates',
    says: (draft, facts) => {
      const suspicion = suspicionOf(draft, facts)
      const says = suspicion ? 'It looks like a claim made before' : 'No similar claim found'
      return { fine: suspicion === 0, says, facts: { alike: suspicion > 0 } }
    },
  },
  {
    rule: 'Automatic approvals this month',
    says: (_, { past, policy }) => {
      const fine = past.automatic < policy.auto_approve_per_month
      const says = `${past.automatic} of at most ${policy.auto_approve_per_month} automatic approvals this month`
      return { fine, says, facts: { this_month: past.automatic } }
    },
  },
  {
    rule: 'Spot check',
    says: (_, { drawn, policy }) => {
      const fine = drawn >= policy.spot_check_percent
      const says = fine
        ? 'Not selected for a spot check'
        : `Selected for a spot check, as ${policy.spot_check_percent}% of claims are`
      return { fine, says, facts: { drawn, below: policy.spot_check_percent } }
    },
  },
]

const unlike = ({ receipts }: Facts) =>
  receipts.length === 0
    ? 'No receipt to compare with'
    : receipts.some(stillBeingRead)
      ? 'The receipt is still being read'
      : 'The receipt differs from the claim, or could not be read'
