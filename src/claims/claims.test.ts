// What an employee asks for and what becomes of it, through the front door.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysFrom, fundedCompany, type ClaimsStage } from '../../test/claims-stage.ts'
import { aKey, openScene, refuses, type Person, type Scene } from '../../test/scene.ts'

let scene: Scene
let acme: ClaimsStage
let ana: Person
before(async () => {
  scene = await openScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
})
after(() => scene.close())

describe('submitting', () => {
  test('a claim holds its amount and waits for HR, who see it at once', async () => {
    const ben = await acme.hire('Ben')
    const claim = await acme.claim(ben, { amount_cents: 12_000, category: 'treatment' })
    assert.equal(claim.status, 'pending')
    assert.equal(claim.stage, 'first_review')
    assert.equal(claim.currency, 'EUR')
    assert.deepEqual(await acme.balances(ben, 'treatment'), { available: 688_000, held: 12_000 })
    const { claims } = await ben.api.claims.mine({})
    assert.deepEqual(claims, [claim])
    const { claims: queued, total } = await acme.company.admin.api.review.queue({
      person_id: ben.id,
    })
    assert.equal(total, 1)
    assert.equal(queued[0]!.id, claim.id)
    assert.equal(queued[0]!.person_name, 'Ben')
    assert.equal(queued[0]!.mine_to_decide, true)
    assert.deepEqual(await acme.faults(), [])
  })

  test('a small one whose receipt says the same is approved by itself, and says why', async () => {
    const cem = await acme.hire('Cem')
    const claim = await acme.agreeing(cem, { amount_cents: 5000 })
    assert.deepEqual(
      [claim.status, claim.automatic, claim.approved_cents],
      ['approved', true, 5000],
    )
    assert.equal(claim.payment, 'unpaid')
    assert.deepEqual(await acme.balances(cem), { available: 195_000, held: 0, payable: 5000 })
    const whole = await cem.api.claims.find({ id: claim.id })
    assert.deepEqual(
      whole.events.map(({ event, by_role }) => [event, by_role]),
      [
        ['submitted', 'employee'],
        ['approved_by_policy', 'system'],
      ],
    )
    assert.ok(whole.trace.every(({ outcome }) => outcome === 'fine'))
    assert.equal(whole.trace.at(-1)!.says, '50.00 EUR approved')
  })
})
