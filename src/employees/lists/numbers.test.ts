// Promises of a list's personnel numbers: one is never given to two people, and stops no file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../../test/world/company.ts'
import {
  addPeopleByFile,
  compare,
  asCsv,
  entryOf,
  untilFinished,
} from '../../../test/world/people-files.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ worker: true })

/** People who have no number yet, as they are before the first list that has them. */
const open = async (count: number) => {
  const stage = await fundedCompany(scene, { people: count + 10 })
  const people = await addPeopleByFile(stage, count)
  await scene.sql`update profiles set personnel_number = null where company_id = ${stage.id}`
  const numbers = async () => {
    const found = await scene.sql<{ number: string | null }[]>`
      select personnel_number as number from profiles where email = any (${people.map(({ email }) => email)})
      order by joined_on, email`
    return found.map(({ number }) => number)
  }
  return {
    stage,
    people,
    numbers,
    admin: stage.company.admin,
    api: stage.company.admin.api.imports,
  }
}

test('a number that a list gives to two people is nobody’s, and the other rows are applied', async () => {
  const { stage, people, numbers, admin, api } = await open(3)
  const [a, b, c] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const added = { ...a, email: `new@${stage.company.domain}`, number: c.number }
  const found = await compare(admin, asCsv([a, { ...b, number: a.number }, c, added]))
  assert.deepEqual([found.changes, found.fresh, found.duplicate, found.missing], [0, 0, 4, 0])
  const { rows } = await api.rows({ id: found.id })
  assert.deepEqual(
    rows.map(({ finding, reason }) => [finding, reason]),
    rows.map(() => ['duplicate', 'number_of_two']),
  )
  const text = await (await api.rejected({ id: found.id })).text()
  assert.match(text, /Two rows give this personnel number to two people/)
  const again = await compare(admin, asCsv([a, { ...b, number: a.number }, c]))
  await api.start({ id: again.id })
  await untilFinished(admin, again.id)
  assert.deepEqual(await numbers(), [null, null, c.number])
})

test('a number that somebody else got after the comparison stays theirs, and the row says so', async () => {
  const { stage, people, numbers, admin, api } = await open(3)
  const { id } = await compare(admin, asCsv(people.slice(0, 2)))
  await scene.sql`update profiles set personnel_number = ${people[0]!.number}
    where email = ${people[2]!.email}`
  await api.start({ id })
  assert.equal((await untilFinished(admin, id)).untouched, 1)
  const { people: untouched } = await api.people({ id, kind: 'untouched' })
  assert.deepEqual(
    untouched.map(({ email, reason }) => [email, reason]),
    [[people[0]!.email, 'personnel_number_taken']],
  )
  assert.deepEqual(await numbers(), [null, people[1]!.number, people[0]!.number])
  assert.deepEqual(await stage.faults(), [])
})

test('a row that the database refuses is left as it is, and the rows around it are applied', async () => {
  const { people, numbers, admin, api } = await open(9)
  const { id } = await compare(admin, asCsv(people))
  // The rows become what an overlooked comparison would have left.
  const becomes = { 4: { personnel_number: people[1]!.number }, 6: { full_name: '' } }
  for (const [at, fields] of Object.entries(becomes)) {
    await scene.sql`update import_rows set becomes = ${scene.sql.json(fields)}
      where import_id = ${id} and email = ${people[Number(at)]!.email}`
  }
  await api.start({ id })
  const done = await untilFinished(admin, id)
  assert.deepEqual([done.done, done.untouched], [9, 2])
  const { people: untouched } = await api.people({ id, kind: 'untouched' })
  assert.deepEqual(
    untouched.map(({ email, reason }) => [email, reason]),
    [
      [people[4]!.email, 'personnel_number_taken'],
      [people[6]!.email, 'not_applied'],
    ],
  )
  assert.deepEqual(
    await numbers(),
    people.map(({ number }, at) => (at in becomes ? null : number)),
  )
})

for (const full_list of ['true', 'false'] as const) {
  const kind = full_list === 'true' ? 'full list' : 'file of new people'
  test(`a new person of a ${kind} whom the database refuses is counted, listed and offered to fix`, async () => {
    const { admin, domain } = await scene.company({ name: 'Fresh' })
    const { imports } = admin.api
    const people = Array.from({ length: 10 }, (_, at) => entryOf(at, domain, '2020-01-06'))
    const file = new Blob([asCsv(people)])
    const { id } = await imports.upload({ file_name: 'people.csv', full_list }, { file })
    // The row becomes what an overlooked comparison would have left.
    await scene.sql`update import_rows set department = 'S' where import_id = ${id}
      and email = ${people[3]!.email}`
    await imports.start({ id })
    const { rows, fresh, invalid, taken, untouched } = await untilFinished(admin, id)
    assert.deepEqual([rows, fresh, invalid, taken, untouched], [10, 9, 1, 9, 0])
    const listed = (await imports.rows({ id })).rows
    assert.deepEqual(
      listed.map(({ email, reason }) => [email, reason]),
      [[people[3]!.email, 'not_applied']],
    )
    assert.match(await (await imports.rejected({ id })).text(), /P-1003.*Couldn’t be saved/)
  })
}

test('a new person whose address somebody else took before the file was applied is counted as that', async () => {
  const { admin, domain } = await scene.company({ name: 'Late' })
  const { imports } = admin.api
  const people = [0, 1].map((at) => entryOf(at, domain, '2020-01-06'))
  const file = new Blob([asCsv(people)])
  const { id } = await imports.upload({ file_name: 'people.csv' }, { file })
  const { email, first } = people[0]!
  await admin.api.employees.add({ email, full_name: `${first} Novak`, department: 'Sales' })
  await imports.start({ id })
  const { fresh, here, taken } = await untilFinished(admin, id)
  assert.deepEqual([fresh, here, taken], [1, 1, 1])
})

test('a full list that was compared has one entry in the record, however many of its people change', async () => {
  const { people, admin } = await open(3)
  const recorded = async () => {
    const { entries } = await admin.api.audit.list({ table: 'imports', act: 'update' })
    return entries.filter(({ row_id }) => row_id === id).map(({ after }) => after)
  }
  const { id, changes, missing } = await compare(admin, asCsv(people.slice(0, 2)))
  assert.deepEqual([changes, missing > 0], [2, true])
  assert.deepEqual(await recorded(), [{ status: 'checked', encoding: 'utf-8' }])
})
