// Rights with a first and a last day: their notifications say the days, and come again when a right begins or is over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepPeople } from '#employees/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { in_mails } from '#lib/writing.ts'
import { unreadInWords } from '../../test/world/notices.ts'
import { openedScene } from '../../test/world/scene.ts'
import { fundedCompany } from '../../test/world/company.ts'
import { notifyOfBegunRights } from './jobs.server.ts'

const scene = openedScene()

/** An employee who was just given a right, and what they read of it. */
async function withRight(from: number | undefined, until: number | undefined) {
  const stage = await fundedCompany(scene)
  const { company, today } = stage
  const ana = await stage.hire('Ana')
  await scene.confirm(company.admin)
  const days = {
    ...(from === undefined ? {} : { from_on: daysAfter(today, from) }),
    ...(until === undefined ? {} : { until_on: daysAfter(today, until) }),
  }
  const { give } = company.admin.api.rights
  const { id } = await give({ person_id: ana.id, kind: 'viewer', ...days })
  const inDays = (count: number) => in_mails.day(daysAfter(today, count))
  return { id, ana, company, today, inDays, reads: () => unreadInWords(ana) }
}

test('a right with a first day is told as one to come, and again once it begins', async () => {
  const { id, reads, inDays } = await withRight(30, 60)
  assert.deepEqual(await reads(), [
    {
      title: `From ${inDays(30)} you have a new right: Viewer`,
      sentence: `An owner of your company gave it to you, until ${inDays(60)}. You’ll be notified when it begins.`,
    },
  ])
  const [queued] = await scene.sql<[{ input: Record<string, unknown>; is_then: boolean }]>`
    select j.payload as input, j.run_at = r.begins_at as is_then
      from graphile_worker._private_jobs j, company_rights r
      where r.id = ${id} and j.payload -> 'ids' ->> 0 = ${id}`
  assert.equal(queued.is_then, true)
  await notifyOfBegunRights(queued.input, scene.tools)
  assert.deepEqual(await reads(), [])
  await scene.sql`update company_rights set begins_at = now() where id = ${id}`
  await notifyOfBegunRights(queued.input, scene.tools)
  assert.deepEqual(await reads(), [
    {
      title: 'You have a new right: Viewer',
      sentence: `An owner of your company gave it to you, until ${inDays(60)}. The menu shows what you can do with it.`,
    },
  ])
})

test('a right that is over by its last day is told as that, once, and that none is left', async () => {
  const { id, reads } = await withRight(undefined, 3)
  await reads()
  await scene.sql`update company_rights set begins_at = now() - interval '2 hours',
    ends_at = now() - interval '1 second' where id = ${id}`
  for (let again = 0; again < 2; again += 1) await keepPeople({}, scene.tools)
  assert.deepEqual(await reads(), [
    {
      title: 'Your right ended: Viewer',
      sentence:
        'Its last day is over. You have no other right; your account stays, as an employee’s.',
    },
  ])
})

test('a right that an owner ends is told as that, and whether others stay', async () => {
  const { id, ana, company, today, reads } = await withRight(undefined, undefined)
  const { api } = company.admin
  const later = { person_id: ana.id, kind: 'auditor', from_on: daysAfter(today, 30) } as const
  const { id: other } = await api.rights.give(later)
  await reads()
  await api.rights.end({ id })
  await api.rights.end({ id: other })
  assert.deepEqual(await reads(), [
    {
      title: 'Your right was cancelled before it began: Auditor',
      sentence:
        'An owner of your company cancelled it. You have no other right; your account stays, as an employee’s.',
    },
    {
      title: 'Your right ended: Viewer',
      sentence: 'An owner of your company ended it. Your other rights stay.',
    },
  ])
})

test('whoever is suspended on its first day reads that it began once they are back', async () => {
  const { id, ana, company, reads } = await withRight(30, undefined)
  await reads()
  const { users } = (await scene.superAdmin()).api
  await users.suspend({ id: ana.id })
  await scene.sql`update company_rights set begins_at = now() where id = ${id}`
  await notifyOfBegunRights({ company_id: company.id, ids: [id] }, scene.tools)
  await users.reactivate({ id: ana.id })
  assert.deepEqual(
    (await unreadInWords(await scene.signIn(ana.email))).map(({ title }) => title),
    ['You have a new right: Viewer'],
  )
})
