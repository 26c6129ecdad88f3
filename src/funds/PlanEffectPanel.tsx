import { categoryNames } from '#categories.ts'
import { Callout } from '#ui/Callout.tsx'
import { Facts } from '#ui/Facts.tsx'
import { count, money } from '#ui/Money.tsx'
import type { PlanEffect } from './plans.contract.ts'

type Props = { effect: PlanEffect | undefined; currency: string }

export function PlanEffectPanel({ effect, currency }: Props) {
  if (!effect) return <p className="text-sm text-soft">Change something to see what it does.</p>
  const signed = (cents: number) =>
    cents === 0 ? 'no change' : `${cents > 0 ? '+' : '−'}${money(Math.abs(cents), currency)}`
  const lacking = effect.categories.filter(({ lacking_cents }) => lacking_cents > 0)
  return (
    <div aria-live="polite" className="flex flex-col gap-4 text-sm">
      <p className="text-soft">
        {effect.people_changed === 0
          ? `Nothing changes for the ${count(effect.people)} people of this year.`
          : `Grants change for ${count(effect.people_changed)} of ${count(effect.people)} people.`}
      </p>
      <Facts
        look="sums"
        facts={effect.categories.map(({ category, change_cents }) => [
          categoryNames[category],
          signed(change_cents),
        ])}
      />
      {effect.people_below_used > 0 && (
        <Callout tone="bad">
          {`${count(effect.people_below_used)} people have used or hold more than this would give them. It can’t be saved.`}
        </Callout>
      )}
      {lacking.length > 0 && (
        <Callout tone="accent">
          {`The pools lack ${lacking
            .map((c) => `${money(c.lacking_cents, currency)} for ${categoryNames[c.category]}`)
            .join(', ')}. People who can’t be covered will wait for funds.`}
        </Callout>
      )}
    </div>
  )
}
