// Managers who are set at the same moment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lost } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

test('of two who become each other’s manager at the same moment one is refused', async () => {
  const acme = await scene.company()
  const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
  const { set_manager } = acme.admin.api.employees
  for (let round = 0; round < 6; round += 1) {
    const pressed = await Promise.allSettled([
      set_manager({ id: ana.id, manager_id: ben.id }),
      set_manager({ id: ben.id, manager_id: ana.id }),
    ])
    const refused = lost(pressed)
    assert.deepEqual(refused, ['manager_in_a_circle'])
    for (const { id } of [ana, ben]) await set_manager({ id, manager_id: null })
  }
})
