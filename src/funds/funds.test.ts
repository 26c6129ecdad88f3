// A company's money, from the provider's contribution to the last cent, through the front door.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { daysFrom } from '../../test/claims-stage.ts'
import { approveFunds, moveFunds, type Purse } from '../../test/purse.ts'
import { openScene, refuses, type Company, type Scene } from '../../test/scene.ts'
import { grantWaiting, regrant, sealAll } from './jobs.server.ts'

let scene: Scene
before(
  async () =>
    (scene = await openScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })),
)
after(() => scene.close())

const spread = (prevention: number, treatment: number, solidarity: number) => ({
  prevention_cents: prevention,
  treatment_cents: treatment,
  solidarity_cents: solidarity,
})
const treatmentOf = (company: Company, year: string, { id }: { id: string }): Purse => ({
  company: company.id,
  year,
  person: id,
  category: 'treatment',
})
const tools = () => ({ sql: scene.sql, log: scene.house.log })
const today = () => new Date().toISOString().slice(0, 10)

async function funded(amount_cents = 30_000_000) {
  const provider = await scene.superAdmin()
  const company = await scene.company()
  await provider.api.funds.contribute({
    company_id: company.id,
    amount_cents,
    occurred_on: today(),
    reference: 'INV-1',
  })
  const { funds } = company.admin.api
  const { plan_year } = await funds.overview({})
  const [year] = await scene.sql<{ starts_on: string }[]>`
    select starts_on from plan_years where company_id = ${company.id}`
  assert.equal(plan_year, year!.starts_on)
  return { provider, company, funds, plan_year }
}

const balancesOf = async (person: { api: Scene['visitor'] }) =>
  (await person.api.funds.mine({})).balances.map((balance) => balance.balance_cents)

test('the provider records money, HR allocates it, people get their grants', async () => {
  const { company, funds, plan_year, provider } = await funded()
  const ana = await company.hire('Ana')
  assert.deepEqual(await balancesOf(ana), [0, 0, 0])
  const [notice] = await funds.notices({})
  assert.deepEqual(notice, { kind: 'waiting', people: 1, amount_cents: 100_000 })
  const after = await funds.allocate({ plan_year, ...spread(60_000, 210_000, 30_000) })
  assert.deepEqual(await balancesOf(ana), [20_000, 70_000, 10_000])
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
  assert.deepEqual(await balancesOf(ben), [20_000, 70_000, 10_000])
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
  const { company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(40_000, 100_000, 20_000) })
  const people = []
  for (const name of ['Ana', 'Ben', 'Cem']) people.push(await company.hire(name))
  await scene.sql`update profiles set joined_on = joined_on - 1 where id = ${people[0]!.id}`
  assert.deepEqual(await Promise.all(people.map(balancesOf)), [
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
  const { company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(1_000_000, 1_000_000, 1_000_000) })
  const plan = await funds.plan({})
  await funds.change_plan({ ...plan, proration: 'month' })
  const ana = await company.hire('Ana')
  const year = plan_year.slice(0, 4)
  const joins = (day: string) => scene.sql`
    update profiles set joined_on = ${day} where id = ${ana.id}`
  await joins(`${year}-07-15`)
  assert.deepEqual(await balancesOf(ana), [10_000, 35_000, 5_000])
  await joins(`${year}-12-31`)
  assert.deepEqual(await balancesOf(ana), [1667, 5833, 833])
  await joins(`${year}-01-01`)
  assert.deepEqual(await balancesOf(ana), [20_000, 70_000, 10_000])
  await funds.change_plan({ ...plan, proration: 'day' })
  await regrant({ company_id: company.id, plan_year }, tools())
  await joins(`${year}-12-31`)
  const days = Number(year) % 4 === 0 ? 366 : 365
  assert.deepEqual(
    await balancesOf(ana),
    [20_000, 70_000, 10_000].map((c) => Math.round(c / days)),
  )
  assert.equal((await funds.verify({})).good, true)
})

