// Sums and counts as the reader's locale writes them.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, whole: boolean): Intl.NumberFormat {
  const key = currency + whole
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...(whole ? { maximumFractionDigits: 0 } : {}),
  })
  formats.set(key, made)
  return made
}

/** Minor units as the reader's locale writes them. `whole` leaves out the cents of big sums. */
export function money(cents: number, currency: string, whole = false): string {
  const format = formatOf(currency, whole)
  // A yen has no hundredths: how many minor units make one is the currency's affair, not ours.
  const digits = formatOf(currency, false).resolvedOptions().maximumFractionDigits ?? 2
  return format.format(cents / 10 ** digits)
}

const counts = new Intl.NumberFormat()

export const count = (value: number): string => counts.format(value)

/** '1 claim', '42 claims'. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`
