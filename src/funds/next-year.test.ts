// A plan year before it begins.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { daysFrom } from '../../test/claims-stage.ts'
import { openScene, type Scene } from '../../test/scene.ts'

let scene: Scene
before(async () => {
  scene = await openScene()
})
after(() => scene.close())

test('what a year that has not begun will cost is shown by who is there now', async () => {
  const company = await scene.company()
  const { funds } = company.admin.api
  const plan = await funds.plan({})
  const ana = await company.hire('Ana')
  await company.hire('Ben')
  await ana.api.dependents.add({
    full_name: 'Mia Ana',
    relationship: 'child',
    born_on: plan.starts_on,
  })
  const next = await funds.add_year({
    ...plan,
    starts_on: daysFrom(plan.ends_on, 1),
    dependent_cents: 5_000,
  })
  const effect = await funds.preview_plan({ ...next, prevention_cents: 30_000 })
  assert.deepEqual(
    [effect.people, effect.categories.map(({ due_cents }) => due_cents)],
    [2, [60_000, 2 * next.treatment_cents, 2 * next.solidarity_cents + 5_000]],
  )
  assert.equal(effect.categories[0]?.lacking_cents, 60_000)
})
