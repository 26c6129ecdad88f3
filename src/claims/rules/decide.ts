// Evaluates the rules of a claim in their order, and writes down what each found.
import type { ProblemCode } from '#problems.ts'
import {
  stillBeingRead,
  suspicionOf,
  duplicatesOf,
  type Draft,
  type Inputs,
  type RuleFacts,
} from './rule-facts.ts'
import { conditions, cover_rules, requirements } from './rules.ts'
import { TraceRule, type TraceStep } from '#claims/words.contract.ts'

type DraftRefusal = {
  code: ProblemCode
  field: keyof Draft
  sentence: string
  facts: Record<string, string | number>
}

/** All requirements that are not fulfilled, in the order of the form; of those that bound the amount the lowest comes first. */
export function refusalsOf(draft: Partial<Draft>, facts: RuleFacts): DraftRefusal[] {
  const found = requirements
    .filter(({ needs }) => needs.every((field) => draft[field] !== undefined))
    .filter(({ fulfilled }) => !fulfilled(draft as Draft, facts))
    .map(({ code, field, otherwise, inputs }) => ({
      code,
      field,
      sentence: otherwise(draft as Draft, facts),
      facts: figures(inputs?.(draft as Draft, facts)),
    }))
  const amounts = found
    .filter(({ field }) => field === 'amount_cents')
    .toSorted((one, other) => boundOf(one) - boundOf(other))
  return found.map((one) => (one.field === 'amount_cents' ? (amounts.shift() ?? one) : one))
}

const boundOf = ({ facts: { left_cents, bill_cents } }: DraftRefusal) =>
  Number(left_cents ?? bill_cents ?? 0)

const figures = (facts: Inputs | null = null): DraftRefusal['facts'] =>
  Object.fromEntries(
    Object.entries(facts ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )

type PolicyDecision = {
  automatic: boolean
  suspicion: number
  /** Claims of the same person that it is like, and how much; they are marked as well. */
  alike: { claim_id: number; score: number }[]
  /** The receipt says the same, and nothing is like it. */
  receipt_agrees: boolean
  /** Only the reading of its receipt stands between the claim and an automatic approval. */
  awaits_reading: boolean
  trace: TraceStep[]
}

const about_the_receipt = new Set<TraceRule>(['receipt_match', 'duplicates'])

/** The decision on a claim that can be made. */
export function decide(draft: Draft, facts: RuleFacts): PolicyDecision {
  const uncovered = requirements
    .filter(({ rule, fulfilled }) => cover_rules.has(rule) && !fulfilled(draft, facts))
    .map(({ rule }) => rule)
  const met = requirements.flatMap(({ rule, inputs }) => {
    const found = inputs?.(draft, facts)
    const outcome = uncovered.includes(rule) ? 'human' : 'fine'
    return rule && found ? [stepOf(rule, outcome, found)] : []
  })
  const evaluated = conditions.flatMap(({ rule, evaluate }) => {
    const found = evaluate(draft, facts)
    return found ? [{ rule, ...found }] : []
  })
  const covered = uncovered.length === 0
  const automatic = covered && evaluated.every(({ fine }) => fine)
  return {
    automatic,
    suspicion: suspicionOf(draft, facts),
    alike: duplicatesOf(draft, facts).flatMap(({ claim_id, score }) =>
      claim_id === null ? [] : [{ claim_id, score }],
    ),
    receipt_agrees: evaluated.every(({ rule, fine }) => fine || !about_the_receipt.has(rule)),
    awaits_reading:
      covered &&
      facts.receipts.some(stillBeingRead) &&
      evaluated.filter(({ fine }) => !fine).every(({ rule }) => rule === 'receipt_match'),
    trace: [
      ...met,
      ...evaluated.map(({ rule, fine, facts: found }) =>
        stepOf(rule, fine ? 'fine' : 'human', found),
      ),
      ...(automatic
        ? [stepOf('automatic_approval', 'fine', { amount_cents: draft.amount_cents })]
        : approvalsOf(facts)),
    ],
  }
}

const looked_at_again = new Set<TraceRule>([
  'receipt',
  'receipt_is_new',
  'receipt_match',
  'duplicates',
  'people_decide',
])

/** Once people decide on a claim only its receipts are checked again; the other checks stay as they were. */
export const withReceipts = (now: readonly TraceStep[], before: readonly TraceStep[]) =>
  [
    ...before.filter(({ rule }) => !looked_at_again.has(rule)),
    ...now.filter(({ rule }) => looked_at_again.has(rule)),
  ].toSorted((one, other) => inTurn(one) - inTurn(other))

const inTurn = ({ rule }: TraceStep) => TraceRule.options.indexOf(rule)

/** The approvals that it needs, with the reason for each. */
function approvalsOf({ steps, policy }: RuleFacts): TraceStep[] {
  const numbers = [...new Set(steps.map(({ number }) => number))]
  return [
    stepOf('approvals_needed', 'human', { approvers: Math.max(1, steps.length) }),
    ...numbers.flatMap((number, at) => {
      const step = policy.steps[number - 1]
      if (!step) return []
      const { above_cents, who, person_ids, together, most_cents, new_provider } = step
      return stepOf('approval_step', 'human', {
        step: at + 1,
        of: numbers.length,
        who,
        people: person_ids.length,
        together,
        above_cents,
        most_cents,
        new_provider,
        kind: step.categories.length + step.type_ids.length > 0,
        department: step.departments.length + step.group_ids.length > 0,
      })
    }),
  ]
}

const stepOf = (rule: TraceRule, outcome: TraceStep['outcome'], facts: Inputs): TraceStep => ({
  rule,
  outcome,
  facts,
})

type StoryEvent = {
  event: string
  by_name: string | null
  text: string | null
  amount_cents: number | null
}

/** People's decisions, as further steps: the question, the approved amount, and why it is less. */
export const decisionSteps = (
  { amount_cents: claimed_cents }: { amount_cents: number },
  story: readonly StoryEvent[],
): TraceStep[] =>
  story.flatMap(({ event, by_name, text, amount_cents }) => {
    if (event === 'rejected') return [stepOf('rejection', 'refuses', { by_name, text })]
    if (event === 'reversed') return [stepOf('reversal', 'refuses', { by_name, text })]
    if ((event !== 'approved' && event !== 'approved_step') || amount_cents === null) return []
    const rule = event === 'approved' ? 'decision' : 'further_approval'
    const facts = { by_name, text, claimed_cents, approved_cents: amount_cents }
    return [stepOf(rule, amount_cents < claimed_cents ? 'lowers' : 'fine', facts)]
  })
