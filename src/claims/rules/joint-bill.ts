/**
 * The sum of several receipts. None where two say the same: a bill and the slip of the card it was paid
 * with are one expense.
 */
export function jointBill(amounts: readonly (number | null)[]): number | undefined {
  const cents = amounts.flatMap((amount) => (amount === null ? [] : [amount]))
  const joint = cents.length > 1 && cents.length === amounts.length
  if (!joint || new Set(cents).size < cents.length) return undefined
  return cents.reduce((sum, amount) => sum + amount, 0)
}
