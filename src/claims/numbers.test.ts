// The numbers of claims and payouts: each company’s own, from one on, whoever asks at the same moment.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

describe('numbers', () => {
  const scene = openedScene()

  /** A company as in real use, with numbers of its own: tests number claims across companies. */
  async function company() {
    const stage = await payingCompany(scene)
    const of = stage.acme.id.replaceAll('-', '')
    await scene.sql.unsafe(`drop sequence private.claims_of_${of}, private.pay_runs_of_${of}`)
    return stage
  }

  test('begin with one in each company, and an act finds the company’s own', async () => {
    const [one, other] = [await company(), await company()]
    const [ana, ben] = [await payee(one.acme, 'Ana'), await payee(other.acme, 'Ben')]
    const claims = [
      await one.acme.claim(ana, { amount_cents: 1000 }),
      await one.acme.claim(ana, { amount_cents: 1100 }),
      await other.acme.claim(ben, { amount_cents: 7000 }),
    ]
    assert.deepEqual(
      claims.map(({ id }) => id),
      [1, 2, 1],
    )
    await one.hr.api.review.approve({ id: 1, version: claims[0]!.version })
    assert.equal((await ben.api.claims.find({ id: 1 })).status, 'pending')
    assert.equal((await ben.api.claims.find({ id: 1 })).amount_cents, 7000)
    await refuses('not_found', ben.api.claims.find({ id: 2 }))
    await refuses('not_found', other.hr.api.review.find({ id: 2 }))
    assert.deepEqual(
      (await other.hr.api.review.queue({ search: '#1' })).claims.map(
        ({ person_name }) => person_name,
      ),
      ['Ben'],
    )

    await other.hr.api.review.approve({ id: 1, version: claims[2]!.version })
    const runs = [await one.make(), await other.make()]
    assert.deepEqual(
      runs.map(({ id, paid_cents }) => [id, paid_cents]),
      [
        [1, 1000],
        [1, 7000],
      ],
    )
    await one.second.api.payouts.release(runs[0]!)
    assert.equal((await other.hr.api.payouts.find({ id: 1 })).status, 'made')
    for (const { acme } of [one, other]) assert.deepEqual(await acme.faults(), [])
  })

  test('leave each company its own second look once receipts are read', async () => {
    const both = [await company(), await company()]
    const waiting = []
    for (const { acme } of both) {
      const person = await acme.hire()
      const receipt = await acme.receipt(person, { state: 'reading' })
      const draft = await acme.draft({ amount_cents: 2500, receipt_ids: [receipt] })
      waiting.push({ person, receipt, claim: await person.api.claims.submit(draft) })
    }
    for (const { receipt } of waiting)
      await scene.sql`update receipts set read_state = 'unreadable' where id = ${receipt}`
    await both[0]!.acme.evaluateAgain()
    for (const { person, claim } of waiting) {
      assert.equal(claim.id, 1)
      const { trace } = await person.api.claims.find({ id: 1 })
      assert.ok(trace.some(({ facts }) => facts['found'] === 'unreadable'))
    }
  })

  test('are given once each, also where the first of them are asked for at the same moment', async () => {
    const { acme } = await company()
    const people = await Promise.all(Array.from({ length: 12 }, (_, n) => acme.hire(`Person${n}`)))
    const made = await Promise.all(people.map((person) => acme.claim(person)))
    assert.deepEqual(
      made.map(({ id }) => id).toSorted((a, b) => a - b),
      people.map((_, n) => n + 1),
    )
  })
})
