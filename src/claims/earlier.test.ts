// What was decided before traces were codes is told as it was: by its code, or in its own words.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { fundedCompany, type ClaimsStage } from '../../test/claims-stage.ts'
import { openScene, type Scene } from '../../test/scene.ts'

describe('a trace of earlier', () => {
  let scene: Scene
  let acme: ClaimsStage
  before(async () => {
    scene = await openScene()
    acme = await fundedCompany(scene)
  })
  after(() => scene.close())

  test('keeps what it told', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 5000 })
    const fine = (
      rule: string,
      says: string,
      facts: Record<string, string | number | null> = {},
    ) => ({
      rule,
      says,
      outcome: 'fine',
      facts,
    })
    const kept = [
      fine('Amount and bill', '50.00 EUR claimed', { amount_cents: 5000, bill_cents: 5000 }),
      fine('Service date', 'The service was on 1 Sept 2026'),
      fine('Employment', 'Employed on 1 Sept 2026'),
      fine('Receipt match', 'No receipt to compare with', { read_on: null }),
      fine('Automatic approvals this month', '2 of at most 4 automatic approvals this month', {
        this_month: 2,
      }),
      fine('Weighed by the moon', 'It was full'),
    ]
    await scene.sql`update claim_events set trace = ${scene.sql.json(kept)}
      where claim_id = ${claim.id} and event = 'submitted'`
    await scene.sql.unsafe(await readFile('db/044_said_by_code.sql', 'utf8'))
    const { trace, service_on } = await ana.api.claims.find({ id: claim.id })
    assert.deepEqual(
      trace.map(({ rule, facts }) => ({ rule, facts })),
      [
        { rule: 'amount_and_bill', facts: { amount_cents: 5000, bill_cents: 5000 } },
        {
          rule: 'earlier',
          facts: { title: 'Service date', says: 'The service was on 1 Sept 2026' },
        },
        { rule: 'employment', facts: { service_on } },
        { rule: 'receipt_match', facts: { found: 'none', read_on: null } },
        { rule: 'automatic_this_month', facts: { this_month: 2, at_most: 4 } },
        { rule: 'earlier', facts: { title: 'Weighed by the moon', says: 'It was full' } },
      ],
    )
  })
})
