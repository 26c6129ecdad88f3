// Dependents where HR approves them.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../../test/world/company.ts'
import { refuses, won, type Company, type Person } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { keepFamilies } from './jobs.server.ts'

const scene = openedScene()
let company: Company
let ana: Person
before(async () => {
  company = await scene.company()
  ana = await company.hire('Ana')
  await scene.sql`update profiles set joined_on = joined_on - 900 where id = ${ana.id}`
})

const child = { full_name: 'Mia', relationship: 'child', born_on: '2019-04-12' } as const
const covers = async (person: Person, dependent: string, day: string, of = company.id) => {
  const [row] = await scene.sql<[{ covered: boolean }]>`
    select covers(${of}, ${person.id}, ${dependent}, ${day}) as covered`
  return row.covered
}

describe('approval by HR', () => {
  const noticesOf = async ({ id }: Person) => {
    await scene.notifyDecisions()
    const notices =
      await scene.sql`select code from notifications where person_id = ${id} order by id`
    return notices.map(({ code }) => code)
  }

  test('is off unless HR wants it; then who asks is covered when HR says so', async () => {
    const other = await scene.company({ name: 'Careful' })
    const { admin } = other
    assert.equal((await admin.api.dependents.rules({})).approval_needed, false)
    await admin.api.dependents.set_approval({ needed: true })
    const dora = await other.hire('Dora')
    const today = await todayOf(scene, other)
    const mia = await dora.api.dependents.add(child)
    assert.equal(mia.cover_state, 'requested')
    assert.equal(await covers(dora, mia.id, today, other.id), false)
    assert.deepEqual(await noticesOf(admin), ['dependent_waits'])
    const requests = await admin.api.dependents.requests({})
    assert.deepEqual([requests.waiting, requests.dependents[0]!.person_name], [1, 'Dora'])

    const { id, version, covered_from } = mia
    const changed = await dora.api.dependents.change({
      ...child,
      id,
      version,
      covered_from,
      born_on: '2019-04-13',
    })
    await refuses('changed_meanwhile', admin.api.dependents.approve({ id, version }))
    const outcomes = await Promise.allSettled([
      admin.api.dependents.approve({ id, version: changed.version }),
      admin.api.dependents.decline({ id, version: changed.version, reason: 'Twice' }),
    ])
    assert.equal(won(outcomes).length, 1)
    await refuses('not_requested', admin.api.dependents.approve({ id, version: changed.version }))
  })

  test('what was approved keeps its facts; its name may be fixed', async () => {
    const other = await scene.company({ name: 'Exact' })
    await other.admin.api.dependents.set_approval({ needed: true })
    const dora = await other.hire('Dora')
    const { id, version, covered_from } = await dora.api.dependents.add(child)
    const approved = await other.admin.api.dependents.approve({ id, version })
    assert.equal(approved.cover_state, 'active')
    assert.deepEqual(await noticesOf(dora), ['dependent_approved'])
    const change = (facts: object) =>
      dora.api.dependents.change({
        ...child,
        id,
        version: approved.version,
        covered_from,
        ...facts,
      })
    await refuses('already_approved', change({ relationship: 'parent' }))
    await refuses('already_approved', change({ born_on: '2019-04-11' }))
    assert.equal((await change({ full_name: 'Mia Rose' })).full_name, 'Mia Rose')
  })

  test('a refusal says why, and a request can be withdrawn before it', async () => {
    const other = await scene.company({ name: 'Strict' })
    await other.admin.api.dependents.set_approval({ needed: true })
    const dora = await other.hire('Dora')
    const mia = await dora.api.dependents.add(child)
    const { id, version } = mia
    await other.admin.api.dependents.decline({ id, version, reason: 'Send the birth certificate' })
    const [declined] = (await dora.api.dependents.mine({})).dependents
    assert.deepEqual(
      [declined!.cover_state, declined!.decline_reason],
      ['declined', 'Send the birth certificate'],
    )
    const again = await dora.api.dependents.add(child)
    await dora.api.dependents.withdraw({ id: again.id })
    await refuses(
      'not_requested',
      other.admin.api.dependents.approve({ id: again.id, version: again.version }),
    )
  })

  test('what HR ended only HR takes back', async () => {
    const other = await scene.company({ name: 'Firm' })
    const dora = await other.hire('Dora')
    const today = await todayOf(scene, other)
    const { id } = await dora.api.dependents.add(child)
    await other.admin.api.dependents.end({ id, covered_to: today })
    assert.deepEqual(await noticesOf(dora), ['cover_changed'])
    await refuses('ended_by_hr', dora.api.dependents.resume({ id }))
    await refuses('ended_by_hr', dora.api.dependents.end({ id, covered_to: daysAfter(today, 100) }))
    await giveRights(scene, other, dora, 'people')
    await refuses('ended_by_hr', dora.api.dependents.resume({ id }))
    assert.equal((await other.admin.api.dependents.resume({ id })).cover_state, 'active')
  })
})

test('those whose child a new age takes in or leaves out are told, and nobody else', async () => {
  const other = await scene.company({ name: 'Ageing' })
  const { dependents } = other.admin.api
  const [grown, small, ended] = [await other.hire(), await other.hire(), await other.hire()]
  const today = await todayOf(scene, other)
  const of_age = `${Number(today.slice(0, 4)) - 22}-01-01`
  for (const { api } of [grown, ended]) {
    await api.dependents.add({ ...child, born_on: of_age, covered_from: today })
  }
  await small.api.dependents.add({ ...child, covered_from: today })
  await scene.sql`update dependents set covered_from = covered_from - 9, covered_to = covered_to - 9
    where person_id = ${ended.id}`
  await scene.sql`update dependents set covered_to = ${daysAfter(today, -1)}
    where person_id = ${ended.id}`
  const setAge = async (child_age: number) => {
    await dependents.set_child_age({ child_age })
    const jobs = await scene.sql<{ payload: Record<string, unknown> }[]>`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'dependents:keep' returning j.payload`
    for (const { payload } of jobs) await keepFamilies(payload, scene.tools)
    const notices = await scene.sql<{ person_id: string }[]>`
      update notifications set read_at = now() where code = 'cover_changed' and read_at is null
        and person_id in (select id from profiles where company_id = ${other.id})
      returning person_id`
    return notices.map(({ person_id }) => person_id)
  }
  assert.deepEqual(await setAge(24), [])
  assert.deepEqual(await setAge(21), [grown.id])
  assert.deepEqual(await setAge(20), [])
  assert.deepEqual(await setAge(30), [grown.id])
})