test('a rebalance moves ungranted money, keeps the sum, and is undone once', async () => {
  const { company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(50_000, 100_000, 20_000) })
  const seen = spread(50_000, 100_000, 20_000)
  const wanted = spread(120_000, 20_000, 30_000)
  const note = 'More prevention'
  const pools = async () => (await funds.overview({})).categories.map((c) => c.free_cents)
  await refuses(
    'rebalance_keeps_the_sum',
    funds.rebalance({ plan_year, seen, wanted: spread(1, 2, 3), note }),
  )
  await refuses('nothing_to_move', funds.rebalance({ plan_year, seen, wanted: seen, note }))
  await refuses('invalid_input', funds.rebalance({ plan_year, seen, wanted, note: '' }))
  const done = await funds.rebalance({ plan_year, seen, wanted, note })
  assert.deepEqual(await pools(), [120_000, 20_000, 30_000])
  assert.deepEqual(done.moves, [
    { from: 'treatment', to: 'prevention', amount_cents: 70_000 },
    { from: 'treatment', to: 'solidarity', amount_cents: 10_000 },
  ])
  await refuses('pools_changed', funds.rebalance({ plan_year, seen, wanted, note }))
  assert.equal((await funds.undo_rebalance({ id: done.id })).undone, true)
  assert.deepEqual(await pools(), [50_000, 100_000, 20_000])
  await refuses('rebalance_already_undone', funds.undo_rebalance({ id: done.id }))
  const twice = await Promise.allSettled(
    [1, 2].map(() => funds.rebalance({ plan_year, seen, wanted, note })),
  )
  assert.equal(
    twice.filter((one) => one.status === 'fulfilled').length,
    1,
    'two at once: one moves',
  )
  const latest = (await funds.rebalances({}))[0]!
  await company.hire('Ana') // her grant takes 20,000 of prevention and can't be covered by treatment
  await funds.deallocate({ plan_year, ...spread(60_000, 0, 0) })
  await refuses('pool_exhausted', funds.undo_rebalance({ id: latest.id }))
  assert.equal((await funds.verify({})).good, true)
})

test('a year that closes while money is on its way takes none of it', async () => {
  const { company, funds, plan_year } = await funded()
  const { allocated } = await scene.sql.begin(async (tx) => {
    await tx`select private.lock_pools(${company.id}, ${plan_year})`
    const allocated = Promise.allSettled([
      funds.allocate({ plan_year, ...spread(1000, 1000, 1000) }),
    ])
    for (;;) {
      const waiting = await scene.sql`select from pg_locks l join pg_stat_activity a using (pid)
        where a.datname = current_database() and not l.granted`
      if (waiting.length) break
      await pause(10)
    }
    await tx`update plan_years set closed_at = now() where company_id = ${company.id}`
    return { allocated }
  })
  const [done] = await allocated
  assert.equal(done.status, 'rejected')
  assert.equal((done.reason as { code: string }).code, 'plan_year_closed')
  const [pools] = await scene.sql<[{ cents: number }]>`
    select sum(balance_cents)::bigint as cents from accounts
    where company_id = ${company.id} and kind = 'pool'`
  assert.equal(pools.cents, 0)
})

