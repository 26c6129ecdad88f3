// A company's money, from the provider's contribution to the last cent, through the front door.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ownBalances,
  contributedCompany,
  moveFunds,
  purse,
  spread,
  utcToday,
} from '../../test/world/money.ts'
import { refuses, type Company } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { noticesOf } from '#dashboards/fund-notices.ts'
import { grantWaiting, regrant, sealAll } from './jobs.server.ts'

const scene = openedScene()

test('the provider records money, HR allocates it, people get their grants', async () => {
  const { company, funds, plan_year, provider } = await contributedCompany(scene)
  const ana = await company.hire('Ana')
  assert.deepEqual(await ownBalances(ana), [0, 0, 0])
  const [notice] = noticesOf(await funds.overview({}))
  assert.deepEqual(notice, { kind: 'waiting', people: 1, amount_cents: 100_000 })
  const after = await funds.allocate({ plan_year, ...spread(60_000, 210_000, 30_000) })
  assert.deepEqual(await ownBalances(ana), [20_000, 70_000, 10_000])
  assert.equal(after.unallocated_cents, 29_700_000)
  assert.equal(after.funded_cents, 30_000_000)
  assert.deepEqual(
    after.categories.map((c) => [c.category, c.allocated_cents, c.granted_cents, c.free_cents]),
    [
      ['prevention', 60_000, 20_000, 40_000],
      ['treatment', 210_000, 70_000, 140_000],
      ['solidarity', 30_000, 10_000, 20_000],
    ],
  )
  const ben = await company.hire('Ben')
  assert.deepEqual(await ownBalances(ben), [20_000, 70_000, 10_000])
  const [sums] = await provider.api.funds.of_companies({ ids: company.id })
  assert.deepEqual(sums, {
    company_id: company.id,
    total_cents: 30_000_000,
    used_cents: 0,
    percent: 0,
  })
  const { sentence } = await funds.verify({})
  assert.equal(sentence, '10 transfers, 12 accounts, all good')
})

test('whom a pool can’t cover waits, and nobody overtakes', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(40_000, 100_000, 20_000) })
  const people = []
  for (const name of ['Ana', 'Ben', 'Cem']) people.push(await company.hire(name))
  await scene.sql`update profiles set joined_on = joined_on - 1 where id = ${people[0]!.id}`
  assert.deepEqual(await Promise.all(people.map(ownBalances)), [
    [20_000, 70_000, 10_000],
    [0, 0, 0],
    [0, 0, 0],
  ])
  const { waiting } = await funds.overview({})
  assert.deepEqual(waiting, { people: 2, ...spread(40_000, 140_000, 20_000) })
  const list = await funds.waiting({ limit: 1 })
  assert.equal(list.people.length, 1)
  const rest = await funds.waiting({ limit: 1, after: list.next! })
  assert.equal(rest.next, null)
  assert.notEqual(rest.people[0]!.id, list.people[0]!.id)
  await funds.allocate({ plan_year, ...spread(0, 40_000, 0) })
  assert.equal((await funds.overview({})).waiting.people, 1)
  await funds.allocate({ plan_year, ...spread(20_000, 200_000, 20_000) })
  assert.equal((await funds.overview({})).waiting.people, 0)
})

test('who joins in the middle of the year gets their share of it', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(1_000_000, 1_000_000, 1_000_000) })
  await funds.change_plan({ ...(await funds.plan({})), proration: 'month' })
  const ana = await company.hire('Ana')
  const year = plan_year.slice(0, 4)
  const joins = (day: string) => scene.sql`
    update profiles set joined_on = ${day} where id = ${ana.id}`
  await joins(`${year}-07-15`)
  assert.deepEqual(await ownBalances(ana), [10_000, 35_000, 5_000])
  await joins(`${year}-12-31`)
  assert.deepEqual(await ownBalances(ana), [1667, 5833, 833])
  await joins(`${year}-01-01`)
  assert.deepEqual(await ownBalances(ana), [20_000, 70_000, 10_000])
  await funds.change_plan({ ...(await funds.plan({})), proration: 'day' })
  await regrant({ company_id: company.id, plan_year }, scene.tools)
  await joins(`${year}-12-31`)
  const days = Number(year) % 4 === 0 ? 366 : 365
  assert.deepEqual(
    await ownBalances(ana),
    [20_000, 70_000, 10_000].map((c) => Math.round(c / days)),
  )
  assert.equal((await funds.verify({})).good, true)
})

