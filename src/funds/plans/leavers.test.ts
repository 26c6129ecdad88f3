// A leaver’s unspent money goes back to the company, but not before a mistake could be noticed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepYearsOf, regrant } from '#funds/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany } from '../../../test/world/company.ts'
import { fund, ownBalances, spread } from '../../../test/world/money.ts'
import type { Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

test('a last day mistyped months back takes nothing before the day after tomorrow, and can be repaired until then', async () => {
  const acme = await fundedCompany(scene)
  const { employees, adjustments } = acme.company.admin.api
  const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
  for (const { id } of [ana, ben]) {
    const more = { person_id: id, category: 'prevention', cents: 5000, reason: 'Promised' } as const
    await adjustments.confirm({ id: (await adjustments.propose(more)).id })
  }
  const before = await ownBalances(ana)
  assert.deepEqual(before, [205_000, 700_000, 100_000])
  const months_back = daysAfter(acme.today, -150)
  const { id, version } = await employees.find({ id: ana.id })
  const wrong = await employees.leave({ id, version, left_on: months_back })
  await scene.sql`update profiles set left_on = ${months_back} where id = ${ben.id}`
  const goneOnceRun = async (days: number, person: Person) => {
    await keepYearsOf(scene.sql, acme.id, daysAfter(acme.today, days))
    return ownBalances(person)
  }
  assert.deepEqual(await goneOnceRun(0, ana), before)
  assert.deepEqual(await goneOnceRun(1, ana), before)
  await employees.stay({ id, version: wrong.version })
  assert.deepEqual(await goneOnceRun(1, ben), before)
  assert.deepEqual(await goneOnceRun(2, ben), [0, 0, 0], 'however their day was set')
  assert.deepEqual(await goneOnceRun(3, ana), before, 'nobody takes it later')
})

test('the answer of when money goes back for a chosen last day is the day on which it does', async () => {
  const acme = await fundedCompany(scene)
  const { employees, funds } = acme.company.admin.api
  const { ends_on, leaver_filing_days, filing_days } = await funds.plan({})
  const ifLeft = async (person_id: string, left_on?: string) =>
    (await funds.of_person(left_on ? { person_id, left_on } : { person_id })).if_left
  for (const days of [-leaver_filing_days - 30, -leaver_filing_days + 1, 0, 20]) {
    const ana = await acme.hire()
    assert.equal(await ifLeft(ana.id), null)
    const left_on = daysAfter(acme.today, days)
    const answer = await ifLeft(ana.id, left_on)
    assert.equal(answer?.filing_ends_on, daysAfter(left_on, leaver_filing_days))
    const { returns_on } = answer
    const { id, version } = await employees.find({ id: ana.id })
    await employees.leave({ id, version, left_on })
    await keepYearsOf(scene.sql, acme.id, daysAfter(returns_on!, -1))
    assert.notDeepEqual(await ownBalances(ana), [0, 0, 0])
    await keepYearsOf(scene.sql, acme.id, returns_on!)
    assert.deepEqual(await ownBalances(ana), [0, 0, 0])
  }
  const dora = await acme.hire('Dora')
  const after = { filing_ends_on: daysAfter(ends_on, filing_days), returns_on: null }
  assert.deepEqual(await ifLeft(dora.id, daysAfter(ends_on, 1)), after, 'the year’s end decides')
})

test('a last day that was too early gives back what went by it, less what was used, once it is corrected', async () => {
  const acme = await fundedCompany(scene)
  const { employees, funds } = acme.company.admin.api
  const ana = await acme.hire('Ana')
  await acme.agreeing(ana, { amount_cents: 3000 })
  const before = await ownBalances(ana)
  const { id, version } = await employees.find({ id: ana.id })
  const wrong = await employees.leave({ id, version, left_on: daysAfter(acme.today, -120) })
  await scene.sql`update profiles set left_set_on = left_set_on - 2 where id = ${id}`
  await keepYearsOf(scene.sql, acme.id, acme.today)
  assert.deepEqual(await ownBalances(ana), [0, 0, 0])
  const service_on = daysAfter(acme.today, -20)
  await employees.leave({ id, version: wrong.version, left_on: service_on })
  assert.deepEqual(await ownBalances(ana), before)
  assert.equal((await acme.claim(ana, { service_on })).status, 'pending')
  assert.ok((await funds.verify({})).good)
})

test('somebody whose last day is the first of a year, or was corrected to a past day of it, has that year’s money', async () => {
  const acme = await fundedCompany(scene, { began: 370 })
  const { employees, funds } = acme.company.admin.api
  const plan = await funds.plan({})
  const begins = daysAfter(plan.ends_on, 1)
  const [ana, ben, cem] = [await acme.hire('Ana'), await acme.hire('Ben'), await acme.hire('Cem')]
  const mia = { full_name: 'Mia', relationship: 'child', born_on: '2019-04-12' } as const
  await ana.api.dependents.add({ ...mia, covered_from: acme.plan_year })
  // Before the year began two were thought to leave with the old one.
  await scene.sql`update profiles
    set left_on = case id when ${cem.id} then ${begins} else ${plan.ends_on} end::date
    where id in (${ana.id}, ${ben.id}, ${cem.id})`
  await funds.add_year({ ...plan, starts_on: begins, dependent_cents: 12_000 })
  const pools = spread(2_000_000, 2_000_000, 2_000_000)
  assert.equal(await fund(acme.provider, acme.company, pools, { reference: 'INV-2' }), begins)
  await regrant({ company_id: acme.id, plan_year: begins }, scene.tools)
  assert.deepEqual(await ownBalances(cem), [200_000, 700_000, 100_000])
  assert.deepEqual(await ownBalances(ben), [0, 0, 0])
  const { id, version } = await employees.find({ id: ana.id })
  await employees.leave({ id, version, left_on: begins })
  assert.deepEqual(await ownBalances(ana), [200_000, 700_000, 112_000])
  assert.ok((await funds.verify({})).good)
})

test('a last day mistyped on the eve of the year’s end takes no carry-over from whoever stays after all', async () => {
  const acme = await fundedCompany(scene)
  const { employees, funds } = acme.company.admin.api
  const plan = { ...(await funds.plan({})), carry_over: 'all' as const }
  const { ends_on, filing_days } = await funds.change_plan(plan)
  const closes = daysAfter(ends_on, filing_days + 1)
  const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
  const setOn = (person: Person, day: string) =>
    scene.sql`update profiles set left_set_on = ${day} where id = ${person.id}`
  const leave = async (person: Person) => {
    const { id, version } = await employees.find({ id: person.id })
    const left = await employees.leave({ id, version, left_on: acme.today })
    await setOn(person, daysAfter(closes, -1))
    return left
  }
  const anas = await leave(ana)
  await leave(ben)
  const carried = async (person: Person) => {
    const [row] = await scene.sql<[{ cents: number }]>`
      select coalesce(sum(carried_cents), 0)::int as cents from grants
      where person_id = ${person.id} and plan_year > ${acme.plan_year}`
    return row.cents
  }
  const before = await ownBalances(ana)
  const closed = async (days: number) => {
    await keepYearsOf(scene.sql, acme.id, daysAfter(closes, days))
    return ownBalances(ana)
  }
  assert.deepEqual(await closed(0), before, 'nothing is taken while it can be a mistake')
  await employees.stay({ id: ana.id, version: anas.version })
  await setOn(ana, closes)
  await closed(1)
  assert.deepEqual(await closed(2), [0, 0, 0])
  assert.equal(await carried(ana), 1_000_000)
  assert.equal(await carried(ben), 0)
  assert.ok((await funds.verify({})).good)
})

test('a dependent whose cover began after a last day that is entered late adds nothing to the grant', async () => {
  const acme = await fundedCompany(scene)
  const { funds, employees } = acme.company.admin.api
  const { plan_year } = acme
  await funds.change_plan({ ...(await funds.plan({})), by_month: true, dependent_cents: 12_000 })
  await regrant({ company_id: acme.id, plan_year }, scene.tools)
  const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
  const mia = { full_name: 'Mia', relationship: 'child', born_on: '2019-04-12' } as const
  await ana.api.dependents.add({ ...mia, covered_from: daysAfter(acme.today, -20) })
  const before = await ownBalances(ana)
  assert.ok(before[2]! > (await ownBalances(ben))[2]!)
  const leave = async (person: Person) => {
    const { id, version } = await employees.find({ id: person.id })
    return employees.leave({ id, version, left_on: daysAfter(acme.today, -40) })
  }
  await leave(ben)
  const left = await leave(ana)
  assert.deepEqual(await ownBalances(ana), await ownBalances(ben))
  await employees.stay({ id: ana.id, version: left.version })
  assert.deepEqual(await ownBalances(ana), before)
})

test('a last day that is corrected before the year has none of its money, nor has somebody erased before it opened', async () => {
  const acme = await fundedCompany(scene, { began: 370 })
  const { employees, funds, privacy } = acme.company.admin.api
  const plan = await funds.plan({})
  const begins = daysAfter(plan.ends_on, 1)
  const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
  await scene.confirm(ben)
  const erasure = await ben.api.privacy.request_erasure({})
  await privacy.approve_erasure(erasure)
  await acme.provider.api.privacy.approve_erasure(erasure)
  await funds.add_year({ ...plan, starts_on: begins })
  const pools = spread(2_000_000, 2_000_000, 2_000_000)
  await fund(acme.provider, acme.company, pools, { reference: 'INV-2' })
  await regrant({ company_id: acme.id, plan_year: begins }, scene.tools)
  const grantedTo = async (person: Person) => {
    const [row] = await scene.sql<[{ cents: number }]>`
      select coalesce(sum(granted_cents), 0)::int as cents from grants
      where person_id = ${person.id} and plan_year = ${begins}`
    return row.cents
  }
  assert.deepEqual([await grantedTo(ana), await grantedTo(ben)], [1_000_000, 0])
  const { id, version } = await employees.find({ id: ana.id })
  const left = await employees.leave({ id, version, left_on: daysAfter(begins, -200) })
  await scene.sql`update profiles set left_set_on = left_set_on - 2 where id = ${id}`
  await keepYearsOf(scene.sql, acme.id, acme.today)
  assert.equal(await grantedTo(ana), 0)
  await employees.leave({ id, version: left.version, left_on: daysAfter(begins, -1) })
  assert.equal(await grantedTo(ana), 0)
})

test('a last day on which the year before closes carries its money over, though the new one opens late', async () => {
  const acme = await fundedCompany(scene, { began: 370 })
  const { employees, funds } = acme.company.admin.api
  const plan = await funds.plan({})
  const filing_days = [1, 2, 3, 4, 5, 6].find((n) => daysAfter(plan.ends_on, n + 1) === acme.today)!
  await funds.change_plan({ ...plan, carry_over: 'all', filing_days })
  const ana = await acme.hire('Ana')
  const { id, version } = await employees.find({ id: ana.id })
  await employees.leave({ id, version, left_on: acme.today })
  await scene.sql`update profiles set left_set_on = left_set_on - 2 where id = ${id}`
  await funds.add_year({ ...plan, starts_on: daysAfter(plan.ends_on, 1) })
  await keepYearsOf(scene.sql, acme.id, acme.today)
  const [{ cents }] = await scene.sql<[{ cents: number }]>`
    select sum(carried_cents)::int as cents from grants
    where person_id = ${id} and plan_year > ${acme.plan_year}`
  assert.equal(cents, 1_000_000)
})
