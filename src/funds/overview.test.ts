// Contributions as the provider records them, and what everybody is shown of the money.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import {
  contributedCompany,
  moveFunds,
  purse,
  spendFunds,
  spread,
  utcToday,
} from '../../test/world/money.ts'
import { refuses, won } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { sealAll } from './jobs.server.ts'

const scene = openedScene()

test('the provider sees what companies hold by currency, and what five people used', async () => {
  const { provider, company, funds, plan_year } = await contributedCompany(scene, 1_000_000)
  await scene.countsIn(company.id, 'SEK')
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
    const of = purse(company, plan_year, ana, 'treatment')
    await spendFunds(scene.sql, of, [10_000], `claim ${at}`)
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
  const { provider, company, funds, plan_year } = await contributedCompany(scene, 1_000_000)
  const { contribute, reverse_contribution, contributions } = provider.api.funds
  const record = (amount_cents: number, reference: string, confirmed = false) =>
    contribute({
      company_id: company.id,
      amount_cents,
      occurred_on: utcToday(),
      reference,
      confirmed,
    })
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
  // Money already in a category has to come back first.
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const [, first] = (await contributions({ company_id: company.id })).contributions
  await refuses('contribution_allocated', back(first!.id))
  assert.equal((await funds.verify({})).good, true)
  const entries = await scene.sql<{ event: string; actor_id: string; of_platform: boolean }[]>`
    select after ->> 'event' as event, actor_id, of_platform from audit_log
    where company_id = ${company.id} and table_name = 'transfers' and after ->> 'event' like 'contribution%' order by id`
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

test('a contribution carries why it can’t be reversed: once it is, its money is allocated or its year closed', async () => {
  const { provider, company, funds, plan_year } = await contributedCompany(scene, 300)
  const { id: company_id } = company
  const { reverse_contribution, contributions } = provider.api.funds
  const refused = async () => {
    const [found] = (await contributions({ company_id })).contributions
    const { reverse } = found!.refusals
    if (reverse)
      await refuses(reverse, reverse_contribution({ company_id, id: found!.id, reason: 'Twice' }))
    return { reverse, id: found!.id }
  }
  const { reverse, id } = await refused()
  assert.equal(reverse, null)
  await funds.allocate({ plan_year, ...spread(0, 1, 0) })
  assert.equal((await refused()).reverse, 'contribution_allocated')
  await funds.deallocate({ plan_year, ...spread(0, 1, 0) })
  await scene.sql`update plan_years set closed_at = now() where company_id = ${company_id}`
  assert.equal((await refused()).reverse, 'plan_year_closed')
  await scene.sql`update plan_years set closed_at = null where company_id = ${company_id}`
  const reversed = await reverse_contribution({ company_id, id, reason: 'Not ours' })
  assert.equal(reversed.refusals.reverse, 'contribution_already_reversed')
  assert.equal((await refused()).reverse, 'contribution_already_reversed')
})

test('a contribution is recorded once by its reference, again once taken back, on no day to come or long past', async () => {
  const { provider, company } = await contributedCompany(scene)
  const record = (more: object) =>
    provider.api.funds.contribute({
      company_id: company.id,
      amount_cents: 100,
      occurred_on: utcToday(),
      reference: 'INV-2',
      ...more,
    })
  const attempts = await Promise.allSettled([record({}), record({}), record({}), record({})])
  assert.equal(won(attempts).length, 1)
  for (const attempt of attempts) {
    if (attempt.status === 'fulfilled') continue
    assert.equal((attempt.reason as { code: string }).code, 'contribution_already_recorded')
    assert.deepEqual(Object.keys((attempt.reason as { fields: object }).fields), ['reference'])
  }
  const [first] = won(attempts)
  for (let id = first!.id, times = 0; times < 2; times += 1) {
    const reason = 'Not what the bank says'
    await provider.api.funds.reverse_contribution({ company_id: company.id, id, reason })
    ;({ id } = await record({ amount_cents: 200 }))
    await refuses('contribution_already_recorded', record({}))
  }
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await refuses('day_to_come', record({ reference: 'INV-3', occurred_on: tomorrow }))
  const { plan_year } = first!
  const year_before = `${Number(plan_year.slice(0, 4)) - 1}${plan_year.slice(4)}`
  for (const occurred_on of ['1900-01-01', daysAfter(year_before, -1)]) {
    await assert.rejects(record({ reference: 'INV-3', occurred_on, confirmed: true }), {
      code: 'day_long_past',
      fields: {
        occurred_on: ['This day is more than a year before the plan year. Check its year'],
      },
    })
  }
  await record({ reference: 'INV-4', occurred_on: year_before })
  const { contributions } = await provider.api.funds.contributions({ company_id: company.id })
  assert.deepEqual(
    contributions.map(({ reference }) => reference),
    ['INV-4', 'INV-2', 'INV-2', 'INV-2', 'INV-1'],
  )
})

test('whatever is typed is a reference of its own, also what looks like the second of another', async () => {
  const { provider, company } = await contributedCompany(scene)
  const { contribute, reverse_contribution } = provider.api.funds
  const money = { company_id: company.id, amount_cents: 100, occurred_on: utcToday() }
  const again = async (reference: string) => {
    const { id } = await contribute({ ...money, reference })
    await reverse_contribution({ company_id: company.id, id, reason: 'Not what the bank says' })
    await contribute({ ...money, reference })
  }
  const typed = ['INV (2)', '2 INV', '1 INV', 'INV']
  for (const reference of typed) await again(reference)
  const { contributions } = await provider.api.funds.contributions({ company_id: company.id })
  assert.deepEqual(contributions.map((contribution) => contribution.reference).toReversed(), [
    'INV-1',
    ...typed.flatMap((reference) => [reference, reference]),
  ])
})

test('a person’s fund and statement are HR’s to read, and only of their own people', async () => {
  const { provider, company, funds, plan_year } = await contributedCompany(scene)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const [ana, ben] = [await company.hire('Ana'), await company.hire('Ben')]
  const hold = (person: { id: string }, n: number) =>
    moveFunds(
      scene.sql,
      'hold',
      purse(company, plan_year, person, 'treatment'),
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

test('how it goes: now beside a month ago, and month by month', async () => {
  const { company, funds, plan_year, provider } = await contributedCompany(scene, 1_000_000)
  await funds.allocate({ plan_year, ...spread(100_000, 300_000, 100_000) })
  const ana = await company.hire('Ana')
  const claim = async (cents: number, n: number) => {
    const of = purse(company, plan_year, ana, 'treatment')
    await spendFunds(scene.sql, of, [cents], `claim ${n}`)
  }
  await claim(20_000, 1)
  await sealAll(scene.sql)
  await scene.sql`update daily_totals set day = day - 40 where company_id = ${company.id}`
  await claim(30_000, 2)
  const prevention = { ...purse(company, plan_year, ana, 'treatment'), category: 'prevention' }
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
  assert.equal(trend.months.at(-1)!.month, `${utcToday().slice(0, 8)}01`)
  await refuses('forbidden', ana.api.funds.trend({}))
  await refuses('forbidden', provider.api.funds.trend({}))
})

test('a percentage is shown once it is reached, as alerts have it: 79.6 are not yet 80', async () => {
  const { company, funds, plan_year } = await contributedCompany(scene, 100_000)
  await funds.allocate({ plan_year, ...spread(20_000, 70_000, 10_000) })
  const ana = await company.hire('Ana')
  const spend = async (cents: number, n: number) => {
    await spendFunds(scene.sql, purse(company, plan_year, ana, 'treatment'), [cents], `claim ${n}`)
    await sealAll(scene.sql)
  }
  const shown = async () => {
    const { categories, total } = await funds.overview({})
    const [, { percent: left } = { percent: 0 }] = (await ana.api.funds.mine({})).balances
    const { percent } = await funds.trend({})
    return { treatment: categories[1]?.percent, total: total.percent, contributed: percent, left }
  }
  const alerts = async () => {
    const all = [company.admin, ana].map(({ api }) => api.notifications.list({}))
    const notices = (await Promise.all(all)).flatMap(({ notifications }) => notifications)
    return notices
      .filter(({ code }) => code === 'category_used' || code === 'fund_low')
      .map(({ code, facts: { percent } }) => (percent ? `${code} ${String(percent)}` : code))
      .toSorted()
  }
  await spend(55_700, 1)
  assert.deepEqual(await shown(), { treatment: 79, total: 55, contributed: 55, left: 20 })
  assert.deepEqual(await alerts(), ['category_used 60'])
  assert.equal((await funds.overview({})).total.granted_percent, 100)
  await spend(600, 2)
  assert.deepEqual(await shown(), { treatment: 80, total: 56, contributed: 56, left: 19 })
  assert.deepEqual(await alerts(), ['category_used 60', 'category_used 80', 'fund_low'])
})
