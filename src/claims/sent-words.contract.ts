// The words of a payment wherever its person or HR reads of it: sent at its release, paid from its pay day on.
import { dateText } from '#ui/date-words.ts'

/**
 * The destination of a payment: payroll pays people who have no bank account here. A leaver gets no salary
 * that it comes with.
 */
export const paidTo = (iban_end: string | null) =>
  iban_end ? `to your account ending in ${iban_end}` : 'by your company’s payroll'

/** How a payment that is still to come is made to somebody without a bank account. */
export const unless_added = `paid ${paidTo(null)} unless you add a bank account`

const isSent = (pay_on: string | null, today: string): pay_on is string =>
  pay_on !== null && pay_on > today

export const onItsWayText = (pay_on: string) => `on its way, ${dateText(pay_on)}`

/** One word, where no day is shown. */
export const sentOrPaid = (pay_on: string | null, today: string) =>
  isSent(pay_on, today) ? 'Sent' : 'Paid'

/** A few words, for lists. */
export const sentText = (pay_on: string | null, today: string) =>
  isSent(pay_on, today) ? `On its way, ${dateText(pay_on)}` : 'Paid'

/** With its day, for a claim's own page. */
export function paidText(pay_on: string | null, today: string): string {
  if (isSent(pay_on, today)) return `On its way, to be paid on ${dateText(pay_on)}`
  return pay_on === null ? 'Paid' : `Paid on ${dateText(pay_on)}`
}