test('amounts that are not there, or are none, move nothing', async () => {
  const { provider, company, funds, plan_year } = await contributedCompany(scene)
  const contribute = (amount_cents: number, reference = 'X') =>
    provider.api.funds.contribute({
      company_id: company.id,
      amount_cents,
      occurred_on: utcToday(),
      reference,
      confirmed: true,
    })
  await refuses('invalid_input', contribute(0))
  await refuses('invalid_input', contribute(-5))
  await refuses('invalid_input', contribute(0.5))
  await refuses('invalid_input', contribute(2 ** 53))
  await refuses('contribution_already_recorded', contribute(100, 'INV-1'))
  await refuses('balance_too_large', contribute(2 ** 53 - 1))
  await refuses('unallocated_exhausted', funds.allocate({ plan_year, ...spread(30_000_001, 0, 0) }))
  await refuses('invalid_input', funds.allocate({ plan_year, ...spread(0, 0, 0) }))
  await refuses('pool_exhausted', funds.deallocate({ plan_year, ...spread(1, 0, 0) }))
  await refuses('no_plan_year', funds.allocate({ plan_year: '1999-01-01', ...spread(1, 0, 0) }))
  const pending = await scene.company({ status: 'pending' })
  const { refusals } = await provider.api.companies.find({ id: pending.id })
  assert.equal(refusals.contribute, 'company_not_active')
  await refuses(
    'company_not_active',
    provider.api.funds.contribute({
      company_id: pending.id,
      amount_cents: 1,
      occurred_on: utcToday(),
      reference: 'Y',
    }),
  )
  await refuses(
    'not_found',
    provider.api.funds.contribute({
      company_id: ana_id,
      amount_cents: 1,
      occurred_on: utcToday(),
      reference: 'Y',
    }),
  )
  assert.equal((await funds.overview({})).unallocated_cents, 30_000_000)
  const all = await provider.api.funds.contributions({ company_id: company.id })
  assert.deepEqual(
    all.contributions.map((c) => [c.amount_cents, c.reference]),
    [[30_000_000, 'INV-1']],
  )
})
const ana_id = '00000000-0000-4000-8000-000000000000'

test('only who may: another company’s admin, employees and the provider are refused', async () => {
  const { provider, company, funds, plan_year } = await contributedCompany(scene)
  const ana = await company.hire('Ana')
  const stranger = await scene.company()
  await refuses('forbidden', ana.api.funds.overview({}))
  await refuses('forbidden', provider.api.funds.allocate({ plan_year, ...spread(1, 0, 0) }))
  await refuses('forbidden', company.admin.api.funds.contributions({ company_id: company.id }))
  await refuses('not_signed_in', scene.visitor.funds.overview({}))
  await refuses('not_found', stranger.admin.api.funds.verify({ company_id: company.id }))
  assert.equal((await stranger.admin.api.funds.overview({})).funded_cents, 0)
  assert.equal((await provider.api.funds.verify({ company_id: company.id })).good, true)
  const { id } = await funds.allocate({ plan_year, ...spread(10, 10, 0) }).then(() =>
    funds.rebalance({
      plan_year,
      expected: spread(10, 10, 0),
      targets: spread(20, 0, 0),
      note: 'why not',
    }),
  )
  await refuses('not_found', stranger.admin.api.funds.undo_rebalance({ id }))
})

const hireMany = async (company: Company, people: number) => {
  await scene.sql`
    insert into auth.users (email, email_confirmed_at, placement)
    select 'many' || i || '@' || ${company.domain}, now(),
      jsonb_build_object('role', 'employee', 'company_id', ${company.id}::text)
    from generate_series(1, ${people}::int) i`
  await scene.sql`update profiles set status = 'active' where company_id = ${company.id}`
}

