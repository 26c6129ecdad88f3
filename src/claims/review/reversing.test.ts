// Reversing an approval is deciding on a claim: whoever may not decide on it does not reverse it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../../test/world/company.ts'
import { refuses } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

test('nobody reverses a claim of their own manager, nor of who made them a reviewer today', async () => {
  const acme = await fundedCompany(scene)
  const { admin } = acme.company
  const [ana, cleo] = [await acme.hire('Ana'), await acme.admin('Cleo')]
  await scene.sql`update profiles set manager_id = ${ana.id} where id = ${cleo.id}`
  const approved = await admin.api.review.approve(await acme.claim(ana))
  const reverse = { id: approved.id, version: approved.version, text: 'By mistake' }
  const shown = async () => (await cleo.api.review.find(approved)).refusals.reverse
  assert.equal(await shown(), 'claim_of_your_manager')
  await refuses('claim_of_your_manager', cleo.api.review.reverse(reverse))
  await scene.sql`update profiles set manager_id = null where id = ${cleo.id}`
  await scene.sql`update company_rights set given_by = ${ana.id}, given_at = now()
    where person_id = ${cleo.id}`
  assert.equal(await shown(), 'admin_too_new')
  await refuses('admin_too_new', cleo.api.review.reverse(reverse))
  assert.equal((await admin.api.review.reverse(reverse)).payment, 'reversed')
})
