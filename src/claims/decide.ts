// Weighs the rules of a claim, in their order, and writes down what each of them found.
import type { ProblemCode } from '#problems.ts'
import { stillBeingRead, suspicionOf, type Draft, type Facts } from './facts.ts'
import { conditions, requirements, type Inputs } from './rules.ts'
import type { TraceRule, TraceStep } from './words.contract.ts'

export type Refusal = {
  code: ProblemCode
  field: keyof Draft
  sentence: string
  facts: Record<string, string | number>
}

/** All requirements that are not fulfilled, in the order of the form. */
export const refusalsOf = (draft: Partial<Draft>, facts: Facts): Refusal[] =>
  requirements
    .filter(({ needs }) => needs.every((field) => draft[field] !== undefined))
    .filter(({ fulfilled }) => !fulfilled(draft as Draft, facts))
    .map(({ code, field, otherwise, inputs }) => ({
      code,
      field,
      sentence: otherwise(draft as Draft, facts),
      facts: figures(inputs?.(draft as Draft, facts)),
    }))

const figures = (facts: Inputs | null = null): Refusal['facts'] =>
  Object.fromEntries(
    Object.entries(facts ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )

export type Outcome = {
  automatic: boolean
  approvers: number
  suspicion: number
  /** The receipt says the same, and nothing is like it. */
  agreed: boolean
  /** Worth another look once the receipt is read: nothing else stands in the way. */
  unread: boolean
  trace: TraceStep[]
}

const about_the_receipt = new Set<TraceRule>(['receipt_match', 'duplicates'])

/** What becomes of a claim that can be made. */
export function decide(draft: Draft, facts: Facts): Outcome {
  const met = requirements.flatMap(({ rule, inputs }) => {
    const found = inputs?.(draft, facts)
    return rule && found ? [stepOf(rule, 'fine', found)] : []
  })
  const weighed = conditions.map(({ rule, says }) => ({ rule, ...says(draft, facts) }))
  const automatic = weighed.every(({ fine }) => fine)
  const approvers = facts.approvals_needed ?? 1
  return {
    automatic,
    approvers,
    suspicion: suspicionOf(draft, facts),
    agreed: weighed.every(({ rule, fine }) => fine || !about_the_receipt.has(rule)),
    unread:
      facts.receipts.some(stillBeingRead) &&
      weighed.filter(({ fine }) => !fine).every(({ rule }) => rule === 'receipt_match'),
    trace: [
      ...met,
      ...weighed.map(({ rule, fine, facts: found }) =>
        stepOf(rule, fine ? 'fine' : 'human', found),
      ),
      automatic
        ? stepOf('automatic_approval', 'fine', { amount_cents: draft.amount_cents })
        : stepOf('approvals_needed', 'human', {
            approvers,
            one_approver_cents: facts.policy.one_approver_cents,
          }),
    ],
  }
}

const stepOf = (rule: TraceRule, outcome: TraceStep['outcome'], facts: Inputs): TraceStep => ({
  rule,
  outcome,
  facts,
})

type Happened = {
  event: string
  by_name: string | null
  text: string | null
  amount_cents: number | null
}

/** What people decided, as further steps: what was asked, what was approved, and why less. */
export const decisionSteps = (
  { amount_cents: asked_cents }: { amount_cents: number },
  story: readonly Happened[],
): TraceStep[] =>
  story.flatMap(({ event, by_name, text, amount_cents }) => {
    if (event === 'rejected') return [stepOf('rejection', 'refuses', { by_name, text })]
    if (event === 'reversed') return [stepOf('reversal', 'refuses', { by_name, text })]
    if ((event !== 'approved' && event !== 'approved_first') || amount_cents === null) return []
    const rule = event === 'approved' ? 'decision' : 'first_approval'
    const facts = { by_name, text, asked_cents, approved_cents: amount_cents }
    return [stepOf(rule, amount_cents < asked_cents ? 'lowers' : 'fine', facts)]
  })
