// Groups of a company's people: by department they follow it at once, by hand they are whom HR picked.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { lost, refuses, type Company, type Person } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()
let acme: Company
let hr: Person
let [ana, ben, cem] = [] as unknown as [Person, Person, Person]
before(async () => {
  acme = await scene.company()
  hr = acme.admin
  ana = await acme.hire('Ana')
  ben = await acme.hire('Ben')
  cem = await acme.hire('Cem')
  for (const [person, department] of [
    [ana, 'Sales'],
    [ben, 'Sales'],
    [cem, 'Support'],
  ] as const)
    await move(person, department)
})

const move = ({ id }: Person, department: string) =>
  scene.sql`update profiles set department = ${department} where id = ${id}`
const add = (name: string, ...departments: string[]) =>
  hr.api.groups.add({ name, departments: departments.length > 0 ? departments : null })
const namesIn = async (group_id: string) => {
  const { employees, total } = await hr.api.employees.list({ group_id })
  assert.equal(total, employees.length)
  return employees.map(({ full_name }) => full_name)
}
const isIn = async ({ id }: Person, group_id: string, company = acme.id) => {
  const [found] = await scene.sql<[{ is: boolean }]>`
    select private.is_in_group(${company}, ${id}, ${group_id}) as is`
  return found.is
}

test('a group by department has who is in the department now, counted and found by it', async () => {
  const group = await add('Field work', 'Sales', 'Sales', 'Travel')
  assert.deepEqual([group.departments, group.people], [['Sales', 'Travel'], 2])
  assert.deepEqual(await namesIn(group.id), ['Ana', 'Ben'])
  await move(cem, 'Travel')
  await move(ben, 'Support')
  assert.deepEqual(await namesIn(group.id), ['Ana', 'Cem'])
  assert.deepEqual([await isIn(cem, group.id), await isIn(ben, group.id)], [true, false])
  const found = await hr.api.employees.list({ group_id: group.id, search: 'cem', status: 'active' })
  assert.deepEqual([found.total, found.employees[0]?.id], [1, cem.id])
  const file = await (await hr.api.employees.export({ group_id: group.id })).text()
  assert.match(file, /Ana/)
  assert.doesNotMatch(file, /Ben/)
  await refuses(
    'group_by_department',
    hr.api.groups.put_person({ id: group.id, person_id: ben.id }),
  )
})

test('a group by hand has whom HR picked; a person is in several, and their page names them', async () => {
  const group = await add('First aid')
  const other = await add('Parents')
  assert.equal(group.people, 0)
  for (const { id } of [group, other]) await hr.api.groups.put_person({ id, person_id: ana.id })
  const twice = await hr.api.groups.put_person({ id: group.id, person_id: ana.id })
  assert.equal(twice.people, 1)
  assert.deepEqual(await namesIn(group.id), ['Ana'])
  assert.ok(await isIn(ana, group.id))
  const theirs = await hr.api.groups.of_person({ id: ana.id })
  assert.deepEqual(
    theirs.map(({ name }) => name).filter((name) => name !== 'Field work'),
    ['First aid', 'Parents'],
  )
  const without = await hr.api.groups.take_person({ id: group.id, person_id: ana.id })
  assert.deepEqual([without.people, await isIn(ana, group.id)], [0, false])
  await hr.api.groups.remove({ id: other.id })
  assert.ok((await hr.api.groups.list({})).every(({ id }) => id !== other.id))
})

test('who was picked is forgotten where a group goes by department now', async () => {
  const { id, version } = await add('Night shift')
  await hr.api.groups.put_person({ id, person_id: ben.id })
  const change = { id, version, name: 'Night work', departments: ['Sales'] }
  const by_department = await hr.api.groups.change(change)
  assert.deepEqual([by_department.name, await namesIn(id)], ['Night work', ['Ana']])
  const again = { ...change, version: by_department.version, departments: null }
  assert.equal((await hr.api.groups.change(again)).people, 0)
})

test('a group lists, counts and chooses those whom the list has without it: leavers, but no admins', async () => {
  const group = await add('Movers', 'Moving')
  const picked = await add('Lifters')
  const [eve, fay, gil] = [await acme.hire('Eve'), await acme.hire('Fay'), await acme.hire('Gil')]
  for (const person of [eve, fay, gil]) {
    await move(person, 'Moving')
    await hr.api.groups.put_person({ id: picked.id, person_id: person.id })
  }
  await scene.sql`update profiles set left_on = joined_on, has_left = true where id = ${eve.id}`
  await scene.sql`update profiles set role = 'company_admin', has_own = true where id = ${gil.id}`
  const counted = await hr.api.groups.list({})
  for (const { id } of [group, picked]) {
    assert.deepEqual(await namesIn(id), ['Eve', 'Fay'])
    assert.equal(counted.find((one) => one.id === id)!.people, 2)
    const left = await hr.api.employees.list({ group_id: id, status: 'left' })
    assert.deepEqual([left.total, left.employees.map(({ full_name }) => full_name)], [1, ['Eve']])
    const file = await (await hr.api.employees.export({ group_id: id, status: 'left' })).text()
    assert.match(file, /Eve/)
    const into = await add(`Of ${id.slice(0, 8)}`)
    const done = await hr.api.many.put_in_group({ group_id: id, into_group_id: into.id })
    assert.deepEqual([done.added, done.left_out], [2, 0])
  }
  const without = await hr.api.employees.list({ department: 'Moving' })
  assert.deepEqual(
    without.employees.map(({ full_name }) => full_name),
    ['Eve', 'Fay'],
  )
})

test('a name is one group’s, and of two changes at the same moment the later one is told', async () => {
  const { id, version } = await add('Drivers')
  await refuses('group_exists', add('drivers'))
  const pressed = await Promise.allSettled(
    ['Lorry drivers', 'Van drivers'].map((name) =>
      hr.api.groups.change({ id, version, name, departments: null }),
    ),
  )
  const refused = lost(pressed)
  assert.deepEqual(refused, ['changed_meanwhile'])
})

test('those without the right change none, and nothing of another company is reached', async () => {
  const { id, version } = await add('Board')
  const owner = await withRights(scene, acme, 'owner')
  assert.ok((await owner.api.groups.list({})).some((group) => group.id === id))
  const change = { id, version, name: 'Mine', departments: null }
  for (const person of [owner, ana]) await refuses('forbidden', person.api.groups.change(change))
  const other = await scene.company({ name: 'Other' })
  const stranger = await other.hire('Stranger')
  const { groups, employees } = other.admin.api
  assert.deepEqual(await groups.list({}), [])
  await refuses('not_found', groups.change(change))
  await refuses('not_found', groups.remove({ id }))
  await refuses('not_found', groups.put_person({ id, person_id: stranger.id }))
  await refuses('not_found', hr.api.groups.put_person({ id, person_id: stranger.id }))
  assert.equal((await employees.list({ group_id: id })).total, 0)
  await refuses('not_found', groups.of_person({ id: ana.id }))
  const theirs = await groups.add({ name: 'Board', departments: ['Sales'] })
  assert.deepEqual([theirs.people, await isIn(ana, theirs.id, other.id)], [0, false])
  assert.equal(await isIn(stranger, theirs.id), false)
})

test('the record has who was picked for which group', async () => {
  const { id } = await add('Auditors of quality')
  await hr.api.groups.put_person({ id, person_id: cem.id })
  const { entries, names } = await hr.api.audit.list({ table: 'employee_group_people' })
  assert.equal(entries[0]?.after?.['person_id'], cem.id)
  assert.equal(names[id], 'Auditors of quality')
})