test('amounts that are not there, or are none, move nothing', async () => {
  const { provider, company, funds, plan_year } = await funded()
  const contribute = (amount_cents: number, reference = 'X') =>
    provider.api.funds.contribute({
      company_id: company.id,
      amount_cents,
      occurred_on: today(),
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
  await refuses(
    'company_not_active',
    provider.api.funds.contribute({
      company_id: pending.id,
      amount_cents: 1,
      occurred_on: today(),
      reference: 'Y',
    }),
  )
  await refuses(
    'not_found',
    provider.api.funds.contribute({
      company_id: ana_id,
      amount_cents: 1,
      occurred_on: today(),
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
  const { provider, company, funds, plan_year } = await funded()
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
      seen: spread(10, 10, 0),
      wanted: spread(20, 0, 0),
      note: 'why not',
    }),
  )
  await refuses('not_found', stranger.admin.api.funds.undo_rebalance({ id }))
})

test('a changed plan is shown before, regrants everybody, and takes nobody’s used money', async () => {
  const { company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 50_000) })
  const ana = await company.hire('Ana')
  const ben = await company.hire('Ben')
  const plan = await funds.plan({})
  const raised = { ...plan, prevention_cents: 60_000, treatment_cents: 50_000 }
  const effect = await funds.preview_plan(raised)
  assert.deepEqual(
    [
      effect.people,
      effect.people_changed,
      effect.people_below_used,
      effect.categories.map((c) => c.change_cents),
    ],
    [2, 2, 0, [80_000, -40_000, 0]],
  )
  assert.deepEqual(
    effect.categories.map((c) => c.lacking_cents),
    [20_000, 0, 0],
  )
  await funds.change_plan(raised)
  assert.deepEqual((await funds.overview({})).regrant, { people: 2, people_done: 0 })
  await regrant({ company_id: company.id, plan_year }, tools())
  const found = (await Promise.all([ana, ben].map(balancesOf))).sort((a, b) => b[0]! - a[0]!)
  assert.deepEqual(found, [
    [60_000, 50_000, 10_000],
    [20_000, 50_000, 10_000],
  ])
  const { regrant: progress, waiting } = await funds.overview({})
  assert.deepEqual([progress, waiting.people], [null, 1])

  await moveFunds(scene.sql, 'hold', treatmentOf(company, plan_year, ana), 30_000, 'claim 1')
  await refuses('grant_below_used', funds.change_plan({ ...raised, treatment_cents: 29_999 }))
  await funds.change_plan({ ...raised, treatment_cents: 30_000 })
  await regrant({ company_id: company.id, plan_year }, tools())
  assert.equal((await balancesOf(ana))[1], 0)
  assert.equal((await funds.verify({})).good, true)
})

test('what a plan would cost counts those who leave one day, and not those who left', async () => {
  const { company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 50_000) })
  const leaver = await company.hire('Ana')
  const gone = await company.hire('Ben')
  const { employees } = company.admin.api
  for (const [person, days] of [
    [leaver, 20],
    [gone, -20],
  ] as const) {
    const { id, version } = await employees.find({ id: person.id })
    const [day] = await scene.sql`select (company_today(${company.id}) + ${days}::int)::text as on`
    await scene.sql`update profiles set joined_on = joined_on - 40 where id = ${id}`
    await employees.leave({ id, version: version + 1, left_on: day!['on'] })
  }
  const raised = { ...(await funds.plan({})), prevention_cents: 25_000 }
  const effect = await funds.preview_plan(raised)
  const due = () => scene.sql`select coalesce(sum(due_cents), 0)::int as due from grants
    where company_id = ${company.id} and category = 'prevention'`
  const [before] = await due()
  await funds.change_plan(raised)
  await regrant({ company_id: company.id, plan_year }, tools())
  const [after] = await due()
  assert.equal(effect.categories[0]!.change_cents, after!['due'] - before!['due'])
  assert.ok(effect.categories[0]!.change_cents > 0, 'the one who leaves later is granted more')
})

test('plan years: their dates move until money has, and they never overlap', async () => {
  const company = await scene.company()
  const { funds } = company.admin.api
  const { plan_year, ...plan } = await funds.plan({})
  const starts_on = `${daysFrom(today(), -100).slice(0, 8)}15`
  const next = `${Number(starts_on.slice(0, 4)) + 1}${starts_on.slice(4)}`
  const moved = await funds.change_plan({ ...plan, plan_year, starts_on })
  assert.equal(moved.ends_on, daysFrom(next, -1))
  await refuses('plan_years_overlap', funds.add_year({ ...plan, starts_on: moved.ends_on }))
  await funds.add_year({ ...plan, starts_on: next })
  await refuses(
    'plan_years_overlap',
    funds.change_plan({ ...plan, plan_year: starts_on, starts_on: daysFrom(starts_on, 1) }),
  )
  await refuses('carry_over_needs_a_limit', funds.change_plan({ ...moved, carry_over: 'up_to' }))
  const provider = await scene.superAdmin()
  await provider.api.funds.contribute({
    company_id: company.id,
    amount_cents: 1,
    occurred_on: today(),
    reference: '1',
  })
  const earlier = daysFrom(starts_on, -60)
  await refuses('plan_year_has_money', funds.change_plan({ ...moved, starts_on: earlier }))
})

