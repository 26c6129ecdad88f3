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

/** The dependents covered on a day; without a day, those covered today. */
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

/** The limits to show for a plan year. When one can claim again is known as of today, so only for the year that is running. */
export const limitsSaidOf = (options: ClaimOptions, plan_year: string | undefined) =>
  yearOfDay(options, undefined)?.plan_year === plan_year
    ? options.limits
    : options.limits.filter(({ cents }) => cents !== null)
