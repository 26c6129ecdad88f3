// Accounts that nobody has, with numbers that hold.
import type { Random } from './random.ts'

/** The bank’s part, and how many digits follow. The United States have no IBANs. */
const banks: Record<string, [bank: string, digits: number]> = {
  AT: ['12000', 11],
  CH: ['00762', 12],
  CZ: ['0800', 16],
  DE: ['37040044', 10],
  GB: ['NWBK601613', 8],
  IT: ['X0542811101', 12],
  NL: ['ABNA', 10],
  NO: ['8601', 7],
  PL: ['10901014', 16],
  PT: ['0002', 17],
  SE: ['500', 17],
}

export function ibanOf(country: string, chance: Random): string | undefined {
  const [bank, digits] = banks[country] ?? []
  if (!bank || !digits) return undefined
  const account = bank + Array.from({ length: digits }, () => chance.whole(0, 9)).join('')
  return ibanFor(country, account)
}

export function ibanFor(country: string, account: string) {
  let rest = 0
  for (const character of `${account}${country}00`)
    for (const digit of String(Number.parseInt(character, 36)))
      rest = (rest * 10 + Number(digit)) % 97
  return `${country}${String(98 - rest).padStart(2, '0')}${account}`
}