test('many at once get their grants in the background', async () => {
  const { company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(2_000_000, 7_000_000, 1_000_000) })
  await scene.sql`
    insert into auth.users (email, email_confirmed_at, placement)
    select 'many' || i || '@many.test', now(),
      jsonb_build_object('role', 'employee', 'company_id', ${company.id}::text)
    from generate_series(1, 100) i`
  await scene.sql`update profiles set status = 'active' where company_id = ${company.id}`
  await regrant({ company_id: company.id, plan_year }, tools())
  await grantWaiting({ company_id: company.id, plan_year }, tools())
  const { categories, waiting } = await funds.overview({})
  assert.equal(waiting.people, 0)
  assert.deepEqual(
    categories.map((c) => c.granted_cents),
    [2_000_000, 7_000_000, 1_000_000],
  )
  assert.equal((await funds.verify({})).good, true)
  await sealAll(scene.sql)
})

test('the provider sees what companies hold by currency, and what five people used', async () => {
  const { provider, company, funds, plan_year } = await funded(1_000_000)
  await scene.sql`update companies set currency = 'SEK' where id = ${company.id}`
  const kronor = async () =>
    (await provider.api.funds.managed({})).find(({ currency }) => currency === 'SEK')!
  const shown = async () => {
    const fund = await provider.api.funds.of_company({ company_id: company.id })
    const [listed] = await provider.api.funds.of_companies({ ids: company.id })
    const of = ({ used_cents, percent }: { used_cents: number | null; percent: number | null }) => [
      used_cents,
      percent,
    ]
    return [of(fund), of(listed!), of(await kronor())]
  }
  const thrice = <T>(one: T) => [one, one, one]
  await funds.allocate({ plan_year, ...spread(100_000, 400_000, 100_000) })
  assert.deepEqual(await shown(), thrice([0, 0]), 'nobody used anything: that tells nothing')
  let ana: Awaited<ReturnType<typeof company.hire>> | undefined
  for (let at = 1; at <= 5; at += 1) {
    ana = await company.hire()
    const of = treatmentOf(company, plan_year, ana)
    await moveFunds(scene.sql, 'hold', of, 10_000, `claim ${at}`)
    await approveFunds(scene.sql, of, [10_000], `claim ${at}`)
    if (at < 5) assert.deepEqual(await shown(), thrice([null, null]), `${at} people`)
  }
  assert.deepEqual(await shown(), thrice([50_000, 5]))
  const fund = await provider.api.funds.of_company({ company_id: company.id })
  assert.deepEqual([fund.total_cents, fund.unallocated_cents], [1_000_000, 400_000])
  assert.equal(fund.plan.treatment_cents, 70_000)
  const now = await kronor()
  await sealAll(scene.sql)
  assert.deepEqual(await kronor(), now)
  for (const who of [company.admin, ana!]) {
    await refuses('forbidden', who.api.funds.managed({}))
    await refuses('forbidden', who.api.funds.of_company({ company_id: company.id }))
  }
  await refuses('not_signed_in', scene.visitor.funds.managed({}))
  await refuses('not_found', provider.api.funds.of_company({ company_id: ana!.id }))
})

