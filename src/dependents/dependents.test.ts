// Dependents: who may be one, from when to when, and whom the fund covers.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../../test/world/company.ts'
import { aKey, refuses, won, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import type { Dependent } from './dependents.contract.ts'

const scene = openedScene()
let company: Company
let ana: Person
before(async () => {
  company = await scene.company()
  ana = await company.hire('Ana')
  await scene.sql`update profiles set joined_on = joined_on - 900 where id = ${ana.id}`
})

const child = { full_name: 'Mia', relationship: 'child', born_on: '2019-04-12' } as const
const spouse = { full_name: 'Sam', relationship: 'spouse', born_on: '1988-02-29' } as const
const covers = async (person: Person, dependent: string, day: string, of = company.id) => {
  const [row] = await scene.sql<[{ covered: boolean }]>`
    select covers(${of}, ${person.id}, ${dependent}, ${day}) as covered`
  return row.covered
}
const hire = async (name?: string) => {
  const person = await company.hire(name)
  await scene.sql`update profiles set joined_on = joined_on - 900 where id = ${person.id}`
  return person
}

describe('adding', () => {
  test('a family is covered from today on, unless told otherwise', async () => {
    const today = await todayOf(scene, company)
    const sam = await ana.api.dependents.add(spouse)
    const mia = await ana.api.dependents.add({ ...child, covered_from: daysAfter(today, -30) })
    assert.equal(sam.covered_from, today)
    assert.equal(sam.cover_state, 'active')
    const mine = await ana.api.dependents.mine({})
    assert.deepEqual([mine.total, mine.active], [2, 2])
    assert.deepEqual(
      mine.dependents.map(({ full_name }) => full_name),
      ['Sam', 'Mia'],
    )
    assert.equal(mia.age, new Date(today).getFullYear() - 2019 - Number(today.slice(5) < '04-12'))
    assert.equal(await covers(ana, mia.id, daysAfter(today, -30)), true)
    assert.equal(await covers(ana, mia.id, daysAfter(today, -31)), false)
    const claimable = (await ana.api.claims.options({})).dependents
    assert.deepEqual(
      claimable.map(({ full_name, covered_from }) => [full_name, covered_from]),
      mine.dependents.map(({ full_name, covered_from }) => [full_name, covered_from]).toReversed(),
    )
  })

  test('a press that is sent twice adds one', async () => {
    const ben = await hire()
    const options = { idempotency_key: aKey() }
    const both = await Promise.all([
      ben.api.dependents.add(child, options),
      ben.api.dependents.add(child, options),
    ])
    assert.equal(both[0].id, both[1].id)
    assert.equal((await ben.api.dependents.mine({})).total, 1)
  })

  test('what cannot be is refused, each in its own sentence beside its field', async () => {
    const ben = await hire()
    const today = await todayOf(scene, company)
    const born = (born_on: string) => ben.api.dependents.add({ ...child, born_on })
    await refuses('born_in_the_future', born(daysAfter(today, 1)))
    // 130 years have 31 to 33 leap days. Until 2030 such a day is before 1900, which none may be.
    const long_ago = daysAfter(today, -130 * 365 - 33)
    await refuses(long_ago < '1900' ? 'invalid_input' : 'born_too_long_ago', born(long_ago))
    await refuses('child_too_old', born('1980-01-01'))
    const young = { ...child, born_on: daysAfter(today, -15 * 365) }
    for (const relationship of ['parent', 'spouse'] as const)
      await refuses('too_young_for_that', ben.api.dependents.add({ ...young, relationship }))
    const from = (covered_from: string) => ben.api.dependents.add({ ...child, covered_from })
    await refuses('cover_before_birth', from('2019-04-11'))
    await refuses('cover_before_joining', from(daysAfter(today, -901)))
    await assert.rejects(born(daysAfter(today, 1)), (error: { fields?: object }) => {
      assert.deepEqual(Object.keys(error.fields ?? {}), ['born_on'])
      return true
    })
    await refuses('invalid_input', ben.api.dependents.add({ ...child, full_name: 'M' }))
    await refuses('invalid_input', born('2019-02-30'))
    assert.equal((await ben.api.dependents.mine({})).dependents.length, 0)
  })

  test('of two spouses added at the same moment one is refused', async () => {
    const ben = await hire()
    const outcomes = await Promise.allSettled(
      ['Kim', 'Lee', 'Max'].map((full_name) => ben.api.dependents.add({ ...spouse, full_name })),
    )
    assert.equal(won(outcomes).length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'one_active_spouse')
    }
  })

  test('a new spouse may follow the day after the cover of the one before ended', async () => {
    const ben = await hire()
    const today = await todayOf(scene, company)
    const kim = await ben.api.dependents.add({ ...spouse, covered_from: daysAfter(today, -50) })
    await ben.api.dependents.end({ id: kim.id, covered_to: daysAfter(today, -10) })
    const lee = { ...spouse, full_name: 'Lee' }
    await refuses(
      'one_active_spouse',
      ben.api.dependents.add({ ...lee, covered_from: daysAfter(today, -10) }),
    )
    await ben.api.dependents.add({ ...lee, covered_from: daysAfter(today, -9) })
    await refuses('one_active_spouse', ben.api.dependents.resume({ id: kim.id }))
  })

  test('twenty at a time are enough, and their races are counted', async () => {
    const ben = await hire()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 23 }, () => ben.api.dependents.add(child)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason }) => reason.code),
      Array.from({ length: 3 }, () => 'too_many_dependents'),
    )
  })

  test('a leaver covers nobody from after the last day on, and every screen knows that day', async () => {
    const ben = await hire()
    const today = await todayOf(scene, company)
    const mia = await ben.api.dependents.add({ ...child, covered_from: daysAfter(today, -20) })
    const leaving = (left_on: string) =>
      scene.sql`update profiles set left_on = ${left_on} where id = ${ben.id}`
    const shown = async () => {
      const {
        dependents,
        active,
        new_cover_from,
        refusals: family,
      } = await ben.api.dependents.mine({})
      const [of_hr] = await company.admin.api.dependents.of({ person_id: ben.id })
      assert.deepEqual(of_hr?.cover_state, dependents[0]?.cover_state)
      const [{ cover_state, covered_until, refusals }] = dependents as [Dependent]
      return {
        cover_state,
        covered_until,
        active,
        new_cover_from,
        end: refusals.end,
        add: family.add,
      }
    }
    const last_day = daysAfter(today, 5)
    await leaving(last_day)
    assert.deepEqual(await shown(), {
      cover_state: 'active',
      covered_until: last_day,
      active: 1,
      new_cover_from: today,
      end: null,
      add: null,
    })
    const after = daysAfter(today, 6)
    await refuses('cover_after_leaving', ben.api.dependents.add({ ...spouse, covered_from: after }))
    const gone = daysAfter(today, -5)
    await leaving(gone)
    for (const covered_from of [undefined, gone, daysAfter(today, -20), today])
      await refuses('last_day_is_over', ben.api.dependents.add({ ...spouse, covered_from }))
    assert.equal(await covers(ben, mia.id, gone), true)
    assert.equal(await covers(ben, mia.id, daysAfter(today, -4)), false)
    assert.deepEqual(await shown(), {
      cover_state: 'ended',
      covered_until: gone,
      active: 0,
      new_cover_from: today,
      end: 'cover_is_over',
      add: 'last_day_is_over',
    })
  })

  test('HR does not resume the cover of a leaver', async () => {
    const ben = await hire()
    const today = await todayOf(scene, company)
    const { id } = await ben.api.dependents.add(child)
    await company.admin.api.dependents.end({ id, covered_to: today })
    await scene.sql`update profiles set left_on = ${daysAfter(today, -5)} where id = ${ben.id}`
    await refuses('cover_is_over', company.admin.api.dependents.resume({ id }))
  })

  test('cover that a leaver would have begun later is over', async () => {
    const ben = await hire()
    const today = await todayOf(scene, company)
    await ben.api.dependents.add({ ...child, covered_from: daysAfter(today, 20) })
    await scene.sql`update profiles set left_on = ${daysAfter(today, 5)} where id = ${ben.id}`
    const [mia] = (await ben.api.dependents.mine({})).dependents as [Dependent]
    assert.deepEqual(
      [mia.cover_state, mia.refusals.end, mia.refusals.resume],
      ['ended', 'cover_is_over', 'cover_is_over'],
    )
    const never = { id: mia.id, covered_to: daysAfter(today, 30) }
    await refuses('cover_is_over', company.admin.api.dependents.end(never))
  })
})

