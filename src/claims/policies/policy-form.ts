// The policy's terms as they are typed, and how each is called.
import { z } from 'zod'
import { decimal } from '#lib/money.ts'
import { amountText } from '#ui/amount.ts'
import { count, counted, money } from '#ui/figures.ts'
import { never_two_cents, Policy, PolicyTerms } from './policies.contract.ts'

export type Terms = z.infer<typeof PolicyTerms>
export type Versioned = z.infer<typeof Policy>

const whole = (shape: z.ZodNumber) => z.coerce.number<string>('Enter a number').pipe(shape)

export const policyFormOf = (currency: string) =>
  z.object({
    auto_approve_cents: amountText(currency).pipe(PolicyTerms.shape.auto_approve_cents),
    auto_approve_per_month: whole(PolicyTerms.shape.auto_approve_per_month),
    spot_check_percent: whole(PolicyTerms.shape.spot_check_percent),
    receipt_above_cents: amountText(currency).pipe(PolicyTerms.shape.receipt_above_cents),
    approvers: z.enum(['one', 'two']),
    one_approver_cents: amountText(currency).pipe(PolicyTerms.shape.one_approver_cents),
    review_days: whole(PolicyTerms.shape.review_days),
    account_wait_days: whole(PolicyTerms.shape.account_wait_days),
    note: z.string().trim().max(500, 'At most 500 characters').optional(),
  })

export type PolicyForm = ReturnType<typeof policyFormOf>

/** Where nobody is to approve a second time the amount above it is out of reach. */
export const termsOf = ({ approvers, ...typed }: z.output<PolicyForm>): Terms =>
  PolicyTerms.parse(approvers === 'one' ? { ...typed, one_approver_cents: never_two_cents } : typed)

export const textsOf = (terms: Terms, currency: string): z.input<PolicyForm> => {
  const never_two = terms.one_approver_cents >= never_two_cents
  return {
    auto_approve_cents: decimal(terms.auto_approve_cents, currency),
    auto_approve_per_month: String(terms.auto_approve_per_month),
    spot_check_percent: String(terms.spot_check_percent),
    receipt_above_cents: decimal(terms.receipt_above_cents, currency),
    approvers: never_two ? 'one' : 'two',
    one_approver_cents: never_two ? '' : decimal(terms.one_approver_cents, currency),
    review_days: String(terms.review_days),
    account_wait_days: String(terms.account_wait_days),
  }
}

const upTo = (cents: number, currency: string) =>
  cents >= never_two_cents ? 'any amount' : money(cents, currency)

const said: Record<keyof Terms, [name: string, say: (value: number, currency: string) => string]> =
  {
    auto_approve_cents: ['Approved automatically up to', money],
    auto_approve_per_month: ['Automatic per person and month', count],
    spot_check_percent: ['Spot checks', (percent) => `${percent}%`],
    receipt_above_cents: ['Receipt needed above', money],
    one_approver_cents: ['One approver up to', upTo],
    review_days: ['Decided within', (days) => counted(days, 'working day')],
    account_wait_days: ['A new or changed bank account waits', (days) => counted(days, 'day')],
  }

export type Change = { name: string; before: string | undefined; after: string }

/** What a version changed; of the first one all there is. */
export const changesOf = (now: Terms, before: Terms | undefined, currency: string): Change[] =>
  (Object.keys(said) as (keyof Terms)[])
    .filter((term) => !before || before[term] !== now[term])
    .map((term) => {
      const [name, say] = said[term]
      return {
        name,
        before: before && say(before[term], currency),
        after: say(now[term], currency),
      }
    })
