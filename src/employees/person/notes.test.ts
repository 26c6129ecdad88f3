// Notes about a person: for the admins of their company, in the person's own export, gone with them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { about_a_person } from '#privacy/about-a-person.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { refuses, type Person } from '../../../test/world/people.ts'
import { confirmRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()
let acme: FundedCompany
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
})

test('a note is read by every admin of the company, with who wrote it; by nobody else', async () => {
  const hr = acme.company.admin
  await hr.api.employees.add_note({ id: ana.id, text: 'Back from leave in May' })
  const second = await acme.admin('Second')
  const [note] = await second.api.employees.notes({ id: ana.id })
  assert.equal(note!.text, 'Back from leave in May')
  const me = await hr.api.users.me({})
  assert.equal(note!.written_by_name, me.full_name)
  await refuses('forbidden', ana.api.employees.notes({ id: ana.id }))
  await refuses('forbidden', acme.provider.api.employees.notes({ id: ana.id }))
  const other = await scene.company({ name: 'Other' })
  await refuses('not_found', other.admin.api.employees.notes({ id: ana.id }))
  await refuses('not_found', other.admin.api.employees.add_note({ id: ana.id, text: 'Hello' }))
  const which = { id: ana.id, note_id: note!.id }
  await refuses('not_found', other.admin.api.employees.remove_note(which))
  await refuses('invalid_input', hr.api.employees.add_note({ id: ana.id, text: '  ' }))
})

test('an admin neither reads nor writes what is kept about themselves, whatever they were before', async () => {
  const zoe = await acme.hire('Zoe')
  const hr = acme.company.admin
  await hr.api.employees.add_note({ id: zoe.id, text: 'Wants to move to Sales' })
  const change = { id: zoe.id, role: 'company_admin', company_id: acme.id } as const
  await acme.provider.api.users.change_role(change)
  await confirmRights(scene, hr, zoe)
  await refuses('yourself', zoe.api.employees.notes({ id: zoe.id }))
  await refuses('yourself', zoe.api.employees.add_note({ id: zoe.id, text: 'All good' }))
  assert.equal((await hr.api.employees.notes({ id: zoe.id })).length, 1)
})

test('the record keeps that a note was written and removed, never what it said', async () => {
  const hr = acme.company.admin
  const ben = await acme.hire('Ben')
  const [note] = await hr.api.employees.add_note({ id: ben.id, text: 'Quietly said words' })
  const left = await hr.api.employees.remove_note({ id: ben.id, note_id: note!.id })
  assert.deepEqual(left, [])
  const log = await scene.sql<{ act: string; content: string }[]>`
    select act, concat(before, after) as content from audit_log
    where table_name = 'person_notes' and row_id = ${note!.id} order by id`
  assert.deepEqual(
    log.map(({ act }) => act),
    ['insert', 'delete'],
  )
  assert.ok(log.every(({ content }) => !content.includes('Quietly')))
})

test('the person’s export holds them, and erasure removes them', async () => {
  const hr = acme.company.admin
  const mia = await acme.hire('Mia')
  const eva = await acme.hire('Eva')
  await hr.api.employees.add_note({ id: mia.id, text: 'Prefers mail' })
  await hr.api.employees.add_note({ id: eva.id, text: 'Prefers to be called' })
  const { query } = about_a_person.find(({ name }) => name === 'notes_about_you')!
  const exported = await scene.sql.unsafe(query, [mia.id])
  assert.deepEqual(
    exported.map((row) => row['text']),
    ['Prefers mail'],
  )
  await scene.sql`select private.erase_belongings(${acme.id}, ${mia.id})`
  assert.deepEqual([...(await scene.sql.unsafe(query, [mia.id]))], [])
  assert.equal((await scene.sql.unsafe(query, [eva.id])).length, 1)
})

test('the history of a person is what was changed about them and their family alone', async () => {
  const hr = acme.company.admin
  const tom = await acme.hire('Tom')
  await tom.api.dependents.add({
    full_name: 'Kim Tomson',
    relationship: 'child',
    born_on: '2020-05-01',
    covered_from: acme.today,
  })
  const { version, joined_on } = await hr.api.employees.find({ id: tom.id })
  const edited = { full_name: 'Tom Tomson', department: 'Sales', joined_on }
  await hr.api.employees.edit({ id: tom.id, version, ...edited })
  const { entries } = await hr.api.audit.list({ about: tom.id })
  const about = new Set(entries.map(({ table_name }) => table_name))
  assert.deepEqual([...about].sort(), ['dependents', 'profiles'])
  const named = entries.filter(({ table_name }) => table_name === 'profiles')
  assert.ok(named.every(({ subject }) => subject === 'Tom Tomson'))
  assert.ok(entries.some(({ after }) => after?.['department'] === 'Sales'))
  const other = await scene.company({ name: 'Another' })
  const theirs = await other.admin.api.audit.list({ about: tom.id })
  assert.deepEqual(theirs.entries, [])
})
