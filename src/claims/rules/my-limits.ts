// The limits of one's own company, for every page that shows what is left of one's money.
import { api } from '#api/api.ts'
import type { Category } from '#categories.ts'
import { limitsSaidOf } from '#claims/form/claim-options.ts'
import { localised } from '#claims/form/localised.ts'
import { useRead } from '#ui/ask.ts'
import { leastOf, limitTexts } from './limits.ts'

/** The limits of a plan year; undefined until they are known. */
export function useMyLimits(plan_year: string | undefined, { quiet = false } = {}) {
  const options = useRead(api.claims.options, {}, { quiet })
  if (!options) return undefined
  const of_year = limitsSaidOf(options, plan_year)
  return {
    takes_claims: options.years.some((year) => year.plan_year === plan_year),
    /** The most that can still be claimed of a category; without one, of all together. */
    most: (category?: Category): number =>
      leastOf(options.limits, { category, plan_year }, options)?.left_cents ?? Infinity,
    texts: (of: { category: Category; balance_cents: number }): string[] =>
      limitTexts(of_year, { ...of, plan_year }, options.today, options).map(localised),
  }
}
