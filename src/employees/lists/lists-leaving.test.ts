// Promises of who leaves by a full list: those whom the comparison names, and nobody who has yet to begin.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import {
  addPeopleByFile,
  compare,
  asCsv,
  untilFinished,
  type Entry,
} from '../../../test/world/people-files.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ worker: true })

const open = async (count: number) => {
  const stage = await fundedCompany(scene, { people: count + 10 })
  const people = await addPeopleByFile(stage, count)
  const { admin } = stage.company
  return { stage, people, api: admin.api.imports, admin }
}
const beginsOn = ({ email }: Entry, day: string) =>
  scene.sql`update profiles set joined_on = ${day} where email = ${email}`
const lastDays = async ({ id }: FundedCompany) => {
  const found = await scene.sql<{ email: string }[]>`
    select email from profiles where company_id = ${id} and left_on is not null order by email`
  return found.map(({ email }) => email)
}

test('somebody who has yet to begin is not missing from a list, and counts to no limit', async () => {
  const { stage, people, api, admin } = await open(30)
  const [leaver, first, second] = people as [Entry, Entry, Entry]
  for (const one of [first, second]) await beginsOn(one, daysAfter(stage.today, 40))
  const { id, missing } = await compare(admin, asCsv(people.slice(3)))
  const { leavers } = await api.leavers({ id })
  const named = leavers.map(({ email }) => email)
  assert.deepEqual([missing, named], [1, [leaver.email]])
  const { status } = await api.start({ id, leaves: true })
  assert.equal(status, 'importing') // one of 30; three would wait for a second admin
  const done = await untilFinished(admin, id)
  assert.deepEqual(await lastDays(stage), named)
  assert.deepEqual([done.untouched, done.applied], [0, { changed: 0, left: 1 }])
})

test('a last day before somebody’s first is not set, told as that, and not counted', async () => {
  const { stage, people, api, admin } = await open(60)
  const [leaver, newcomer, moved] = people as [Entry, Entry, Entry]
  await beginsOn(newcomer, stage.today)
  const next = [{ ...moved, department: 'Moved' }, ...people.slice(3)]
  const { id, applied } = await compare(admin, asCsv(next))
  assert.equal(applied, null)
  await api.start({ id, leaves: true, left_on: daysAfter(stage.today, -1) })
  const done = await untilFinished(admin, id)
  assert.deepEqual(await lastDays(stage), [leaver.email])
  const { people: untouched } = await api.people({ id, kind: 'untouched' })
  assert.deepEqual(
    untouched.map(({ email, reason }) => [email, reason]),
    [[newcomer.email, 'ends_before_it_begins']],
  )
  assert.deepEqual([done.missing, done.untouched], [2, 1])
  assert.deepEqual(done.applied, { changed: 1, left: 1 })
})
