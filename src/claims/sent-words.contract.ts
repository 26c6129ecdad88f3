// Words for a payment, for its employee and HR alike: sent when it is released, paid from its pay day on.
import { dateText } from '#ui/date-words.ts'

/**
 * The destination of a payment: payroll pays people without a bank account here. For a leaver no salary comes that it could go
 * with.
 */
export const paidTo = (iban_end: string | null) =>
  iban_end ? `to your account ending in ${iban_end}` : 'by your company’s payroll'

/** How a coming payment is made to somebody without a bank account. */
export const unless_added = `paid ${paidTo(null)} unless you add a bank account`

const isSent = (pay_on: string | null, today: string): pay_on is string =>
  pay_on !== null && pay_on > today

export const onItsWayText = (pay_on: string) => `on its way, ${dateText(pay_on)}`

/** One word, for places that show no day. */
export const sentOrPaid = (pay_on: string | null, today: string) =>
  isSent(pay_on, today) ? 'Sent' : 'Paid'

/** A few words, for lists. */
export const sentText = (pay_on: string | null, today: string) =>
  isSent(pay_on, today) ? `On its way, ${dateText(pay_on)}` : 'Paid'

/** The payment with its day, for a claim's own page. */
export function paidText(pay_on: string | null, today: string): string {
  if (isSent(pay_on, today)) return `On its way, to be paid on ${dateText(pay_on)}`
  return pay_on === null ? 'Paid' : `Paid on ${dateText(pay_on)}`
}
