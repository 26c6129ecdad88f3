// Currencies as fields show them.
import { currencies as codes } from '#lib/currencies.ts'

const namesOf = new Intl.DisplayNames(undefined, { type: 'currency' })

/** Younger than the names that browsers have. */
const young: Record<string, string> = {
  SLE: 'Sierra Leonean Leone',
  XCG: 'Caribbean guilder',
  ZWG: 'Zimbabwean Gold',
}

function named(code: string): string {
  const known = namesOf.of(code)
  const name = known && known !== code ? known : young[code]
  return name ? `${code} · ${name}` : code
}

export const currency_names: Record<string, string> = Object.fromEntries(
  codes.map((code) => [code, named(code)]),
)
