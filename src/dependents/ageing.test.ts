// Effects of time and family on cover and on Solidarity money.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { in_mails } from '#lib/writing.ts'
import type { Notification } from '#notifications/notifications.contract.ts'
import { inWords } from '#notifications/words.contract.ts'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../../test/world/company.ts'
import { beginYearAgo, fund, moveFunds, spread } from '../../test/world/money.ts'
import type { Company, Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { keepFamilies, keepFamiliesOf } from './jobs.server.ts'

const scene = openedScene()

const agesOut = async (born_on: string, child_age = 26) => {
  const [row] = await scene.sql<[{ day: string }]>`
    select ages_out_on('child', ${born_on}, ${child_age}) as day`
  return row.day
}
const ageOn = async (born_on: string, day: string) => {
  const [row] = await scene.sql<[{ age: number }]>`select age_on(${born_on}, ${day}) as age`
  return row.age
}

test('a child is covered to the end of the month of the birthday, leap days included', async () => {
  assert.equal(await agesOut('2000-01-01'), '2026-01-31')
  assert.equal(await agesOut('2000-01-31'), '2026-01-31')
  assert.equal(await agesOut('2000-12-15'), '2026-12-31')
  assert.equal(await agesOut('2000-02-29'), '2026-02-28')
  assert.equal(await agesOut('2000-02-29', 28), '2028-02-29')
  assert.equal(await agesOut('2000-02-01', 28), '2028-02-29')
  assert.equal(await agesOut('2000-04-30', 18), '2018-04-30')
})

test('an age grows on the birthday; that of 29 February on the 28th of other years', async () => {
  assert.equal(await ageOn('2000-06-10', '2026-06-09'), 25)
  assert.equal(await ageOn('2000-06-10', '2026-06-10'), 26)
  assert.equal(await ageOn('2000-02-29', '2026-02-27'), 25)
  assert.equal(await ageOn('2000-02-29', '2026-02-28'), 26)
  assert.equal(await ageOn('2026-06-10', '2026-06-10'), 0)
})

/** A company whose plan gives 50.00 for each dependent, with money enough; its year began 100 days ago. */
async function companyWithMoney(name: string, pool_cents = 1_000_000) {
  const company = await scene.company({ name })
  const provider = await scene.superAdmin()
  const today = await todayOf(scene, company)
  const plan_year = daysAfter(today, -100)
  await beginYearAgo(scene.sql, company.id, 100)
  await scene.sql`update plan_years set dependent_cents = 5000 where company_id = ${company.id}`
  const pools = spread(1_000_000, 1_000_000, pool_cents)
  await fund(provider, company, pools, { amount_cents: 10_000_000 })
  const hire = async (who?: string) => {
    const person = await company.hire(who)
    await scene.sql`update profiles set joined_on = '2015-01-01' where id = ${person.id}`
    return person
  }
  return { ...company, hire, plan_year, today }
}

const solidarityOf = async (person: Person) => {
  const { balances } = await person.api.funds.mine({})
  return balances.find(({ category }) => category === 'solidarity')!.balance_cents
}

/** Sets a dependent to the state that they would have after years. */
const settle = async (company: Company, person: Person, facts: Record<string, string | null>) => {
  const row = { full_name: 'Mia', relationship: 'child', added_on: '2020-01-01', ...facts }
  const [made] = await scene.sql<[{ id: string }]>`
    insert into dependents ${scene.sql({ company_id: company.id, person_id: person.id, status: 'active', ...row })}
    returning id`
  return made.id
}

describe('Solidarity follows the family', () => {
  test('each covered dependent adds what the plan gives, once approved', async () => {
    const company = await companyWithMoney('Kind')
    const ana = await company.hire('Ana')
    assert.equal(await solidarityOf(ana), 10_000)
    await ana.api.dependents.add({
      full_name: 'Sam',
      relationship: 'spouse',
      born_on: '1988-01-01',
    })
    assert.equal(await solidarityOf(ana), 15_000)
    await company.admin.api.dependents.set_approval({ needed: true })
    const mia = await ana.api.dependents.add({
      full_name: 'Mia',
      relationship: 'child',
      born_on: '2020-01-01',
    })
    assert.equal(await solidarityOf(ana), 15_000)
    await company.admin.api.dependents.approve(mia)
    assert.equal(await solidarityOf(ana), 20_000)
    const [{ fault }] = await scene.sql<[{ fault: string | null }]>`
      select fault from verify_ledger(${company.id})`
    assert.equal(fault, null)
  })

  test('ending and adding again and again gives no more', async () => {
    const company = await companyWithMoney('Shrewd')
    const ana = await company.hire('Ana')
    for (const full_name of ['Kim', 'Lee', 'Max']) {
      const made = await ana.api.dependents.add({
        full_name,
        relationship: 'parent',
        born_on: '1950-01-01',
      })
      const covered_to = made.covered_from
      await ana.api.dependents.end({ id: made.id, covered_to })
      await scene.sql`update dependents set covered_from = covered_from - 10 + ${'KLM'.indexOf(full_name[0]!)}::int,
        covered_to = covered_to - 10 + ${'KLM'.indexOf(full_name[0]!)}::int where id = ${made.id}`
    }
    assert.equal(await solidarityOf(ana), 15_000)
  })

  test('a first day that is corrected counts nobody whose cover was over by then', async () => {
    const company = await companyWithMoney('Late')
    const ana = await company.hire('Ana')
    const covered_from = daysAfter(company.today, -60)
    const parent = { relationship: 'parent', born_on: '1950-01-01', covered_from }
    await settle(company, ana, { ...parent, covered_to: daysAfter(company.today, -40) })
    await settle(company, ana, parent)
    assert.equal(await solidarityOf(ana), 20_000)
    await scene.sql`update profiles set joined_on = ${daysAfter(company.today, -30)}
      where id = ${ana.id}`
    assert.equal(await solidarityOf(ana), 15_000)
  })

  test('cover that begins later counts from its day, by the job', async () => {
    const company = await companyWithMoney('Patient')
    const ana = await company.hire('Ana')
    const { today } = company
    await settle(company, ana, { born_on: '2019-01-01', covered_from: daysAfter(today, 20) })
    await keepFamiliesOf(scene.sql, company.id, daysAfter(today, 19))
    assert.equal(await solidarityOf(ana), 10_000)
    await keepFamiliesOf(scene.sql, company.id, daysAfter(today, 20))
    assert.equal(await solidarityOf(ana), 15_000)
  })

  test('who comes into a new plan year brings those along who are covered in it', async () => {
    const company = await companyWithMoney('Lasting')
    const ana = await company.hire('Ana')
    const next = daysAfter(company.plan_year, 366)
    const month = daysAfter(company.plan_year, 160) // the child outgrows cover in the middle of the first year
    const born_on = `${Number(month.slice(0, 4)) - 26}${month.slice(4, 8)}01`
    await settle(company, ana, { born_on, covered_from: company.plan_year })
    await settle(company, ana, { born_on: '2019-01-01', covered_from: company.plan_year })
    assert.equal(await solidarityOf(ana), 20_000)
    await scene.sql`
      insert into plan_years (company_id, starts_on, dependent_cents)
      values (${company.id}, ${next}, 5000) on conflict (company_id, starts_on) do update
        set dependent_cents = 5000`
    await scene.sql`select private.enroll(${company.id}, ${next}, ${[ana.id]})`
    await keepFamiliesOf(scene.sql, company.id, next)
    const counted = await scene.sql<{ dependents: number }[]>`
      select dependents from grants where person_id = ${ana.id} and category = 'solidarity'
      order by plan_year`
    assert.deepEqual(
      counted.map(({ dependents }) => dependents),
      [2, 1],
    )
  })

  test('without enough in the pool the extra waits in line, and comes with the money', async () => {
    const company = await companyWithMoney('Tight', 12_000)
    const ana = await company.hire('Ana')
    await ana.api.dependents.add({
      full_name: 'Sam',
      relationship: 'spouse',
      born_on: '1988-01-01',
    })
    assert.equal(await solidarityOf(ana), 10_000)
    const { plan_year } = company
    await company.admin.api.funds.allocate({
      plan_year,
      prevention_cents: 0,
      treatment_cents: 0,
      solidarity_cents: 3_000,
    })
    assert.equal(await solidarityOf(ana), 15_000)
  })
})

describe('a child that grows up', () => {
  const born_on = '2000-05-20' // 26 in May 2026
  const noticesOf = (person: Person) => scene.sql<Pick<Notification, 'code' | 'facts'>[]>`
    select code, facts from notifications
    where person_id = ${person.id} and code = 'child_ages_out'
    order by id`

  test('is told of 90, 60 and 30 days before, each once, late after days of being down', async () => {
    const company = await companyWithMoney('Growing')
    const ana = await company.hire('Ana')
    await settle(company, ana, { born_on, covered_from: '2020-01-01' })
    const noticesOn = async (today: string) => {
      await keepFamiliesOf(scene.sql, company.id, today)
      return (await noticesOf(ana)).length
    }
    assert.equal(await noticesOn('2026-03-01'), 0)
    assert.equal(await noticesOn('2026-03-02'), 1)
    assert.equal(await noticesOn('2026-03-02'), 1)
    assert.equal(await noticesOn('2026-03-31'), 1)
    assert.equal(await noticesOn('2026-04-06'), 2) // down on the first of April, the 60th day before
    assert.equal(await noticesOn('2026-05-01'), 3)
    assert.equal(await noticesOn('2026-05-31'), 3)
    assert.equal(await noticesOn('2026-06-01'), 3)
    // A mail names no other person: their own page says whom it is about.
    const [notice] = await noticesOf(ana)
    assert.deepEqual(notice!.facts, { until: '2026-05-31', age: 26 })
    assert.equal(
      inWords(notice!, in_mails).sentence,
      'A child of yours is covered until 31 May 2026, the end of the month in which they turn 26. ' +
        'Bills from before can still be claimed afterwards.',
    )
  })

  test('is not told of where the employee leaves before', async () => {
    const company = await companyWithMoney('Leaving')
    const ana = await company.hire('Ana')
    const soon = daysAfter(company.today, 60)
    const born_on = `${Number(soon.slice(0, 4)) - 26}${soon.slice(4, 8)}01`
    await settle(company, ana, { born_on, covered_from: '2020-01-01' })
    const last_day = await agesOut(born_on)
    await scene.sql`update profiles set left_on = ${daysAfter(last_day, -1)} where id = ${ana.id}`
    await keepFamiliesOf(scene.sql, company.id, daysAfter(last_day, -30))
    assert.equal((await noticesOf(ana)).length, 0)
    await scene.sql`update profiles set left_on = ${daysAfter(last_day, 1)} where id = ${ana.id}`
    await keepFamiliesOf(scene.sql, company.id, daysAfter(last_day, -30))
    assert.equal((await noticesOf(ana)).length, 1)
  })

  test('is covered on the last day and not on the next; its days stay covered', async () => {
    const company = await companyWithMoney('Timely')
    const ana = await company.hire('Ana')
    const mia = await settle(company, ana, { born_on, covered_from: '2020-01-01' })
    const covered = async (day: string) => {
      const [row] = await scene.sql<[{ covered: boolean }]>`
        select covers(${company.id}, ${ana.id}, ${mia}, ${day}) as covered`
      return row.covered
    }
    assert.equal(await covered('2026-05-31'), true)
    assert.equal(await covered('2026-06-01'), false)
    await company.admin.api.dependents.set_child_age({ child_age: 28 })
    assert.equal(await covered('2028-05-31'), true)
    assert.equal(await covered('2028-06-01'), false)
  })

  test('leaves what it added for the year, so that its bills can still be claimed', async () => {
    const company = await companyWithMoney('Fair')
    const ana = await company.hire('Ana')
    const month = daysAfter(company.today, -60)
    const mia = await settle(company, ana, {
      born_on: `${Number(month.slice(0, 4)) - 26}${month.slice(4, 8)}01`,
      covered_from: company.plan_year,
    })
    assert.equal((await ana.api.dependents.mine({})).dependents[0]!.cover_state, 'ended')
    await keepFamiliesOf(scene.sql, company.id, daysAfter(company.today, 200))
    assert.equal(await solidarityOf(ana), 15_000)
    const { plan_year } = company
    const { dependents } = await ana.api.claims.options({})
    assert.deepEqual(
      dependents.flatMap(({ id, covered_to }) => (covered_to! >= month ? [id] : [])),
      [mia],
    )
    const of = { company: company.id, year: plan_year, person: ana.id, category: 'solidarity' }
    await moveFunds(scene.sql, 'hold', of, 15_000, 'claim 1 1')
    assert.equal(await solidarityOf(ana), 0)
  })

  test('each company lives on its own day', async () => {
    const east = await companyWithMoney('East')
    const west = await companyWithMoney('West')
    await scene.sql`update companies set time_zone = 'Pacific/Kiritimati' where id = ${east.id}`
    await scene.sql`update companies set time_zone = 'Pacific/Niue' where id = ${west.id}`
    const cover_states = []
    for (const company of [east, west]) {
      const ana = await company.hire('Ana')
      const day = await todayOf(scene, east)
      await settle(company, ana, { born_on: '2020-01-01', covered_from: day })
      cover_states.push((await ana.api.dependents.mine({})).dependents[0]!.cover_state)
    }
    // 25 hours lie between them: where it is today in the east, it is never the same day in the west.
    assert.deepEqual(cover_states, ['active', 'upcoming'])
  })

  test('the job does all companies, and changes nothing the second time', async () => {
    const tools = { sql: scene.sql } as Parameters<typeof keepFamilies>[1]
    await keepFamilies({}, tools)
    const [before] = await scene.sql`select count(*) from transfers`
    await keepFamilies({}, tools)
    assert.deepEqual(await scene.sql`select count(*) from transfers`.then(([row]) => row), before)
  })
})
