// ISO 4217: the currencies in use, and the decimals of each. Amounts are kept in whole minor units, and JavaScript engines change
// their own lists with their versions, so this table alone counts.
const by_decimals: Record<number, string> = {
  0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF`,
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
    CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
    HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
    MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
    SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
    USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: `BHD IQD JOD KWD LYD OMR TND`,
}

const decimals = new Map(
  Object.entries(by_decimals).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(digits)]),
  ),
)

export const currencies: readonly string[] = [...decimals.keys()].sort()

export const isCurrency = (code: string) => decimals.has(code)

/** The decimals of a currency: two for most, none for the yen, three for a dinar. Those out of use had two. */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2

const formats = new Map<string, Intl.NumberFormat>()

/** How a locale writes sums of a currency; the decimals are the table's, or none of them. */
export function formatOf(locale: string | undefined, currency: string, whole = false) {
  const key = `${locale} ${currency} ${whole}`
  const known = formats.get(key)
  if (known) return known
  const digits = whole ? 0 : decimalsOf(currency)
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  formats.set(key, made)
  return made
}
