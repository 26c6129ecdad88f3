// Account numbers that check themselves (ISO 13616): a number typed wrong is found before money goes astray.

/**
 * The check of an IBAN: its first four characters go to the end, letters become numbers from A = 10, and the remainder of 97 is
 * 1.
 */
export function holdsAsIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) {
      remainder = (remainder * 10 + Number(digit)) % 97
    }
  }
  return remainder === 1
}
