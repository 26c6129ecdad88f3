// Reversing an approval and withdrawing a question are decisions: a reviewer who may not decide on a claim does neither.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../../test/world/company.ts'
import { refuses } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

type ReversalInput = { id: number; version: number; text: string }

test('nobody does it to a claim of their own manager, nor of who made them a reviewer today', async () => {
  const acme = await fundedCompany(scene)
  const { review } = acme.company.admin.api
  const [ana, cleo] = [await acme.hire('Ana'), await acme.admin('Cleo')]
  await scene.sql`update profiles set manager_id = ${ana.id} where id = ${cleo.id}`
  const [one, other] = [await acme.claim(ana), await acme.claim(ana)]
  const approved = { ...(await review.approve(one)), text: 'By mistake' }
  const question = { ...(await review.ask({ ...other, text: 'Which tooth?' })), text: '' }
  const refused = async (code: 'claim_of_your_manager' | 'admin_too_new') => {
    const shown = async (act: 'reverse' | 'withdraw_question', input: ReversalInput) => {
      assert.equal((await cleo.api.review.find(input)).refusals[act], code, act)
      await refuses(code, cleo.api.review[act](input))
    }
    await shown('reverse', approved)
    await shown('withdraw_question', question)
  }
  await refused('claim_of_your_manager')
  await scene.sql`update profiles set manager_id = null where id = ${cleo.id}`
  await scene.sql`update company_rights set given_by = ${ana.id}, given_at = now()
    where person_id = ${cleo.id}`
  await refused('admin_too_new')
  assert.equal((await review.reverse(approved)).payment, 'reversed')
  assert.equal((await review.withdraw_question(question)).stage, 'first_review')
})
