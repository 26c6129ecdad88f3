import { useFormContext } from 'react-hook-form'
import type { ClaimOptions } from '#claims/claims.contract.ts'
import { api } from '#api/api.ts'
import { decimal } from '#lib/money.ts'
import { useRead } from '#ui/ask.ts'
import { money } from '#ui/figures.ts'
import { useSettled } from '#ui/settled.ts'
import { draftOf } from './claim-form.ts'
import { FieldWarning } from './FieldWarning.tsx'
import { localised } from './localised.ts'

export type ClaimChecks = ReturnType<typeof useChecks>

/** Problems that LimitsLeft shows beside the choice, so no field shows them. */
export const shown_at_choice: ReadonlySet<string> = new Set([
  'claimed_too_soon',
  'claimed_too_often',
])

/** A check made while somebody types may fail without a word: the form stays as it is. */
const quietly = { keep: true, quiet: true }

/** The server's own checks, shown while there is time to fix what they find. */
export function useChecks({ currency }: ClaimOptions) {
  const form = useFormContext()
  const typed = form.watch()
  const { settled: input, fresh } = useSettled(draftOf(typed, currency))
  const in_doubt = Boolean(typed['attempt']) && !form.formState.isSubmitting
  const found = useRead(api.claims.check, input.category ? input : undefined, quietly)
  // A claim that may have arrived would be found as a duplicate of itself, so nothing is shown while that is in doubt.
  const answer = in_doubt ? undefined : found
  const problems = answer?.problems ?? []
  return {
    answer,
    /** The claim was sent, and whether it arrived is not known. */
    in_doubt,
    currency,
    /** The answer is about the present values of the form. */
    fresh,
    problems,
    sentence: (field: string) =>
      problems
        .filter((problem) => problem.field === field && !shown_at_choice.has(problem.code))
        .map(({ sentence }) => localised(sentence))[0],
  }
}

/** The offer to claim less with one press, if the amount is above what is left or above the bill: the lower of the two. */
export function ClaimLess({ checks, currency }: { checks: ClaimChecks; currency: string }) {
  const form = useFormContext()
  const warning = checks.sentence('amount_cents')
  const bill = mostBy(checks, 'bill_cents')
  const left = Math.min(bill, mostBy(checks, 'left_cents'))
  const offers = left > 0 && left < Infinity && !form.watch('lines')
  return (
    <>
      <FieldWarning name="amount_cents" text={warning} />
      {offers && (
        <button
          type="button"
          onClick={() =>
            form.setValue('amount_cents', decimal(left, currency), {
              shouldDirty: true,
              shouldTouch: true,
              shouldValidate: form.formState.isSubmitted,
            })
          }
          className="mt-1 rounded font-medium text-primary-ink underline underline-offset-2"
        >
          {`Claim ${left === bill ? 'the whole bill' : 'what is left'}: ${money(left, currency)}`}
        </button>
      )}
    </>
  )
}

/** The highest amount that the checks would accept; infinite if none bounds it. */
const mostBy = ({ problems }: ClaimChecks, bound: 'bill_cents' | 'left_cents') =>
  Math.min(
    ...problems.flatMap(({ field, facts }) => {
      const most = facts[bound]
      return field === 'amount_cents' && typeof most === 'number' ? [most] : []
    }),
  )
