import type { Category } from '#categories.ts'
import type { ClaimOptions } from '#claims/claims.contract.ts'
import { money } from '#ui/figures.ts'
import { limitedTo } from './claim-options.ts'
import { localised } from './localised.ts'

type Props = { options: ClaimOptions; year: ClaimOptions['years'][number]; category: Category }

/** A note beside a balance, if a limit of the company leaves less of it. */
export function LimitedTo({ options, year, category }: Props) {
  const least = limitedTo(options, year, category)
  if (!least) return null
  return (
    <span className="block text-soft">
      {`${money(least.left_cents, options.currency)} can be claimed: ${localised(least.text)}`}
    </span>
  )
}
