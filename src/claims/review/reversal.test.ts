// The consequences of a reversal in words, for a claim that was paid and for one that was not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reversalSentence } from './reversal.ts'

const claim = {
  approved_cents: 4900,
  amount_cents: 6000,
  paid_on: null,
  currency: 'EUR',
  person_name: 'Lena Ostrowski',
}

test('a reversal says where the money goes, released or not, and that it is final', () => {
  const final =
    'This is final: to be paid after all, Lena Ostrowski has to claim again while the plan year takes claims.'
  assert.equal(
    reversalSentence({ ...claim, payment: 'paid', paid_on: '2026-12-03' }),
    '€49.00 was released for payment on Dec 3, 2026. It is withheld from Lena Ostrowski’s next payouts, ' +
      `and is back in their fund once it was withheld. ${final}`,
  )
  for (const payment of ['unpaid', 'returned'] as const) {
    assert.equal(
      reversalSentence({ ...claim, payment }),
      `€49.00 is not paid out, and goes back to Lena Ostrowski’s fund. ${final}`,
    )
  }
})
