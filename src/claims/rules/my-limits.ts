// The limits of one's own company, wherever a page shows what is left of one's money.
import { api } from '#api/api.ts'
import type { Category } from '#categories.ts'
import { localised } from '#claims/form/localised.ts'
import { useRead } from '#ui/ask.ts'
import { leastOf, limitTexts } from './limits.ts'

/** Of a plan year; while they are not known there seems to be none. */
export function useMyLimits(plan_year: string | undefined) {
  const options = useRead(api.claims.options, {}, { quiet: true })
  return {
    /** The most that can still be claimed: of a category, or without one of all together. */
    most: (category?: Category): number =>
      (options && leastOf(options.limits, { category, plan_year }, options)?.left_cents) ??
      Infinity,
    texts: (category: Category): string[] =>
      options
        ? limitTexts(options.limits, { category, plan_year }, options.today, options).map(localised)
        : [],
  }
}
