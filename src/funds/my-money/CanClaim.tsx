import { categoryNames } from '#categories.ts'
import { Card } from '#ui/Card.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { MyYear } from './my-money.contract.ts'

/** The first question of anybody who looks at their money: how much of it there is to claim. */
export function CanClaim({ year }: { year: MyYear | undefined }) {
  const { balances = [], currency = 'EUR' } = year ?? {}
  const of = (key: 'balance_cents' | 'held_cents') =>
    balances.reduce((sum, one) => sum + one[key], 0)
  return (
    <Card title="You can claim">
      {year ? (
        <>
          <p className="figures text-2xl font-semibold tracking-tight">
            <Money cents={of('balance_cents')} currency={currency} />
          </p>
          <ul className="mt-2 flex flex-col gap-1 text-ui text-pretty text-soft">
            {balances.map(({ category, balance_cents }) => (
              <li key={category}>
                {`${money(balance_cents, currency)} for ${purposes[category]}`}
              </li>
            ))}
            {of('held_cents') > 0 && (
              <li>{`${money(of('held_cents'), currency)} more is on hold for your open claims.`}</li>
            )}
          </ul>
        </>
      ) : (
        <Skeleton className="h-20 w-full" />
      )}
    </Card>
  )
}

const purposes = {
  ...categoryNames,
  solidarity: `${categoryNames.solidarity}, your family’s bills`,
}
