// A receipt as the rules of a claim read it: with nothing wrong beside the claim of their tests.
import type { RuleFacts } from '#claims/rules/rule-facts.ts'

export type ReadReceipt = RuleFacts['receipts'][number]

export const read_receipt: ReadReceipt = {
  id: 'r',
  there: true,
  claim_id: null,
  read_state: 'read',
  read_amount_cents: 4000,
  read_currency: 'EUR',
  read_on: '2026-05-04',
  same_provider: null,
  blacked_reads: [],
  read_provider: 'HARBOUR CLINIC LTD',
}
