// Weighs the rules of a claim, in their order, and writes down what each of them found.
import type { ProblemCode } from '#problems.ts'
import { stillBeingRead, sum, suspicionOf, type Draft, type Facts } from './facts.ts'
import { conditions, requirements } from './rules.ts'
import type { TraceStep } from './words.contract.ts'

export type Refusal = {
  rule: string
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
    .map(({ rule, code, field, otherwise, inputs }) => ({
      rule,
      code,
      field,
      sentence: otherwise(draft as Draft, facts),
      facts: figures(inputs?.(draft as Draft, facts)),
    }))

const figures = (facts: TraceStep['facts'] = {}): Refusal['facts'] =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
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

const about_the_receipt = new Set(['Receipt match', 'Possible duplicates'])

/** What becomes of a claim that can be made. */
export function decide(draft: Draft, facts: Facts): Outcome {
  const met = requirements.flatMap(({ rule, fine, inputs }) => {
    const says = fine(draft, facts)
    return says === null ? [] : [stepOf(rule, 'fine', says, inputs?.(draft, facts))]
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
      weighed.filter(({ fine }) => !fine).every(({ rule }) => rule === 'Receipt match'),
    trace: [
      ...met,
      ...weighed.map(({ rule, fine, says, facts: inputs }) =>
        stepOf(rule, fine ? 'fine' : 'human', says, inputs),
      ),
      automatic
        ? stepOf('Automatic approval', 'fine', `${sum(draft.amount_cents, facts)} approved`)
        : whoDecides(approvers, facts),
    ],
  }
}

function whoDecides(approvers: number, facts: Facts): TraceStep {
  const { one_approver_cents } = facts.policy
  const says =
    approvers === 2
      ? `Two admins must approve more than ${sum(one_approver_cents, facts)}`
      : 'One admin approves it'
  return stepOf('Approvals needed', 'human', says, { approvers, one_approver_cents })
}

const stepOf = (
  rule: string,
  outcome: TraceStep['outcome'],
  says: string,
  facts: TraceStep['facts'] = {},
): TraceStep => ({ rule, outcome, says, facts })

type Happened = {
  event: string
  by_name: string | null
  text: string | null
  amount_cents: number | null
}

/** What people decided, as further steps: what was asked, what was approved, and why less. */
export const decisionSteps = (
  { amount_cents: asked, currency }: { amount_cents: number; currency: string },
  story: readonly Happened[],
): TraceStep[] =>
  story.flatMap(({ event, by_name, text, amount_cents }) => {
    const who = by_name ?? 'HR'
    const because = text ? `: ${text}` : ''
    if (event === 'rejected') {
      return [stepOf('Decision', 'refuses', `${who} rejected it${because}`, { approved_cents: 0 })]
    }
    if (event === 'reversed') {
      return [stepOf('Reversal', 'refuses', `${who} reversed the approval${because}`)]
    }
    if ((event !== 'approved' && event !== 'approved_first') || amount_cents === null) return []
    const rule = event === 'approved' ? 'Decision' : 'First of two approvals'
    const [of, to] = [sum(asked, { currency }), sum(amount_cents, { currency })]
    const says =
      amount_cents < asked
        ? `${of} claimed, ${to} approved by ${who}${because}`
        : `${who} approved ${to}${because}`
    const facts = { asked_cents: asked, approved_cents: amount_cents }
    return [stepOf(rule, amount_cents < asked ? 'lowers' : 'fine', says, facts)]
  })
