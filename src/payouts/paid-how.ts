// The file that pays each person of a payout: nobody twice, as the payroll files list everybody.
import { counted, money } from '#ui/figures.ts'
import type { PayRun } from './payouts.contract.ts'

type PaidPeople = Pick<PayRun, 'paid_people' | 'without_account'>

/** Whether its bank file pays anybody. */
export const byBank = ({ paid_people, without_account }: PaidPeople) =>
  without_account < paid_people

export function paidHow({ paid_people, without_account }: PaidPeople) {
  if (paid_people === 0) return all_withheld
  if (without_account === 0) return `The bank file pays everyone in this payout. ${listed}`
  if (without_account === paid_people)
    return 'Payroll pays everyone in this payout: nobody it pays had a bank account at its release.'
  return `${shared(without_account)} ${listed}`
}

/** How the people of a payout will be paid, in words for the time before its release. */
export function paidOnce({ paid_people, without_account }: PaidPeople, has_account: boolean) {
  if (paid_people === 0) return all_withheld
  if (without_account === paid_people)
    return 'Payroll pays everyone in this payout: nobody it pays has a bank account here.'
  const how = without_account === 0 ? 'The bank file pays everyone.' : shared(without_account)
  return has_account ? how : `${how} It can’t be made before your company’s account is entered.`
}

/** Payments to erased people: the bank has its own record, but the file can't name them again. */
export const erasedText = ({ erased: { payments, cents }, currency }: PayRun) =>
  `${counted(payments, 'payment')} of ${money(cents, currency)} ${payments === 1 ? 'is' : 'in all are'} no longer in ` +
  'the bank file: whoever was paid has been erased since. If the file never went out, pay by the bank’s or payroll’s record.'

const all_withheld = 'No money goes out: all of it is withheld.'

const shared = (without_account: number) =>
  `Payroll pays ${counted(without_account, 'person', 'people')} without a bank account, the bank file everyone else.`

const listed =
  'The payroll files list everyone: in “Paid by” they say who is paid by the bank file already.'
