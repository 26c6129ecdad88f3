// The personnel number: one person's in a company, whoever gives it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedScene } from '../../../test/world/scene.ts'
import { problems } from '#problems.ts'

const scene = openedScene()

test('one that another has is refused beside its field, and nothing changes; elsewhere it is free', async () => {
  const acme = await scene.company()
  const { edit, find } = acme.admin.api.employees
  const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
  const numbered = { full_name: 'Numbered', department: 'Sales', personnel_number: '0815' }
  const before_it = await find({ id: ben.id })
  await edit({ ...numbered, id: ana.id, version: (await find({ id: ana.id })).version })
  await assert.rejects(edit({ ...numbered, id: ben.id, version: before_it.version }), {
    code: 'personnel_number_taken',
    fields: { personnel_number: [problems.personnel_number_taken[1]] },
  })
  assert.deepEqual(await find({ id: ben.id }), before_it)
  const other = await scene.company()
  const { id } = await other.hire('Cleo')
  const { employees } = other.admin.api
  const { version } = await employees.find({ id })
  assert.equal((await employees.edit({ ...numbered, id, version })).personnel_number, '0815')
})
