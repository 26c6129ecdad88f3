// HR's decision on a dependent can be undone by whoever made it, before the person is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

const child = { full_name: 'Mia', relationship: 'child', born_on: '2019-04-12' } as const
const noticesOf = async ({ id }: Person) =>
  (await scene.sql`select code from notifications where person_id = ${id} order by id`).map(
    ({ code }) => code,
  )

test('a decision undone at once leaves the request as it was, and the person is not told', async () => {
  const other = await scene.company({ name: 'Hasty' })
  await other.admin.api.dependents.set_approval({ needed: true })
  const dora = await other.hire('Dora')
  const { api } = other.admin
  const { id, version } = await dora.api.dependents.add(child)
  await api.dependents.approve({ id, version })
  const back = await api.dependents.undo({ id })
  assert.equal(back.cover_state, 'requested')
  await api.dependents.decline({ id, version: back.version, reason: 'Twice' })
  const again = await api.dependents.undo({ id })
  assert.deepEqual([again.cover_state, again.decline_reason], ['requested', null])
  await refuses('undo_over', api.dependents.undo({ id }))
  await scene.notifyDecisions()
  assert.deepEqual(await noticesOf(dora), [])
  const stateOf = async (person: Person) =>
    (await person.api.dependents.history({ id })).map(({ event }) => event)
  assert.deepEqual(await stateOf(dora), ['requested'])
  assert.deepEqual(await stateOf(other.admin), ['requested', 'approved', 'declined'])
  await api.dependents.approve({ id, version: again.version })
  await refuses('not_found', (await scene.company()).admin.api.dependents.undo({ id }))
  await scene.notifyDecisions()
  assert.deepEqual(await noticesOf(dora), ['dependent_approved'])
  await refuses('undo_over', api.dependents.undo({ id }))
})
