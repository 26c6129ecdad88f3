// A reversed claim: what its employee reads about the money.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reverse } from '../../test/world/claims.ts'
import { approvalOf } from '../../test/world/company.ts'
import { refuses } from '../../test/world/people.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { openedScene } from '../../test/world/scene.ts'
import { copyOf } from './form/copied.ts'
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
  const overpaid =
    /^This claim had been released for payment on .+: the overpayment of €50\.00 is withheld/
  assert.match(await reversalOf(paid.id), overpaid)
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
  const nothing = /^This claim had been released for payment on .+: nothing is left to be withheld/
  assert.match(await reversalOf(paid.id), nothing)
})

test('an approval is reversed once the appealed rest is decided, and what was approved is claimed again', async () => {
  const { acme, hr, second } = await payingCompany(scene)
  const ana = await payee(acme, 'Ana')
  const lines = [
    { what: 'Glasses', amount_cents: 5000 },
    { what: 'Cloth', amount_cents: 1000 },
  ]
  const claim = await acme.claim(ana, { amount_cents: 6000, lines })
  const decided = [
    { approved_cents: 5000 },
    { approved_cents: 0, reason: 'A cloth is in the price' },
  ]
  await hr.api.review.approve({ ...approvalOf(claim), lines: decided })
  const rest = await ana.api.claims.appeal({ id: claim.id, text: 'The cloth was sold with them' })
  const approved = await hr.api.review.find(claim)
  assert.equal(approved.refusals.reverse, 'rest_pending')
  await refuses('rest_pending', reverse(hr, approved))
  const straight = scene.straight(
    hr,
    (tx) => tx`select reverse_claim(${approved.id}, ${approved.version}, 'By mistake')`,
  )
  await assert.rejects(straight, { message: 'rest_pending' })
  await second.api.review.approve(approvalOf(await second.api.review.find(rest)))
  await reverse(hr, await hr.api.review.find(claim))
  const again = copyOf(await ana.api.claims.find(claim), 'EUR')
  assert.deepEqual([again.bill_cents, again.amount_cents], ['60.00', '50.00'])
  assert.match(again.lines ?? '', /Glasses/)
  assert.doesNotMatch(again.lines ?? '', /Cloth/)
})
