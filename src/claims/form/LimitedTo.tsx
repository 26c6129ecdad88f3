import type { Category } from '#categories.ts'
import type { ClaimOptions } from '#claims/claims.contract.ts'
import { leastOf } from '#claims/rules/limits.ts'
import { money } from '#ui/figures.ts'
import { localised } from './localised.ts'

type Props = { options: ClaimOptions; year: ClaimOptions['years'][number]; category: Category }

/** Beside a balance, where a limit of the company leaves less of it. */
export function LimitedTo({ options: { limits, currency }, year, category }: Props) {
  const least = leastOf(limits, { category, plan_year: year.plan_year }, { currency })
  if (!least || least.left_cents >= year.available[category]) return null
  return (
    <span className="block text-soft">
      {`${money(least.left_cents, currency)} can be claimed: ${localised(least.text)}`}
    </span>
  )
}
