// Labels of adjustments of balances on screen.
import type { BadgeTone } from '#ui/Badge.tsx'
import { signedMoney } from '#ui/figures.ts'
import type { Adjustment } from './adjustments.contract.ts'

export const statusNames: Record<Adjustment['status'], string> = {
  waiting: 'Waiting for somebody else with Finance',
  confirmed: 'Confirmed',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
}

export const statusTones: Record<Adjustment['status'], BadgeTone> = {
  waiting: 'accent',
  confirmed: 'good',
  declined: 'bad',
  withdrawn: 'neutral',
}

/** '+€50.00', '−€50.00' */
export const adjustmentText = ({ cents, currency }: Pick<Adjustment, 'cents' | 'currency'>) =>
  signedMoney(cents, currency)
