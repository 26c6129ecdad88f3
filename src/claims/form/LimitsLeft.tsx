import { clsx } from 'clsx'
import { TriangleAlert } from 'lucide-react'
import { useFormContext } from 'react-hook-form'
import {
  limitsUnder,
  earliestDay,
  standText,
  waitEndsOn,
  type Limit,
} from '#claims/rules/limits.ts'
import { localised } from './localised.ts'
import { limitedTo, yearOfDay } from './claim-options.ts'
import type { ClaimChecks } from './NewClaimChecks.tsx'
import type { ClaimOptions } from '#claims/claims.contract.ts'

const blockedStyles = 'rounded-control bg-accent-wash px-3 py-2 font-medium text-accent-ink'

type Props = { options: ClaimOptions; checks: ClaimChecks }

/**
 * The limits for the choices so far, with what is left of each. Two are left out, as they are shown elsewhere: the category's
 * own, which stands beside its balance, and the one that the amount exceeds, which stands beside the amount.
 */
export function LimitsLeft({ options, checks }: Props) {
  const form = useFormContext()
  const [category, type_id, chosen, typed] = form.watch([
    'category',
    'type_id',
    'dependent_id',
    'service_on',
  ]) as (string | undefined)[]
  const dependent_id = (category === 'solidarity' && chosen) || null
  const day = typed || options.today
  const year = yearOfDay(options, day)
  const plan_year = year?.plan_year
  const named = year && limitedTo(options, year, category)
  const above = checks.sentence('amount_cents')
  const textOf = (under: Limit) => localised(standText(under, day, options))
  const applying = limitsUnder(options.limits, {
    category,
    type_id,
    dependent_id,
    plan_year,
  }).filter(
    (limit) =>
      !(limit.id === named?.id && limit.category) &&
      textOf(limit) !== above &&
      (limit.kind !== 'waiting' || waitEndsOn(limit, options.joined_on) > day),
  )
  if (!category || applying.length === 0) return null
  return (
    <ul aria-label="Limits" className="flex flex-col gap-1 text-ui text-soft">
      {applying.map((under) => (
        <li
          key={under.id}
          className={clsx(
            'flex items-start gap-1.5 wrap-anywhere',
            earliestDay(under, day, options.joined_on) !== null && blockedStyles,
          )}
        >
          {earliestDay(under, day, options.joined_on) !== null && (
            <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          )}
          {textOf(under)}
        </li>
      ))}
    </ul>
  )
}
