// A company's first day: what is missing until people can claim, from facts, each with its price.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fund, spread } from '../../test/world/money.ts'
import { another_iban } from '../../test/world/payouts.ts'
import { refuses } from '../../test/world/people.ts'
import { aDayLater, confirmRights, giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { enoughFor } from './companies.contract.ts'

const scene = openedScene()

test('each step is done by its fact, until nothing is missing', async () => {
  const acme = await scene.company({ name: 'Fresh', status: 'pending' })
  const { api } = acme.admin
  const provider = await scene.superAdmin()
  const done = async () => {
    const facts = await api.companies.first_day({})
    return [
      facts.status === 'active',
      facts.contributed,
      facts.pools.some(({ allocated_cents }) => allocated_cents > 0),
      facts.people > 0,
      facts.admins > 1,
      facts.has_account,
    ].map(Number)
  }
  assert.deepEqual(await done(), [0, 0, 0, 0, 0, 0])
  await provider.api.companies.activate({ id: acme.id })
  assert.deepEqual(await done(), [1, 0, 0, 0, 0, 0])
  const { plan_year } = await api.funds.overview({})
  await provider.api.funds.contribute({
    company_id: acme.id,
    amount_cents: 1_000_000,
    occurred_on: plan_year,
    reference: 'INV-1',
  })
  assert.deepEqual(await done(), [1, 1, 0, 0, 0, 0])
  await api.funds.allocate({
    plan_year,
    prevention_cents: 200_000,
    treatment_cents: 700_000,
    solidarity_cents: 100_000,
  })
  assert.deepEqual(await done(), [1, 1, 1, 0, 0, 0])
  await acme.hire('Ana')
  assert.deepEqual(await done(), [1, 1, 1, 1, 0, 0])
  await acme.appoint('Ben')
  assert.deepEqual(await done(), [1, 1, 1, 1, 1, 0])
  await scene.confirm(acme.admin)
  await api.payouts.set_company_account({ holder: 'Fresh', iban: another_iban })
  assert.deepEqual(await done(), [1, 1, 1, 1, 1, 1])
})

test('an admin whose rights wait for an owner decides nothing yet, and is not counted', async () => {
  const acme = await scene.company({ name: 'Waiting' })
  const provider = await scene.superAdmin()
  const ana = await acme.hire('Ana')
  const change = { id: ana.id, role: 'company_admin', company_id: acme.id } as const
  await provider.api.users.change_role(change)
  const counted = async () => {
    const { admins, admins_waiting } = await acme.admin.api.companies.first_day({})
    return [admins, admins_waiting]
  }
  assert.deepEqual(await counted(), [1, 1])
  await confirmRights(scene, acme.admin, ana)
  assert.deepEqual(await counted(), [2, 0])
  const viewer = await acme.hire('Vera')
  await giveRights(scene, acme, viewer, 'viewer')
  assert.deepEqual(await counted(), [2, 0])
})

test('a second admin who was given their rights a moment ago counts from when they are a second person', async () => {
  const acme = await scene.company({ name: 'Paired' })
  const ana = await acme.hire('Ana')
  await giveRights(scene, acme, ana, 'reviewer', 'finance')
  await scene.sql`update company_rights set given_at = now(), begins_at = now(),
    given_by = ${acme.admin.id} where person_id = ${ana.id}`
  const { admins, next_second_person } = await acme.admin.api.companies.first_day({})
  assert.deepEqual([admins, next_second_person?.name], [2, 'Ana'])
  await aDayLater(scene, ana)
  const later = await acme.admin.api.companies.first_day({})
  assert.deepEqual([later.admins, later.next_second_person], [2, null])
})

test('says for how many more there is enough', async () => {
  const acme = await scene.company({ name: 'Priced' })
  const { api } = acme.admin
  const provider = await scene.superAdmin()
  // Everybody gets 200, 700 and 100; Treatment has the least money.
  const pools = spread(100_000, 210_000, 100_000)
  await fund(provider, acme, pools, { amount_cents: 10_000_000 })
  const facts = await api.companies.first_day({})
  assert.equal(enoughFor(facts), 3)
  // Invited people and those who wait need theirs as well.
  const invited = facts.pools.map((pool) => ({ ...pool, invited_cents: 2 * pool.each_cents }))
  assert.equal(enoughFor({ ...facts, pools: invited }), 1)
  for (const name of ['Ana', 'Ben', 'Cem', 'Dan', 'Eva']) await acme.hire(name)
  const short = await api.companies.first_day({})
  assert.deepEqual(
    short.pools.map(({ pool_cents, waiting_cents }) => pool_cents - waiting_cents),
    [100_000 - 5 * 20_000, 100_000 - 5 * 10_000, 210_000 - 5 * 70_000],
  )
  assert.equal(enoughFor(short), 0)
})

test('is its admins’, is closed for all of them, and comes back for nobody', async () => {
  const acme = await scene.company({ name: 'Closing' })
  const ana = await acme.hire('Ana')
  await refuses('forbidden', ana.api.companies.first_day({}))
  await refuses('forbidden', ana.api.companies.close_first_day({}))
  await refuses('forbidden', (await scene.superAdmin()).api.companies.first_day({}))
  assert.equal((await acme.admin.api.companies.first_day({})).is_closed, false)
  await acme.admin.api.companies.close_first_day({})
  await acme.admin.api.companies.close_first_day({})
  assert.equal((await acme.admin.api.companies.first_day({})).is_closed, true)
  const noted = await scene.sql`
    select from audit_log where table_name = 'companies' and company_id = ${acme.id}
      and after ? 'first_day_closed_at' and act = 'update'`
  assert.equal(noted.length, 1)
})
