// A file that is taken back when somebody in it has rights by now: perhaps the one who takes it back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import { fundedCompany } from '../../../test/world/company.ts'
import { compare, asCsv, untilFinished, type Entry } from '../../../test/world/people-files.ts'
import { spread } from '../../../test/world/money.ts'
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

test('what a file took and its undo gives back is not told, or told as well if the loss was', async () => {
  const stage = await fundedCompany(scene)
  const { admin } = stage.company
  const { groups, group_plans, imports } = admin.api
  const { id: group_id } = await groups.add({ name: 'Opticians', departments: ['Optik'] })
  const plans = [
    {
      group_id,
      counts_from: stage.plan_year,
      by_month: false,
      ...spread(260_000, 760_000, 100_000),
    },
  ]
  await group_plans.change({ plan_year: stage.plan_year, version: 0, plans })
  const asa = await stage.hire('Asa')
  await scene.sql`update profiles set department = 'Optik' where id = ${asa.id}`
  const noticeTitles = async () =>
    (await asa.api.notifications.list({})).notifications
      .filter(({ code }) => code.startsWith('allowance'))
      .map((notice) => inWords(notice, in_mails).title)
      .toSorted()
  const applied = async () => {
    const joined = stage.plan_year
    const row = { number: '', first: 'Asa', last: 'Lind', email: asa.email, joined }
    const { id } = await compare(admin, asCsv([{ ...row, department: 'Sales' }]))
    await imports.start({ id })
    await untilFinished(admin, id)
    return id
  }
  const undo = async (id: string) => {
    await imports.undo({ id })
    assert.equal((await untilFinished(admin, id)).status, 'undone')
  }
  const less = [
    'You have €600.00 less to claim for Prevention',
    'You have €600.00 less to claim for Treatment',
  ]
  const first = await applied()
  assert.deepEqual(await noticeTitles(), less)
  await undo(first)
  assert.deepEqual(await noticeTitles(), [])
  const second = await applied()
  await scene.sql`update notifications set mailed_at = now() where person_id = ${asa.id}`
  await undo(second)
  assert.deepEqual(await noticeTitles(), [
    ...less,
    'You have €600.00 more to claim for Prevention',
    'You have €600.00 more to claim for Treatment',
  ])
})
