// The cost of showing money does not grow with the people who have it: no screen adds up thousands of accounts.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Company } from '../../test/world/people.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { rowsReadBy } from '../../test/rows-read.ts'
import { fund, spread } from '../../test/world/money.ts'
import { regrant, sealAll } from './jobs.server.ts'

const scene = openedScene()
let acme: Company
const many = 4000
before(async () => {
  const provider = await scene.superAdmin()
  acme = await scene.company()
  // Money for half of them: the other half waits, and is summed up, too.
  const pools = spread(20_000 * (many / 2), 70_000 * (many / 2), 10_000 * (many / 2))
  const plan_year = await fund(provider, acme, pools, { amount_cents: 1_000_000_000 })
  await scene.sql`select count(*) from private.add_people(${acme.id}, 'employee', array(
    select row('person' || i || '@acme.example', 'Person ' || i, null, 'Sales')::private.newcomer
    from generate_series(1, ${many}) i), null)`
  await scene.sql`update profiles set status = 'active'
    where company_id = ${acme.id} and role = 'employee'`
  await regrant({ company_id: acme.id, plan_year }, scene.tools)
  await sealAll(scene.sql)
  await scene.sql`vacuum analyze`
})

const tables = [
  'accounts',
  'grants',
  'transfers',
  'profiles',
  'transfer_seals',
  'unsealed_transfers',
]

test('the dashboard, Funds and a page of balances read a few hundred rows of four thousand people', async () => {
  const { funds, employees } = acme.admin.api
  const { people } = (await funds.overview({})).waiting
  assert.equal(people, many / 2)
  const { employees: page } = await employees.list({ limit: 25 })
  const ids = page.map(({ id }) => id).join(',')
  const acts: Record<string, () => Promise<unknown>> = {
    overview: () => funds.overview({}),
    trend: () => funds.trend({}),
    summary: () => employees.summary({}),
    balances: () => funds.balances({ ids }),
    waiting: () => funds.waiting({ limit: 10 }),
    statement: () => funds.statement({ limit: 25 }),
    person: () => funds.of_person({ person_id: page[0]!.id }),
    'statement of a person': () => funds.statement({ limit: 25, person_id: page[0]!.id }),
  }
  for (const [name, act] of Object.entries(acts)) {
    const read = await rowsReadBy(scene, tables, [act])
    assert.ok(read < 800, `${name}: ${read} rows`)
  }
})

test('a file takes 100,000 entries; with one more it is refused', async () => {
  const { funds } = acme.admin.api
  const fill = async (most: number) => scene.sql`
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, occurred_on)
      select t.company_id, t.plan_year, t.from_account, t.to_account, 1, 0, 0, t.event,
          concat_ws(' ', 'filled', n), t.occurred_on
        from (select * from transfers where company_id = ${acme.id} order by id desc limit 1) t
        cross join generate_series(1 + (select count(*) from transfers x
          where x.company_id = ${acme.id}), ${most}) n`
  await fill(100_000)
  const csv = await (await funds.export_statement({})).text()
  assert.equal(csv.trim().split('\r\n').length, 1 + 100_000)
  await fill(100_001)
  await refuses('too_many_entries', funds.export_statement({}))
})
