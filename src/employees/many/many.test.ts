// Acts on many people at once.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { untilFinished } from '../../../test/world/people-files.ts'
import { refuses, type Person } from '../../../test/world/people.ts'
import { giveRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ worker: true })
let acme: FundedCompany
let hr: Person
let ana: Person
let ben: Person
let cleo: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  ;[ana, ben, cleo] = [await acme.hire('Ana'), await acme.hire('Ben'), await acme.hire('Cleo')]
  await scene.sql`update profiles set department = 'Sales' where id in (${ana.id}, ${ben.id})`
})

const picked = (...people: Person[]) => ({ person_ids: people.map(({ id }) => id) })
const departmentOf = async ({ id }: Person) => (await hr.api.employees.find({ id })).department
describe('many people at once', () => {
  test('those whom the filters leave change department, compared first and taken back', async () => {
    const people = { department: 'Sales' }
    const found = await hr.api.many.compare({ ...people, becomes: { department: 'Care' } })
    const { status, chosen, changes, missing, fresh } = found
    assert.deepEqual([status, chosen, changes, missing, fresh], ['checked', true, 2, 0, 0])
    assert.equal(await departmentOf(ana), 'Sales', 'nothing has changed yet')
    await hr.api.imports.start({ id: found.id })
    assert.equal((await untilFinished(hr, found.id)).status, 'done')
    assert.deepEqual([await departmentOf(ana), await departmentOf(ben)], ['Care', 'Care'])
    await hr.api.imports.undo({ id: found.id })
    assert.equal((await untilFinished(hr, found.id)).status, 'undone')
    assert.equal(await departmentOf(ben), 'Sales')
    await refuses(
      'nobody_chosen',
      hr.api.many.compare({
        department: 'Nowhere',
        becomes: { department: 'Care' },
      }),
    )
  })

  test('a last day for many needs a second admin as it does by file, and names their money', async () => {
    const becomes = { left_on: acme.today }
    const found = await hr.api.many.compare({ ...picked(ana, ben, hr), becomes })
    assert.deepEqual([found.changes, found.rows], [2, 2], 'HR is no employee of this list')
    const { people, available_cents } = await hr.api.imports.leavers({ id: found.id })
    assert.deepEqual([people, available_cents > 0], [2, true])
    await acme.admin('Dana')
    await hr.api.imports.start({ id: found.id })
    assert.equal((await hr.api.imports.find({ id: found.id })).status, 'waiting')
    assert.equal((await hr.api.employees.find({ id: ana.id })).left_on, null)
    await hr.api.imports.discard({ id: found.id })
  })

  test('many are put in a group at once; who is in it already is counted, not put twice', async () => {
    const group = await hr.api.groups.add({ name: 'Field', departments: null })
    const into = { into_group_id: group.id }
    await hr.api.groups.put_person({ id: group.id, person_id: ana.id })
    const done = await hr.api.many.put_in_group({ ...picked(ana, ben, cleo), ...into })
    assert.deepEqual([done.added, done.were_in_it], [2, 1])
    const again = await Promise.all(
      [1, 2].map(() => hr.api.many.put_in_group({ search: 'Cleo', ...into })),
    )
    assert.deepEqual(
      again.map(({ added }) => added),
      [0, 0],
    )
    const by_department = await hr.api.groups.add({ name: 'Sellers', departments: ['Sales'] })
    await refuses(
      'group_by_department',
      hr.api.many.put_in_group({ ...picked(ana), into_group_id: by_department.id }),
    )
  })

  test('whom only another may add is left out, and not said to be in it', async () => {
    const dora = await acme.hire('Dora')
    await giveRights(scene, acme.company, dora, 'people')
    const { id } = await hr.api.groups.add({ name: 'Board', departments: null })
    const both = { ...picked(ana, dora), into_group_id: id }
    const done = await dora.api.many.put_in_group(both)
    assert.deepEqual([done.added, done.were_in_it, done.left_out], [1, 0, 1])
    const again = await hr.api.many.put_in_group(both)
    assert.deepEqual([again.added, again.were_in_it, again.left_out], [1, 1, 0])
  })

  test('undone, whom it added are out of the group again, and nobody else', async () => {
    const group = await hr.api.groups.add({ name: 'Harbour', departments: null })
    const { id } = group
    const people = async () => (await hr.api.groups.list({})).find((one) => one.id === id)!.people
    await hr.api.groups.put_person({ id, person_id: ana.id })
    const { added_at } = await hr.api.many.put_in_group({
      ...picked(ana, ben, cleo),
      into_group_id: id,
    })
    assert.equal(await people(), 3)
    await hr.api.groups.take_person({ id, person_id: ben.id })
    await hr.api.groups.put_person({ id, person_id: ben.id })
    const undo = { group_id: id, added_at }
    await refuses('forbidden', ana.api.many.undo_put_in_group(undo))
    const other = await scene.company({ name: 'Elsewhere' })
    await refuses('not_found', other.admin.api.many.undo_put_in_group(undo))
    const second = await acme.admin('Dag')
    await refuses('undo_not_yours', second.api.many.undo_put_in_group(undo))
    const undone = await Promise.all([1, 2].map(() => hr.api.many.undo_put_in_group(undo)))
    assert.deepEqual(
      undone.map(({ taken_out }) => taken_out).toSorted((a, b) => a - b),
      [0, 1],
    )
    assert.equal(await people(), 2, 'Ana, who was there, and Ben, who came again since')
  })

  test('undone too late, they stay', async () => {
    const { id } = await hr.api.groups.add({ name: 'Airfield', departments: null })
    await hr.api.many.put_in_group({ ...picked(ana, ben), into_group_id: id })
    const [{ added_at }] = await scene.sql<[{ added_at: string }]>`
      update employee_group_people set added_at = added_at - interval '13 seconds'
        where group_id = ${id} returning to_json(added_at) #>> '{}' as added_at`
    await refuses('undo_over', hr.api.many.undo_put_in_group({ group_id: id, added_at }))
    assert.equal((await hr.api.employees.list({ group_id: id })).total, 2)
  })

  test('only who has not come, and had no invitation within a day, is invited again', async () => {
    const invited = async (name: string) => {
      const email = `${name}.${acme.id}@example.com`
      const { employee } = await hr.api.employees.add({
        full_name: name,
        email,
        department: 'Sales',
      })
      return employee.id
    }
    const [mia, leo] = [await invited('Mia'), await invited('Leo')]
    await scene.sql`update profiles set invited_at = now() - interval '2 days' where id = ${mia}`
    const people = { person_ids: [mia, leo, ana.id] }
    assert.deepEqual(await hr.api.many.invite_again(people), { invited: 1, left_out: 2 })
    assert.deepEqual(await hr.api.many.invite_again(people), { invited: 0, left_out: 3 })
    const [mail] = await scene.sql<[{ count: number }]>`select count(*) from profiles
      where id = ${mia} and invited_at > now() - interval '1 minute'`
    assert.equal(mail.count, 1)
  })

  test('another company’s people and group are not there; who has no right may not', async () => {
    const other = await fundedCompany(scene)
    const theirs = await other.hire('Theirs')
    const group = await other.company.admin.api.groups.add({ name: 'Theirs', departments: null })
    const becomes = { department: 'Care' }
    await refuses('nobody_chosen', hr.api.many.compare({ ...picked(theirs), becomes }))
    await refuses('nobody_chosen', hr.api.many.invite_again({ ...picked(theirs) }))
    await refuses(
      'not_found',
      hr.api.many.put_in_group({ ...picked(ana), into_group_id: group.id }),
    )
    await refuses('nobody_chosen', hr.api.many.compare({ group_id: group.id, becomes }))
    await refuses('forbidden', ana.api.many.compare({ ...picked(ben), becomes }))
    await refuses('forbidden', ana.api.many.invite_again({ ...picked(ben) }))
  })
})
