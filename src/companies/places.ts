// The currencies and time zones of companies, as fields show them.
import { currencies as codes } from '#lib/currencies.ts'

const namesOf = new Intl.DisplayNames(undefined, { type: 'currency' })

export const currencies: Record<string, string> = Object.fromEntries(
  codes.map((code) => [code, `${code} · ${namesOf.of(code)}`]),
)

export const timeZones: Record<string, string> = Object.fromEntries(
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
    zone,
    zone.replaceAll('_', ' '),
  ]),
)
