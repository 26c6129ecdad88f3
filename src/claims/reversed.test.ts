// A reversed claim: what its employee reads about the money.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reverse } from '../../test/world/claims.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { openedScene } from '../../test/world/scene.ts'
import { afterReversal } from './reversed.ts'

const scene = openedScene()

test('a reversed claim says whether it was paid before, and what is still to be withheld', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme, 'Ana')
  const reversalOf = async (id: number) =>
    afterReversal(await ana.api.claims.find({ id }), await ana.api.payouts.my_overpayment({}))
  const unpaid = await acme.agreeing(ana, { amount_cents: 2000 })
  await reverse(hr, unpaid)
  assert.equal(await reversalOf(unpaid.id), 'This claim had not been paid, so nothing is withheld.')
  const paid = await acme.agreeing(ana, { amount_cents: 5000 })
  const run = await second.api.payouts.release(await make())
  await reverse(hr, paid)
  const overpaid = /^This claim had been released for payment on .+: €50\.00 that you were overpaid/
  assert.match(await reversalOf(paid.id), overpaid)
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
  const nothing = /^This claim had been released for payment on .+: nothing is left to be withheld/
  assert.match(await reversalOf(paid.id), nothing)
})
