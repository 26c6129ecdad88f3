import { money } from '#ui/figures.ts'

type Props = { claims_cents: number; withheld_cents: number; currency: string }

/** How much of a payment's claims is withheld, or given back with it. */
export function Withheld({ claims_cents, withheld_cents, currency }: Props) {
  if (withheld_cents === 0) return null
  return (
    <p className="text-ui text-soft">
      {withheld_cents < 0
        ? `${money(-withheld_cents, currency)} of it given back, withheld before`
        : `${money(withheld_cents, currency)} of ${money(claims_cents, currency)} withheld`}
    </p>
  )
}
