// The movements of the fund allocation: with those of a year's end, of leavers and of what expired they add up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepYearsOf, sealAll } from '#funds/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../../test/world/company.ts'
import { staffedCompany } from '../../test/world/money.ts'
import { openedScene } from '../../test/world/scene.ts'
import { csvTables, reportMaker } from '../../test/report-files.ts'

const scene = openedScene()
const makeNow = reportMaker(scene)

/** Two years are closed over its people: some left before, the others carried something over. */
async function twoYearsOf(staying: number, leaving: number) {
  const { company, provider, funds, hired } = await staffedCompany(scene, staying + leaving)
  await scene.sql`update companies set time_zone = 'UTC' where id = ${company.id}`
  const plan = await funds.plan({})
  await funds.change_plan({ ...plan, carry_over: 'up_to', carry_over_max_cents: 1500 })
  const gone = hired.slice(0, leaving).map(({ id }) => id)
  const leavers = scene.sql`id = any (${gone}::uuid[])`
  await scene.sql`update profiles set joined_on = ${plan.starts_on}, left_on = ${plan.starts_on}
    where ${leavers}`
  await scene.sql`update profiles set left_set_on = ${plan.starts_on} where ${leavers}`
  await scene.sql`select private.settle_leavers(${company.id}, ${plan.ends_on})`
  let { ends_on } = plan
  for (let year = 0; year < 2; year += 1) {
    await keepYearsOf(scene.sql, company.id, daysAfter(ends_on, -30))
    await keepYearsOf(scene.sql, company.id, daysAfter(ends_on, 200))
    ends_on = (await funds.plan({ plan_year: daysAfter(ends_on, 1) })).ends_on
  }
  await sealAll(scene.sql)
  const month = (await todayOf(scene, company)).slice(0, 7)
  const report_input = {
    kind: 'fund_allocation',
    from: month,
    to: month,
    company_id: company.id,
  } as const
  const { Movements } = await csvTables(provider, (await makeNow(provider, report_input)).id)
  const rows = new Map(Movements!.slice(1).map(([, name, , amount]) => [name!, amount!]))
  const balance = async (...kinds: string[]) => {
    const [found] = await scene.sql<[{ cents: number }]>`
      select sum(balance_cents)::bigint as cents from accounts
      where company_id = ${company.id} and kind = any (${kinds})`
    return found.cents
  }
  return { rows, balance }
}

test('what is in pools, with people and unallocated is what the movements add up to', async () => {
  const { rows, balance } = await twoYearsOf(6, 5)
  const sum = (more: string[], less: string[]) => {
    const cents = (name: string) => Math.round(Number(rows.get(name) ?? 0) * 100)
    return (
      more.reduce((total, name) => total + cents(name), 0) -
      less.reduce((total, name) => total + cents(name), 0)
    )
  }
  for (const name of ['Back from leavers', 'Expired']) assert.ok(sum([name], []) > 0, name)
  const back = ['Grants lowered', 'Back from leavers', 'Back from people at year end']
  const pools = sum(
    ['Allocated to categories', ...back],
    ['Granted to people', 'Back from categories at year end'],
  )
  assert.equal(pools, await balance('pool'))
  const others = sum(
    [
      'Contributions',
      'Granted to people',
      'Back from categories at year end',
      'Carried into the next plan year',
    ],
    ['Allocated to categories', ...back, 'Expired', 'Carried out of the plan year'],
  )
  assert.equal(others, await balance('available', 'unallocated'))
})

test('what few leavers gave back is not shown, nor what gives it away', async () => {
  const { rows } = await twoYearsOf(6, 2)
  assert.equal(rows.get('Back from leavers'), 'suppressed')
  const others = [...rows].filter(
    ([name, amount]) => name !== 'Back from leavers' && amount === 'suppressed',
  )
  assert.equal(others.length, 1, others.join())
})
