// The file that pays each person of a released payout: nobody twice, as the payroll files list everybody.
import { counted } from '#ui/figures.ts'
import type { PayRun } from './payouts.contract.ts'

export function paidHow({ people, without_account }: Pick<PayRun, 'people' | 'without_account'>) {
  if (without_account === 0) return `The bank file pays everyone in this payout. ${listed}`
  if (without_account === people)
    return 'Payroll pays everyone in this payout: nobody had a bank account at its release.'
  const by_payroll = counted(without_account, 'person', 'people')
  return `Payroll pays ${by_payroll} without a bank account, the bank file everyone else. ${listed}`
}

const listed =
  'The payroll files list everyone: in “Paid by” they say who is paid by the bank file already.'
