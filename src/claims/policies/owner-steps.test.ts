// Steps that any owner takes who reviews at that moment, and who counts as another person for a day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../../test/world/company.ts'
import { refuses, type Person } from '../../../test/world/people.ts'
import { aDayLater, giveRights, withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { PolicyTerms } from './policies.contract.ts'
import { plain_step } from './steps.contract.ts'

const scene = openedScene()

test('a step of owners is taken by any who reviews at that moment, and by nobody else', async () => {
  const acme = await fundedCompany(scene)
  const { company } = acme
  const first = company.admin
  const [one, two] = [await reviewer(), await reviewer()]
  function reviewer() {
    return withRights(scene, company, 'reviewer')
  }
  const { version, ...found } = await first.api.policies.current({})
  const steps = [plain_step, { ...plain_step, who: 'owners' as const }]
  await first.api.policies.change({ ...PolicyTerms.parse(found), version, steps })
  const refusalFor = async ({ api }: Person, id: number) =>
    (await api.review.find({ id })).refusals.approve
  const needed = async ({ api }: Person, id: number) =>
    (await api.needs.list({})).lines.some(({ number }) => number === id)

  const { id, version: claim_version } = await acme.claim(await acme.hire())
  assert.equal(await refusalFor(first, id), 'asked_later', 'the only owner is asked second')
  assert.equal(await refusalFor(one, id), null)
  const next = await one.api.review.approve({ id, version: claim_version })
  assert.deepEqual(next.assigned_to, [{ name: 'admin', for_name: null }])
  assert.equal(await refusalFor(two, id), 'step_of_others')
  await refuses('step_of_others', two.api.review.approve({ id, version: next.version }))
  assert.deepEqual([await needed(first, id), await needed(two, id)], [true, false])

  await giveRights(scene, company, two, 'owner')
  assert.equal(await refusalFor(two, id), null)
  assert.equal(await needed(two, id), true)
  await scene.sql`update company_rights set ended_at = now()
    where person_id = ${two.id} and kind = 'owner'`
  assert.equal(await refusalFor(two, id), 'step_of_others')
  assert.equal((await first.api.review.approve({ id, version: next.version })).status, 'approved')
})

test('where no owner reviews it is said, and another reviewer takes the place', async () => {
  const acme = await fundedCompany(scene)
  const { company } = acme
  const first = company.admin
  const one = await withRights(scene, company, 'reviewer')
  const { version, ...found } = await first.api.policies.current({})
  const steps = [{ ...plain_step, who: 'owners' as const }]
  await first.api.policies.change({ ...PolicyTerms.parse(found), version, steps })
  const gapsOf = async (without?: Person) => {
    const { steps: lacking } = await first.api.policies.gaps({ without: without?.id })
    return lacking.map(({ gap, names }) => [gap, names])
  }
  assert.deepEqual(await gapsOf(), [])
  assert.deepEqual(await gapsOf(first), [['owners', ['admin']]])
  await scene.sql`update company_rights set ended_at = now()
    where person_id = ${first.id} and kind = 'reviewer'`
  assert.deepEqual(await gapsOf(), [['owners', ['admin']]])
  const lines = (await first.api.needs.list({})).lines.map(({ kind }) => kind)
  assert.ok(lines.includes('step_unfilled'))
  const { id, version: claim_version } = await acme.claim(await acme.hire())
  assert.equal((await one.api.review.approve({ id, version: claim_version })).status, 'approved')
})

test('what waits a day for who counts as who approved stays with them, and is not called done', async () => {
  const acme = await fundedCompany(scene)
  const first = acme.company.admin
  const one = await withRights(scene, acme.company, 'reviewer')
  const { version, ...found } = await first.api.policies.current({})
  const named = { ...plain_step, who: 'people' as const, person_ids: [one.id] }
  const steps = [plain_step, named]
  await first.api.policies.change({ ...PolicyTerms.parse(found), version, steps })
  await scene.sql`update company_rights set given_by = ${first.id}, given_at = now()
    where person_id = ${one.id}`
  const { id, version: claim_version } = await acme.claim(await acme.hire())
  const next = await first.api.review.approve({ id, version: claim_version })
  assert.deepEqual(next.assigned_to, [], 'nobody available')
  await refuses('admin_too_new', one.api.review.approve({ id, version: next.version }))
  const { lines } = await one.api.needs.list({})
  assert.ok(lines.some(({ number }) => number === id))
  await aDayLater(scene, one)
  assert.equal((await one.api.review.approve({ id, version: next.version })).status, 'approved')
})