test('ten times the largest contribution wants to be confirmed, and any can be taken back once', async () => {
  const { provider, company, funds, plan_year } = await funded(1_000_000)
  const { contribute, reverse_contribution, contributions } = provider.api.funds
  const record = (amount_cents: number, reference: string, confirmed = false) =>
    contribute({ company_id: company.id, amount_cents, occurred_on: today(), reference, confirmed })
  const pool = async () => (await funds.overview({})).unallocated_cents
  await refuses('contribution_unusual', record(10_000_000, 'TOO-MUCH'))
  assert.equal(await pool(), 1_000_000, 'nothing was recorded')
  const slip = await record(10_000_000, 'TOO-MUCH', true)
  assert.equal(await pool(), 11_000_000)
  const back = (id: number) =>
    reverse_contribution({ company_id: company.id, id, reason: 'A zero too many' })
  await refuses(
    'forbidden',
    company.admin.api.funds.reverse_contribution({
      company_id: company.id,
      id: slip.id,
      reason: 'A zero too many',
    }),
  )
  const reversed = await back(slip.id)
  assert.equal(reversed.reversed_because, 'A zero too many')
  assert.equal(await pool(), 1_000_000)
  await refuses('contribution_already_reversed', back(slip.id))
  await refuses('contribution_unusual', record(10_000_000, 'AGAIN'))
  await refuses('not_found', back(slip.id + 1_000_000))
  // What is in a category by now has to come back first.
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const [, first] = (await contributions({ company_id: company.id })).contributions
  await refuses('contribution_allocated', back(first!.id))
  assert.equal((await funds.verify({})).good, true)
  const entries = await scene.sql<{ event: string; actor_id: string; of_platform: boolean }[]>`
    select after ->> 'event' as event, actor_id, of_platform from audit_log
    where company_id = ${company.id} and table_name = 'transfers' order by id`
  assert.deepEqual(
    entries.map(({ event }) => event),
    ['contribution', 'contribution', 'contribution_reversed'],
  )
  for (const { actor_id, of_platform } of entries) {
    assert.equal(actor_id, provider.id)
    assert.ok(of_platform, 'the provider reads it in its own record')
  }
  await sealAll(scene.sql)
})

test('a contribution is recorded once by its reference, and not before its day', async () => {
  const { provider, company } = await funded()
  const record = (more: object) =>
    provider.api.funds.contribute({
      company_id: company.id,
      amount_cents: 100,
      occurred_on: today(),
      reference: 'INV-2',
      ...more,
    })
  const twins = await Promise.allSettled([record({}), record({}), record({}), record({})])
  assert.equal(twins.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const twin of twins) {
    if (twin.status === 'fulfilled') continue
    assert.equal((twin.reason as { code: string }).code, 'contribution_already_recorded')
    assert.deepEqual(Object.keys((twin.reason as { fields: object }).fields), ['reference'])
  }
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await refuses('day_to_come', record({ reference: 'INV-3', occurred_on: tomorrow }))
  const { contributions } = await provider.api.funds.contributions({ company_id: company.id })
  assert.deepEqual(
    contributions.map(({ reference }) => reference),
    ['INV-2', 'INV-1'],
  )
})

