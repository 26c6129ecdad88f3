import { categoryNames } from '#categories.ts'
import { useMyLimits } from '#claims/rules/my-limits.ts'
import { Card } from '#ui/Card.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { MyYear } from './my-money.contract.ts'

type Props = { year: MyYear | undefined }

/** The first question of anybody who looks at their money: how much of it there is to claim, if the year takes claims. */
export function CanClaim({ year }: Props) {
  const limits = useMyLimits(year?.plan_year, { quiet: true })
  if (year && limits && !limits.takes_claims) return null
  return (
    <Card title="You can claim">
      <Claimable year={year} />
    </Card>
  )
}

/** The claimable money: limits may leave less than the balances. */
function Claimable({ year }: Props) {
  const limits = useMyLimits(year?.plan_year)
  if (!year || !limits) return <Skeleton className="h-20 w-full" />
  const { balances, currency } = year
  const claimable = balances.map(({ category, balance_cents }) => ({
    category,
    cents: Math.min(balance_cents, limits.most(category)),
  }))
  const all = claimable.reduce((sum, { cents }) => sum + cents, 0)
  const held = balances.reduce((sum, { held_cents }) => sum + held_cents, 0)
  const texts = new Set(balances.flatMap((balance) => limits.texts(balance)))
  return (
    <>
      <p className="figures text-2xl font-semibold tracking-tight">
        <Money cents={Math.min(all, limits.most())} currency={currency} />
      </p>
      <ul className="mt-2 flex flex-col gap-1 text-ui text-pretty text-soft">
        {claimable.map(({ category, cents }) => (
          <li key={category}>{`${money(cents, currency)} for ${purposes[category]}`}</li>
        ))}
        {[...texts].map((text) => (
          <li key={text}>{text}</li>
        ))}
        {held > 0 && <li>{`${money(held, currency)} more is on hold for your open claims.`}</li>}
      </ul>
    </>
  )
}

const purposes = {
  ...categoryNames,
  solidarity: `${categoryNames.solidarity}, your family’s bills`,
}
