import { categoryNames } from '#categories.ts'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Facts } from '#ui/Facts.tsx'
import { allOf, count, counted, money, signedMoney } from '#ui/figures.ts'
import type { PlanEffect } from './plans.contract.ts'

type Props = {
  effect: PlanEffect | undefined
  /** All fields are filled in and valid. */
  complete: boolean
  currency: string
  /** The first day of a year that has not begun: its effect is what it will cost. */
  begins_on: string | undefined
}

export function PlanEffectPanel({ effect, complete, currency, begins_on }: Props) {
  if (!effect) {
    const task = complete ? 'Change something' : 'Complete the plan'
    return <p className="text-sm text-soft">{`${task} to see what it does.`}</p>
  }
  const signed = (cents: number) => (cents === 0 ? 'no change' : signedMoney(cents, currency))
  const lacking = effect.categories.filter(({ lacking_cents }) => lacking_cents > 0)
  return (
    <div aria-live="polite" className="flex flex-col gap-4 text-sm">
      <p className="text-soft">
        {begins_on
          ? needs(effect, begins_on, currency)
          : effect.people_changed === 0
            ? `Nothing changes for the ${counted(effect.people, 'person', 'people')} with a fund this year.`
            : `Grants change for ${count(effect.people_changed)} of ${counted(effect.people, 'person', 'people')}.`}
      </p>
      <Facts
        variant="sums"
        facts={effect.categories.map(({ category, due_cents, change_cents }) => [
          categoryNames[category],
          begins_on ? money(due_cents, currency) : signed(change_cents),
        ])}
      />
      {effect.people_below_used > 0 && <Callout tone="bad">{belowUsed(effect)}</Callout>}
      {lacking.length > 0 && (
        <Callout tone="accent">
          {`${lacking
            .map((c) => `${categoryNames[c.category]} is ${money(c.lacking_cents, currency)} short`)
            .join(', ')}. People who can’t be covered will wait for funds.`}
        </Callout>
      )}
    </div>
  )
}

/** Names of people are missing for owners who may not see balances. */
function belowUsed({ people_below_used: people, below_used_names: names }: PlanEffect): string {
  const more = people - names.length
  const who = names.length > 0 && `: ${allOf(more > 0 ? [...names, `${count(more)} more`] : names)}`
  return (
    `${counted(people, 'person has used or has', 'people have used or have')} on hold more than ` +
    `this would give them${who || ''}. It can’t be saved with these amounts.` +
    (who ? '' : ' People with the right People, Finance or Auditor see whose balances they are.')
  )
}

function needs({ people, categories }: PlanEffect, begins_on: string, currency: string): string {
  const sum = categories.reduce((cents, { due_cents }) => cents + due_cents, 0)
  return (
    `${counted(people, 'person', 'people')} would get ${money(sum, currency)} on ` +
    `${dateText(begins_on)}, with your company as it is now.`
  )
}
