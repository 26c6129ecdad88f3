// A file that is taken back when somebody in it has rights by now: perhaps the one who takes it back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany } from '../../../test/world/company.ts'
import { compare, asCsv, untilFinished, type Entry } from '../../../test/world/people-files.ts'
import { giveRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ worker: true })

test('whoever has rights by now keeps what the file made of them, and the rest is taken back', async () => {
  const stage = await fundedCompany(scene)
  const { admin } = stage.company
  const [paul, ben] = [await stage.hire('Paul'), await stage.hire('Ben')]
  const joined = daysAfter(stage.plan_year, 30)
  const entry = (first: string, email: string, number: string): Entry => {
    return { number, first, last: 'Post', email, department: 'Sales', joined }
  }
  const { id } = await compare(
    admin,
    asCsv([entry('Paul', paul.email, 'P-1'), entry('Ben', ben.email, 'P-2')]),
  )
  await admin.api.imports.start({ id })
  const { started_by_name } = await untilFinished(admin, id)
  await admin.api.groups.add({ name: 'Field', departments: ['Sales'] })
  await giveRights(scene, stage.company, paul, 'people')
  await paul.api.imports.undo({ id })
  const undone = await untilFinished(admin, id)
  assert.deepEqual([undone.status, undone.kept], ['undone', 1])
  assert.equal(undone.started_by_name, started_by_name, 'by the admin, whoever takes it back')
  const [back] = await scene.sql`select actor_id from audit_log
    where table_name = 'profiles' and row_id = ${ben.id} order by id desc limit 1`
  assert.equal(back!['actor_id'], paul.id)
  const people = await scene.sql`select full_name, department, joined_on::text from profiles
    where id in (${paul.id}, ${ben.id}) order by full_name`
  assert.deepEqual(
    people.map((one) => ({ ...one })),
    [
      { full_name: 'Ben', department: null, joined_on: stage.plan_year },
      { full_name: 'Paul Post', department: 'Sales', joined_on: joined },
    ],
  )
  const { people: kept } = await admin.api.imports.people({ id, kind: 'kept' })
  assert.deepEqual(
    kept.map(({ email, reason }) => [email, reason]),
    [[paul.email, 'changed_since']],
  )
})
