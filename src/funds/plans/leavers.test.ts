// A leaver’s unspent money goes back to the company, but not before a mistake could be noticed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepYearsOf } from '#funds/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany } from '../../../test/world/company.ts'
import { balancesOf } from '../../../test/world/money.ts'
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
  const before = await balancesOf(ana)
  assert.deepEqual(before, [205_000, 700_000, 100_000])
  const months_back = daysAfter(acme.today, -150)
  const { id, version } = await employees.find({ id: ana.id })
  const wrong = await employees.leave({ id, version, left_on: months_back })
  await scene.sql`update profiles set left_on = ${months_back} where id = ${ben.id}`
  const goneOnceRun = async (days: number, person: Person) => {
    await keepYearsOf(scene.sql, acme.id, daysAfter(acme.today, days))
    return balancesOf(person)
  }
  assert.deepEqual(await goneOnceRun(0, ana), before)
  assert.deepEqual(await goneOnceRun(1, ana), before)
  await employees.stay({ id, version: wrong.version })
  assert.deepEqual(await goneOnceRun(1, ben), before)
  assert.deepEqual(await goneOnceRun(2, ben), [0, 0, 0], 'however their day was set')
  assert.deepEqual(await goneOnceRun(3, ana), before, 'nobody takes it later')
})
