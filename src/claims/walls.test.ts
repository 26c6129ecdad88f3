// Limits of straight SQL on claims, as the login of requests.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fundedCompany } from '../../test/claims-stage.ts'
import { openScene, type Scene } from '../../test/scene.ts'

let scene: Scene
before(async () => {
  scene = await openScene()
})
after(() => scene.close())

test('whatever the database is told, it approves no more than the policy and earlier rolls let', async () => {
  const drawing = await fundedCompany(scene, { spot_check: 50 })
  const person = await drawing.hire()
  const submit = async (bill_cents: number, spot_check_draw: number, policy_version = 1) => {
    const claim = {
      ...(await drawing.draft({ bill_cents })),
      type_name: 'Physiotherapy',
      plan_year: drawing.plan_year,
      policy_version,
      due_at: new Date().toISOString(),
    }
    const said = { automatic: true, awaits_reading: false, receipt_agrees: true, suspicion: 0 }
    const decision = { ...said, spot_check_draw }
    const receipt = await drawing.receipt(person)
    const [answer] = await scene.straight(
      person,
      (tx) => tx<{ status: string }[]>`select status from submit_claim(${tx.json(claim)},
        ${[receipt]}::uuid[], ${tx.json(decision)}, '[]')`,
    )
    return answer!.status
  }
  const first = await drawing.agreeing(person, { bill_cents: 7000 })
  await scene.sql`update claims set spot_check_draw = 10
    where company_id = ${drawing.id} and id = ${first.id}`
  await assert.rejects(submit(7000, 99), { message: 'needs_a_person' })
  await assert.rejects(submit(8000, 10), { message: 'needs_a_person' })
  await assert.rejects(submit(8000, 99, 7), { message: 'needs_a_person' }, 'no such policy')
  assert.equal(await submit(8000, 99), 'approved')
})
