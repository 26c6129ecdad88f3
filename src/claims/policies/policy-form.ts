// The policy’s terms as they are typed, and the label of each.
import { z } from 'zod'
import { decimal } from '#lib/money.ts'
import { amountText } from '#ui/amount.ts'
import { count, counted, money } from '#ui/figures.ts'
import { stepsInWords, type Names } from './step-words.ts'
import { ApprovalSteps, type ApprovalStep } from './steps.contract.ts'
import { Policy, PolicyTerms } from './policies.contract.ts'

type Terms = z.infer<typeof PolicyTerms>
export type Versioned = z.infer<typeof Policy>

const whole = (shape: z.ZodNumber) => z.coerce.number<string>('Enter a number').pipe(shape)

export const policyFormOf = (currency: string) =>
  z.object({
    auto_approve_cents: amountText(currency).pipe(PolicyTerms.shape.auto_approve_cents),
    auto_approve_per_month: whole(PolicyTerms.shape.auto_approve_per_month),
    spot_check_percent: whole(PolicyTerms.shape.spot_check_percent),
    receipt_above_cents: amountText(currency).pipe(PolicyTerms.shape.receipt_above_cents),
    steps: z.string().transform(stepsFrom).pipe(ApprovalSteps),
    review_days: whole(PolicyTerms.shape.review_days),
    account_wait_days: whole(PolicyTerms.shape.account_wait_days),
    note: z.string().trim().max(500, 'At most 500 characters').optional(),
  })

export type PolicyForm = ReturnType<typeof policyFormOf>

/** The table as a text of the form: so it is kept with what else is typed. */
export const stepsText = (steps: ApprovalStep[]): string => JSON.stringify(steps)
export function stepsFrom(text: string): ApprovalStep[] {
  return ApprovalSteps.parse(JSON.parse(text))
}

export const termsOf = (typed: z.output<PolicyForm>): Terms => PolicyTerms.parse(typed)

export const textsOf = (terms: Terms, currency: string): z.input<PolicyForm> => ({
  auto_approve_cents: decimal(terms.auto_approve_cents, currency),
  auto_approve_per_month: String(terms.auto_approve_per_month),
  spot_check_percent: String(terms.spot_check_percent),
  receipt_above_cents: decimal(terms.receipt_above_cents, currency),
  steps: stepsText(terms.steps),
  review_days: String(terms.review_days),
  account_wait_days: String(terms.account_wait_days),
})

/** No claim is above the most that can be entered. */
const never_cents = 1e9

type Figure = Exclude<keyof Terms, 'steps'>
const said: Record<Figure, [name: string, say: (value: number, currency: string) => string]> = {
  auto_approve_cents: ['Approved automatically up to', money],
  auto_approve_per_month: ['Automatic per person and month', count],
  spot_check_percent: ['Spot checks', (percent) => `${percent}%`],
  receipt_above_cents: [
    'Receipt needed',
    (cents, currency) => (cents < never_cents ? `above ${money(cents, currency)}` : 'never'),
  ],
  review_days: ['Decided within', (days) => counted(days, 'working day')],
  account_wait_days: ['A new or changed bank account waits', (days) => counted(days, 'day')],
}

type TermChange = { name: string; before: string | undefined; after: string }

/** The changes of a version; of the first one everything. */
export function changesOf(
  now: Terms,
  before: Terms | undefined,
  currency: string,
  names: Names = {},
): TermChange[] {
  const changed = (term: keyof Terms) =>
    !before || JSON.stringify(before[term]) !== JSON.stringify(now[term])
  const figures = (Object.keys(said) as Figure[]).filter(changed).map((term) => {
    const [name, say] = said[term]
    return { name, before: before && say(before[term], currency), after: say(now[term], currency) }
  })
  if (!changed('steps')) return figures
  const inWords = (terms: Terms) => stepsInWords(terms.steps, names, currency)
  return [...figures, { name: 'Approvals', before: before && inWords(before), after: inWords(now) }]
}