test('many at once get their grants in the background', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(2_000_000, 7_000_000, 1_000_000) })
  await hireMany(company, 100)
  await regrant({ company_id: company.id, plan_year }, scene.tools)
  await grantWaiting({ company_id: company.id, plan_year }, scene.tools)
  const { categories, waiting } = await funds.overview({})
  assert.equal(waiting.people, 0)
  assert.deepEqual(
    categories.map((c) => c.granted_cents),
    [2_000_000, 7_000_000, 1_000_000],
  )
  assert.equal((await funds.verify({})).good, true)
  await sealAll(scene.sql)
})

test('whoever waits behind the first two hundred is granted in the background, by whatever plans', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await hireMany(company, 205)
  await regrant({ company_id: company.id, plan_year }, scene.tools)
  // One person's categories follow two plans.
  await scene.sql`update grants set plan_group = 'Field' where company_id = ${company.id}
    and category = 'treatment' and person_id = (select person_id from grants
      where company_id = ${company.id} order by covered_from, person_id limit 1)`
  await funds.allocate({ plan_year, ...spread(5_000_000, 15_000_000, 3_000_000) })
  assert.equal((await funds.overview({})).waiting.people, 5)
  const queued = await scene.sql`select from graphile_worker.jobs
    where key = ${`funds:grant ${company.id} ${plan_year}`}`
  assert.equal(queued.length, 1)
  await grantWaiting({ company_id: company.id, plan_year }, scene.tools)
  assert.equal((await funds.overview({})).waiting.people, 0)
  await sealAll(scene.sql)
})

test('a regrant that was asked for again meanwhile is not done until it has run again', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  await company.hire()
  const change = async (treatment_cents: number) =>
    funds.change_plan({ ...(await funds.plan({})), treatment_cents })
  const job = () => regrant({ company_id: company.id, plan_year }, scene.tools)
  await change(80_000)
  let first: Promise<void> | undefined
  await scene.sql.begin(async (tx) => {
    await tx`select private.lock_pools(${company.id}, ${plan_year})`
    first = job()
    await until(async () => {
      const waiting = await scene.sql`select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`
      return waiting.length > 0
    })
    await change(90_000)
  })
  await first
  assert.notEqual((await funds.overview({})).regrant, null)
  await job()
  assert.equal((await funds.overview({})).regrant, null)
})

test('the list of employees and the sums above it agree, whatever happens', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene)
  const agree = async () => {
    const { employees } = await company.admin.api.employees.list({ limit: 200 })
    const balances = await funds.balances({ ids: employees.map(({ id }) => id).join(',') })
    const sum = balances.reduce(
      (total, b) => total + b.prevention_cents + b.treatment_cents + b.solidarity_cents,
      0,
    )
    const { categories } = await funds.overview({})
    assert.equal(
      categories.reduce((total, { available_cents }) => total + available_cents, 0),
      sum,
    )
    assert.equal(employees.length, (await company.admin.api.employees.summary({})).total)
    return sum
  }
  const ana = await company.hire('Ana')
  await company.hire('Ben')
  assert.equal(await agree(), 0)
  await funds.allocate({ plan_year, ...spread(30_000, 200_000, 20_000) })
  assert.equal(await agree(), 100_000)
  await funds.allocate({ plan_year, ...spread(30_000, 200_000, 20_000) })
  assert.equal(await agree(), 200_000)
  await moveFunds(scene.sql, 'hold', purse(company, plan_year, ana, 'treatment'), 20_000, 'claim 1')
  assert.equal(await agree(), 180_000)
  await sealAll(scene.sql)
  assert.equal(await agree(), 180_000)
  const { version } = await company.admin.api.employees.find({ id: ana.id })
  await company.admin.api.employees.leave({ id: ana.id, version, left_on: utcToday() })
  assert.equal(await agree(), 180_000)
})
