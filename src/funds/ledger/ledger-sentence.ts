// The result of verifying a ledger, in one sentence.
import { z } from 'zod'
import { countedInEnglish, countInEnglish } from '#lib/counted.ts'
import { LedgerCheck } from './ledger.contract.ts'

export const LedgerResult = LedgerCheck.omit({ good: true, sentence: true }).extend({
  fault: z.string().nullable(),
})
export type LedgerFound = Omit<z.output<typeof LedgerResult>, 'as_of'>

const sentences: Record<string, (check: LedgerFound) => string> = {
  seal_missing: ({ transfer_id }) =>
    transfer_id
      ? `The chain is broken before entry ${transfer_id}: a seal is missing`
      : 'The chain is broken at its end: the last seal is missing',
  transfer_changed: ({ transfer_id }) => `Entry ${transfer_id} was changed after it was sealed`,
  transfer_deleted: ({ transfer_id }) => `Entry ${transfer_id} was deleted`,
  transfer_inserted: ({ transfer_id }) => `Entry ${transfer_id} was inserted from outside`,
  balance_after_wrong: ({ transfer_id, account_id }) =>
    `Entry ${transfer_id} does not lead to the balance it states for account ${account_id}`,
  balance_wrong: ({ account_id }) =>
    `Account ${account_id} does not hold what its entries add up to`,
  sum_not_zero: () => 'The balances of a plan year do not add up to zero',
  totals_wrong: () => 'The kept totals are not what the accounts add up to',
  adjustment_wrong: () => 'Balances were adjusted by more or less than was confirmed',
  grant_wrong: () => 'A person’s accounts do not hold what they were given',
}

export function ledgerSentence(check: LedgerFound): string {
  const { transfers, accounts, fault } = check
  if (fault) return sentences[fault]?.(check) ?? fault
  return `${countedInEnglish(transfers, 'transfer')}, ${countedInEnglish(accounts, 'account')}, all good`
}

/** The result for one person's own part. It claims no more than was checked. */
export function myLedgerSentence(check: LedgerFound): string {
  const { transfers, accounts, fault } = check
  if (fault) return sentences[fault]?.(check) ?? fault
  if (transfers === 0) return 'You have no entries yet'
  const entries = transfers === 1 ? 'your one entry' : `your ${countInEnglish(transfers)} entries`
  const balances = accounts === 1 ? 'account' : `${countInEnglish(accounts)} accounts`
  // The newest may not be sealed yet.
  return `No seal of ${entries} is broken, and they add up to the balances of your ${balances}`
}
