// The ledger over the year’s end.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { moveFunds, purse, spendFunds, staffedCompany } from '../../../test/world/money.ts'
import { refuses } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { keepYearsOf, regrant, sealAll } from '#funds/jobs.server.ts'

const scene = openedScene()

describe('time', () => {
  test('a year ends: what is left expires, comes along or goes back, and the next one is ready', async () => {
    const { company, funds, plan_year, hired } = await staffedCompany(scene, 2, {
      pools: 1_000_000,
    })
    const plan = await funds.plan({})
    await funds.change_plan({ ...plan, carry_over: 'up_to', carry_over_max_cents: 15_000 })
    const year = Number(plan_year.slice(0, 4))
    const [ana, ben] = hired
    const next = `${year + 1}-01-01`
    await moveFunds(
      scene.sql,
      'hold',
      purse(company, plan_year, ana!, 'treatment'),
      60_000,
      'claim 1',
    )
    await scene.sql`update profiles set joined_on = least(joined_on, current_date - 1),
      left_on = current_date - 1 where id = ${ben!.id}`
    await keepYearsOf(scene.sql, company.id, `${year}-12-01`)
    await scene.sql`select private.regrant_later(${company.id}, ${next})`
    await regrant({ company_id: company.id, plan_year: next }, scene.tools)
    await keepYearsOf(scene.sql, company.id, `${year + 1}-04-02`)
    assert.equal((await funds.plan({ plan_year })).closed, true)
    const at = async (person: { id: string }, of_year: string) =>
      (await funds.accounts({ plan_year: of_year, person_id: person.id }))
        .filter((a) => a.kind === 'available')
        .map((a) => a.balance_cents)
    assert.deepEqual(await at(ana!, plan_year), [0, 0, 0])
    assert.deepEqual(await at(ana!, next), [15_000, 10_000, 10_000])
    assert.deepEqual(await at(ben!, plan_year), [0, 0, 0])
    const overview = await funds.overview({ plan_year: next })
    assert.equal(overview.unallocated_cents, 4_000_000 - 60_000 - 35_000)
    await refuses(
      'plan_year_closed',
      funds.allocate({ plan_year, prevention_cents: 1, treatment_cents: 0, solidarity_cents: 0 }),
    )
    // what a late decision gives back follows
    await moveFunds(
      scene.sql,
      'release',
      purse(company, plan_year, ana!, 'treatment'),
      60_000,
      'claim 1',
    )
    await keepYearsOf(scene.sql, company.id, `${year + 1}-04-03`)
    assert.deepEqual(await at(ana!, plan_year), [0, 0, 0])
    assert.equal((await funds.verify({})).good, true)

    // carried money is used first, and the rest of it expires with the year it was carried into
    await funds.allocate({
      plan_year: next,
      prevention_cents: 20_000,
      treatment_cents: 70_000,
      solidarity_cents: 10_000,
    })
    assert.deepEqual(await at(ana!, next), [35_000, 85_000, 20_000])
    await moveFunds(scene.sql, 'hold', purse(company, next, ana!, 'prevention'), 5_000, 'claim 2')
    await keepYearsOf(scene.sql, company.id, `${year + 1}-12-01`)
    await scene.sql`select private.enroll(${company.id}, ${`${year + 2}-01-01`}, array[${ana!.id}]::uuid[])`
    await keepYearsOf(scene.sql, company.id, `${year + 2}-04-02`)
    const lost = await funds.overview({ plan_year: next })
    assert.equal(lost.forfeited_cents, 10_000 + 15_000 + 10_000)
    assert.deepEqual(await at(ana!, `${year + 2}-01-01`), [15_000, 15_000, 10_000])
    assert.equal((await funds.verify({})).good, true)
  })

  test('a year that closes at once, before the next one’s grants are made, loses nobody’s carry-over', async () => {
    const { company, funds, plan_year, hired } = await staffedCompany(scene, 1, {
      pools: 1_000_000,
    })
    const plan = await funds.plan({})
    await funds.change_plan({ ...plan, carry_over: 'all', filing_days: 0 })
    const next = `${Number(plan_year.slice(0, 4)) + 1}-01-01`
    await scene.sql`update profiles set left_on = ${`${next.slice(0, 4)}-06-30`} where id = ${hired[0]!.id}`
    await keepYearsOf(scene.sql, company.id, `${plan_year.slice(0, 4)}-12-01`)
    await keepYearsOf(scene.sql, company.id, next)
    assert.equal((await funds.plan({ plan_year })).closed, true)
    const there = await funds.accounts({ plan_year: next, person_id: hired[0]!.id })
    assert.deepEqual(
      there.filter(({ kind }) => kind === 'available').map(({ balance_cents }) => balance_cents),
      [20_000, 70_000, 10_000],
    )
    assert.equal((await funds.verify({})).good, true)
  })

  test('who has left keeps what they had for their days, then it goes back', async () => {
    const { company, funds, plan_year, hired } = await staffedCompany(scene, 1)
    await scene.sql`update profiles set joined_on = ${plan_year}, left_on = ${plan_year}
      where id = ${hired[0]!.id}`
    await scene.sql`update profiles set left_set_on = left_on where id = ${hired[0]!.id}`
    const granted = async () => (await funds.overview({})).categories.map((c) => c.granted_cents)
    await keepYearsOf(scene.sql, company.id, daysAfter(plan_year, 90))
    assert.deepEqual(await granted(), [20_000, 70_000, 10_000])
    await keepYearsOf(scene.sql, company.id, daysAfter(plan_year, 91))
    assert.deepEqual(await granted(), [0, 0, 0])
    assert.equal((await funds.verify({})).good, true)
  })

  test('HR hears of 60, 80 and 95 percent once each, a person of less than a fifth once', async () => {
    const { company, plan_year, hired } = await staffedCompany(scene, 1, { pools: 70_000 })
    const of = purse(company, plan_year, hired[0]!, 'treatment')
    const alerts = async () => {
      await sealAll(scene.sql)
      const found = await scene.sql<{ who: string }[]>`
        select concat_ws(' ', category, percent, case when person_id is not null then 'person' end) as who
        from fund_alerts where company_id = ${company.id} order by id`
      return found.map(({ who }) => who)
    }
    const spend = async (cents: number, claim: number) => {
      await spendFunds(scene.sql, of, [cents], `claim ${claim}`)
    }
    await spend(40_000, 1)
    assert.deepEqual(await alerts(), [])
    await spend(10_000, 2)
    assert.deepEqual(await alerts(), ['treatment 60'])
    await spend(10_000, 3)
    assert.deepEqual(await alerts(), ['treatment 60', 'treatment 20 person', 'treatment 80'])
    await spend(10_000, 4)
    assert.deepEqual((await alerts()).length, 4)
    assert.deepEqual((await alerts()).at(-1), 'treatment 95')
    const notices = await scene.sql<{ who: string; notice: string }[]>`
      select case person_id when ${company.admin.id} then 'HR' when ${hired[0]!.id} then 'person' end
        as who, concat_ws(' ', code, facts ->> 'category', facts ->> 'percent') as notice from notifications
      where person_id in (${company.admin.id}, ${hired[0]!.id}) and kind = 'funds' order by id`
    assert.deepEqual(
      notices.map((row) => `${row.who}: ${row.notice}`),
      [
        'HR: contribution_recorded',
        'HR: category_used treatment 60',
        'person: fund_low treatment',
        'HR: category_used treatment 80',
        'HR: category_used treatment 95',
      ],
    )
  })
})
