// The finding of a ledger’s verification, as a sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerSentence } from './ledger-sentence.ts'

test('one transfer and one account are counted as one', () => {
  const good = { fault: null, transfer_id: null, account_id: null }
  const sentence = (transfers: number, accounts: number) =>
    ledgerSentence({ ...good, transfers, accounts })
  assert.equal(sentence(1, 1), '1 transfer, 1 account, all good')
  assert.equal(sentence(0, 1234), '0 transfers, 1,234 accounts, all good')
})