describe('changing and ending', () => {
  test('a change is of the version that was seen, and is part of the history', async () => {
    const ben = await hire()
    const mia = await ben.api.dependents.add(child)
    const { id, version, covered_from } = mia
    const changed = { ...child, id, version, covered_from, full_name: 'Mia Rose' }
    assert.equal((await ben.api.dependents.change(changed)).full_name, 'Mia Rose')
    await refuses('changed_meanwhile', ben.api.dependents.change(changed))
    const history = await ben.api.dependents.history({ id })
    assert.deepEqual(
      history.map(({ event, by }) => `${event} by ${by}`),
      ['added by person', 'changed by person'],
    )
  })

  test('an end keeps what was covered, can be taken back at once, and not before the beginning', async () => {
    const ben = await hire()
    const today = await todayOf(scene, company)
    const mia = await ben.api.dependents.add({ ...child, covered_from: daysAfter(today, -40) })
    const end = (covered_to: string) => ben.api.dependents.end({ id: mia.id, covered_to })
    await refuses('cover_ends_before_it_begins', end(daysAfter(today, -41)))
    const ended = await end(daysAfter(today, -1))
    assert.deepEqual([ended.cover_state, ended.refusals.resume], ['ended', null])
    assert.equal(await covers(ben, mia.id, daysAfter(today, -1)), true)
    assert.equal(await covers(ben, mia.id, today), false)
    assert.equal((await ben.api.dependents.resume({ id: mia.id })).cover_state, 'active')
    assert.equal(await covers(ben, mia.id, today), true)
    await end(daysAfter(today, -1))
    await scene.sql`update dependents set ended_at = ended_at - interval '25 hours' where id = ${mia.id}`
    await refuses('cover_is_over', ben.api.dependents.resume({ id: mia.id }))
    await refuses('cover_is_over', end(daysAfter(today, 5)))
  })

  test('what has not begun is withdrawn; what has begun is ended', async () => {
    const ben = await hire()
    const today = await todayOf(scene, company)
    const later = await ben.api.dependents.add({ ...child, covered_from: daysAfter(today, 20) })
    assert.equal(later.cover_state, 'upcoming')
    assert.equal((await ben.api.dependents.withdraw({ id: later.id })).cover_state, 'withdrawn')
    assert.equal(await covers(ben, later.id, daysAfter(today, 21)), false)
    await refuses('cover_is_over', ben.api.dependents.withdraw({ id: later.id }))
    await refuses('cover_not_approved', ben.api.dependents.end({ id: later.id, covered_to: today }))
    const now = await ben.api.dependents.add(child)
    await refuses('cover_has_begun', ben.api.dependents.withdraw({ id: now.id }))
  })

  test('nobody reaches the family of somebody else', async () => {
    const ben = await hire()
    const stranger = await scene.company({ name: 'Other' })
    const mia = await ben.api.dependents.add(child)
    const today = await todayOf(scene, company)
    const { id, version, covered_from } = mia
    for (const { api } of [ana, await stranger.hire('Stranger')]) {
      await refuses('not_found', api.dependents.end({ id, covered_to: today }))
      await refuses('not_found', api.dependents.withdraw({ id }))
      await refuses('not_found', api.dependents.history({ id }))
      await refuses('not_found', api.dependents.change({ ...child, id, version, covered_from }))
    }
    await refuses('not_found', stranger.admin.api.dependents.of({ person_id: ben.id }))
    await refuses('not_found', stranger.admin.api.dependents.end({ id, covered_to: today }))
    await refuses('not_found', stranger.admin.api.dependents.approve({ id, version }))
    await refuses('forbidden', (await scene.superAdmin()).api.dependents.of({ person_id: ben.id }))
    await refuses('forbidden', company.admin.api.dependents.add(child))
    await refuses('not_signed_in', scene.visitor.dependents.mine({}))
  })

  test('a suspended person changes nothing', async () => {
    const ben = await hire()
    await company.admin.api.employees.suspend({ id: ben.id })
    await refuses('not_signed_in', ben.api.dependents.add(child))
  })
})