test('a person’s fund and statement are HR’s to read, and only of their own people', async () => {
  const { provider, company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const [ana, ben] = [await company.hire('Ana'), await company.hire('Ben')]
  const hold = (person: { id: string }, n: number) =>
    moveFunds(
      scene.sql,
      'hold',
      treatmentOf(company, plan_year, person),
      10_000,
      `claim ${person.id} ${n}`,
    )
  for (let n = 0; n < 5; n += 1) await Promise.all([hold(ben, n), n < 3 && hold(ana, n)])
  const fund = await funds.of_person({ person_id: ana.id })
  assert.equal(fund.held_cents, 30_000)
  assert.deepEqual(fund.balances, (await ana.api.funds.mine({})).balances)
  const of_ana = await funds.statement({ person_id: ana.id, limit: 200 })
  assert.deepEqual(
    of_ana.entries.map(({ event }) => event),
    ['claim_held', 'claim_held', 'claim_held', 'grant', 'grant', 'grant'],
  )
  const paged = []
  let after: string | undefined
  do {
    const page = await funds.statement({ person_id: ana.id, limit: 2, after })
    paged.push(...page.entries)
    after = page.next ?? undefined
  } while (after)
  assert.deepEqual(paged, of_ana.entries)
  const csv = await (await funds.export_statement({ person_id: ana.id })).text()
  assert.equal(csv.trim().split('\r\n').length, 1 + 6)
  const stranger = await scene.company()
  await refuses('not_found', stranger.admin.api.funds.of_person({ person_id: ana.id }))
  const theirs = await stranger.admin.api.funds.statement({ person_id: ana.id })
  assert.deepEqual(theirs.entries, [])
  await refuses('forbidden', ben.api.funds.of_person({ person_id: ana.id }))
  await refuses('forbidden', provider.api.funds.of_person({ person_id: ana.id }))
})

test('the list of employees and the sums above it agree, whatever happens', async () => {
  const { company, funds, plan_year } = await funded()
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
  await moveFunds(scene.sql, 'hold', treatmentOf(company, plan_year, ana), 20_000, 'claim 1')
  assert.equal(await agree(), 180_000)
  await sealAll(scene.sql)
  assert.equal(await agree(), 180_000)
  const { version } = await company.admin.api.employees.find({ id: ana.id })
  await company.admin.api.employees.leave({ id: ana.id, version, left_on: today() })
  assert.equal(await agree(), 180_000)
})

test('a plan year is added once, and years that overlap are refused beside their first day', async () => {
  const { funds, plan_year } = await funded()
  const plan = await funds.plan({})
  const next = `${Number(plan_year.slice(0, 4)) + 1}-01-01`
  const overlap = await funds
    .add_year({ ...plan, starts_on: `${plan_year.slice(0, 4)}-07-01` })
    .then(
      () => undefined,
      (error: { code: string; fields: object }) => error,
    )
  assert.deepEqual(
    [overlap?.code, Object.keys(overlap?.fields ?? {})],
    ['plan_years_overlap', ['starts_on']],
  )
  await refuses('plan_years_overlap', funds.add_year({ ...plan, starts_on: plan_year }))
  const added = await funds.add_year({ ...plan, starts_on: next, treatment_cents: 80_000 })
  assert.deepEqual([added.plan_year, added.treatment_cents, added.closed], [next, 80_000, false])
  assert.equal((await funds.overview({})).plan_year, plan_year)
  await refuses('plan_years_overlap', funds.add_year({ ...plan, starts_on: next }))
})

test('what expires is what the plan does not take along, and what was carried in goes first', async () => {
  const { company, funds, plan_year } = await funded()
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const ana = await company.hire('Ana')
  const expires = async () => {
    const { balances, file_until, currency } = await ana.api.funds.mine({})
    // Ninety days from the year's end: 31 March, in a leap year 30 March.
    const until = daysFrom(`${plan_year.slice(0, 4)}-12-31`, 90)
    assert.deepEqual([file_until, currency], [until, 'EUR'])
    return balances.map(({ expires_cents }) => expires_cents)
  }
  assert.deepEqual(await expires(), [20_000, 70_000, 10_000])
  const plan = await funds.plan({})
  await funds.change_plan({ ...plan, carry_over: 'all' })
  assert.deepEqual(await expires(), [0, 0, 0])
  await funds.change_plan({ ...plan, carry_over: 'up_to', carry_over_max_cents: 15_000 })
  assert.deepEqual(await expires(), [5_000, 55_000, 0])
})

test('how it goes: now beside a month ago, and month by month', async () => {
  const { company, funds, plan_year, provider } = await funded(1_000_000)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const ana = await company.hire('Ana')
  const claim = async (cents: number, n: number) => {
    const of = treatmentOf(company, plan_year, ana)
    await moveFunds(scene.sql, 'hold', of, cents, `claim ${n}`)
    await approveFunds(scene.sql, of, [cents], `claim ${n}`)
  }
  await claim(20_000, 1)
  await sealAll(scene.sql)
  await scene.sql`update daily_totals set day = day - 40 where company_id = ${company.id}`
  await claim(30_000, 2)
  const prevention = { ...treatmentOf(company, plan_year, ana), category: 'prevention' }
  await moveFunds(scene.sql, 'hold', prevention, 700, 'claim 3')
  const trend = await funds.trend({})
  assert.deepEqual(
    [trend.balance_cents, trend.balance_before_cents, trend.percent, trend.percent_before],
    [950_000, 980_000, 5, 2],
  )
  assert.equal(trend.held_cents, 700)
  assert.equal(trend.months.length, 12)
  assert.equal(trend.months.at(-1)!.treatment_cents, 30_000)
  assert.equal(
    trend.months.reduce((sum, month) => sum + month.treatment_cents, 0),
    50_000,
  )
  assert.equal(trend.months.at(-1)!.month, `${today().slice(0, 8)}01`)
  await refuses('forbidden', ana.api.funds.trend({}))
  await refuses('forbidden', provider.api.funds.trend({}))
})
