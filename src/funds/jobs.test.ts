// Background work on money, by a running worker.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contributedCompany, spread } from '../../test/world/money.ts'
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

test('a person’s open screens are told of changed amounts, and nobody else’s', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 50_000) })
  const [ana, ben] = [await company.hire('Ana'), await company.hire('Ben')]
  const { groups, group_plans } = company.admin.api
  const { id: group_id } = await groups.add({ name: 'Nights', departments: null })
  await groups.put_person({ id: group_id, person_id: ana.id })
  const published: string[] = []
  const note = (payload: string) => void published.push(payload)
  const { unlisten } = await scene.sql.listen('healthfund_published', note, () => {})
  const publishedTo = async (plans: Parameters<typeof group_plans.change>[0]['plans']) => {
    published.length = 0
    const { version } = await group_plans.list({ plan_year })
    await group_plans.change({ plan_year, version, plans })
    await until(async () => (await funds.overview({})).regrant === null)
    await scene.sql`select pg_notify('healthfund_published', 'a-job end')`
    await until(() => published.includes('a-job end'))
    return [ana, ben].map(({ id }) => published.some((one) => one.includes(`person:${id}`)))
  }
  const own = { group_id, counts_from: plan_year, ...spread(15_000, 70_000, 10_000) }
  assert.deepEqual(await publishedTo([own]), [true, false])
  assert.deepEqual(await publishedTo([]), [true, false])
  await unlisten()
})
