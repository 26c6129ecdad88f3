// Background work on money, by a running worker.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'

const scene = openedScene({ worker: true })

test('a worker seals within seconds, and regrants a company with progress', async () => {
  const provider = await scene.superAdmin()
  const company = await scene.company()
  const { funds } = company.admin.api
  const { plan_year } = await funds.overview({})
  await provider.api.funds.contribute({
    company_id: company.id,
    amount_cents: 1_000_000,
    occurred_on: plan_year,
    reference: 'INV-1',
  })
  await scene.sql`select add_job('funds:seal', key => 'funds:seal')` // else within a minute, by the clock
  const sealed = async () =>
    (await funds.statement({})).entries.every((entry) => entry.number !== null)
  await until(sealed)
  const ana = await company.hire('Ana')
  await funds.allocate({
    plan_year,
    prevention_cents: 100_000,
    treatment_cents: 100_000,
    solidarity_cents: 100_000,
  })
  await until(sealed)
  const plan = await funds.plan({})
  await funds.change_plan({ ...plan, treatment_cents: 90_000 })
  await until(async () => (await funds.overview({})).regrant === null)
  assert.equal((await ana.api.funds.mine({})).balances[1]!.balance_cents, 90_000)
})
