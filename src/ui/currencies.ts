// Currencies as fields show them.
import { currencies as codes } from '#lib/currencies.ts'

const namesOf = new Intl.DisplayNames(undefined, { type: 'currency' })

export const currencies: Record<string, string> = Object.fromEntries(
  codes.map((code) => [code, `${code} · ${namesOf.of(code)}`]),
)
