// Options of the claim form that depend on the day: its plan year, and the dependents covered.
import type { Category } from '#categories.ts'
import type { ClaimOptions } from '#claims/claims.contract.ts'
import { leastOf } from '#claims/rules/limits.ts'

type OfferedYear = ClaimOptions['years'][number]
export type OfferedDependent = ClaimOptions['dependents'][number]

export function yearOfDay(options: ClaimOptions, day: string | undefined): OfferedYear | undefined {
  const on = day || options.today
  return options.years.find(({ plan_year, ends_on }) => plan_year <= on && on <= ends_on)
}

/** Without a day nobody is left out who is covered now. */
export const coveredOn = (options: ClaimOptions, day: string | undefined): OfferedDependent[] => {
  const on = day || options.today
  return options.dependents.filter(
    ({ covered_from, covered_to }) =>
      covered_from <= on && (covered_to === null || on <= covered_to),
  )
}

/** The limit that leaves less of a category than there is. */
export function limitedTo(
  { limits, currency }: ClaimOptions,
  { plan_year, available }: OfferedYear,
  category: string | undefined,
) {
  const least = leastOf(limits, { category, plan_year }, { currency })
  return least && least.left_cents < (available[category as Category] ?? 0) ? least : undefined
}

/** From which day on one can claim again is said as of today, and so of the year that runs alone. */
export const limitsSaidOf = (options: ClaimOptions, plan_year: string | undefined) =>
  yearOfDay(options, undefined)?.plan_year === plan_year
    ? options.limits
    : options.limits.filter(({ cents }) => cents !== null)
