// Deadlines know the calendar: public holidays of the company's own place stop the clock like weekends.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { keepClaims } from '#claims/jobs.server.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { holidaysOf, keepHolidays } from './holidays.server.ts'

const scene = openedScene()

describe('the list of the world’s holidays', () => {
  const of = async (country: string, region: string, year: number) =>
    (await holidaysOf(country, region, year, year)).map(({ on_day, name }) => `${on_day} ${name}`)

  test('knows a country and its regions apart', async () => {
    assert.deepEqual(await of('DE', '', 2026), [
      "2026-01-01 New Year's Day",
      '2026-04-03 Good Friday',
      '2026-04-06 Easter Monday',
      '2026-05-01 Labour Day',
      '2026-05-14 Ascension Day',
      '2026-05-25 Whit Monday',
      '2026-10-03 National Holiday',
      '2026-12-25 Christmas Day',
      '2026-12-26 Boxing Day',
    ])
    assert.ok((await of('DE', 'BY', 2026)).includes('2026-06-04 Corpus Christi'))
  })

  test('has the day off in place of one that fell on a weekend', async () => {
    const days = await of('GB', 'ENG', 2027)
    assert.ok(days.includes('2027-12-27 Christmas Day (substitute day)'), days.join('\n'))
  })

  test('counts each day of those that last for several', async () => {
    const days = (await holidaysOf('TR', '', 2026, 2026)).map(({ on_day }) => on_day)
    assert.equal(new Set(days).size, days.length)
    assert.deepEqual(
      days.filter((day) => day.startsWith('2026-03')),
      ['2026-03-20', '2026-03-21', '2026-03-22'],
    )
  })

  test('leaves out what is not free for the whole day', async () => {
    const days = await of('AT', '', 2026)
    assert.ok(!days.some((day) => day.startsWith('2026-12-24')))
  })
})

describe('working days', () => {
  const off = '{2026-12-25,2027-01-01,2027-01-06}'
  const between = async (from: string, to: string, zone = 'UTC') => {
    const [row] = await scene.sql<[{ days: number }]>`
      select working_days(${to}, ${zone}, ${off}::date[])
        - working_days(${from}, ${zone}, ${off}::date[]) as days`
    return row.days
  }
  const until = async (from: string, days: number, zone = 'UTC') => {
    const [row] = await scene.sql<[{ at: string }]>`
      select private.after_working_days(${from}, ${days}, ${zone}, ${off}::date[]) as at`
    return row.at
  }

  test('stand still on a holiday, as on a weekend', async () => {
    assert.equal(await between('2026-12-24T12:00Z', '2026-12-28T12:00Z'), 1)
    assert.equal(await between('2026-12-25T01:00Z', '2026-12-25T23:00Z'), 0)
    assert.equal(await between('2026-12-24T00:00Z', '2027-01-07T00:00Z'), 7)
  })

  test('end at the same hour of a day on which somebody works', async () => {
    assert.equal(await until('2026-12-24T15:00Z', 1), '2026-12-28T15:00:00.000Z')
    assert.equal(await until('2026-12-30T15:00Z', 4), '2027-01-07T15:00:00.000Z')
    assert.equal(await until('2026-12-25T10:00Z', 1), '2026-12-29T00:00:00.000Z')
    // A day begins where the company is.
    assert.equal(await until('2026-12-24T16:00Z', 1, 'Asia/Tokyo'), '2026-12-28T15:00:00.000Z')
  })

  test('said and counted back are the same, whenever it begins', async () => {
    for (let hour = 0; hour < 24 * 21; hour += 5) {
      const from = new Date(Date.UTC(2026, 11, 20, hour)).toISOString()
      for (const days of [0.5, 1, 2.25, 3, 6])
        assert.ok(Math.abs((await between(from, await until(from, days))) - days) < 1e-6, from)
    }
  })
})

describe('a company', () => {
  let acme: FundedCompany
  let hr: Person
  let ana: Person
  before(async () => {
    acme = await fundedCompany(scene)
    hr = acme.company.admin
    ana = await acme.hire('Ana')
  })

  test('says in which country and region it is, and sees its days', async () => {
    const before = await hr.api.settings.calendar({})
    assert.deepEqual([before.country, before.holidays], [null, []])
    const countries = await hr.api.settings.places({})
    const named = (of: string) => countries.find(({ code }) => code === of)?.name
    assert.deepEqual(['HR', 'MK', 'IT', 'MA'].map(named), [
      'Croatia',
      'North Macedonia',
      'Italy',
      'Morocco',
    ])
    const regions = await hr.api.settings.places({ country: 'DE' })
    assert.ok(regions.some(({ code }) => code === 'BY'))
    await hr.api.settings.change_calendar({ country: 'DE', region: 'BY' })
    await keepHolidays({ company_id: acme.id }, scene.tools)
    const { country, region, is_known, holidays } = await hr.api.settings.calendar({})
    assert.deepEqual([country, region, is_known], ['DE', 'BY', true])
    // A year from any day has each fixed one once; of those that move with Easter some twice or not.
    for (const fixed of ['01-06', '05-01', '10-03', '11-01', '12-25'])
      assert.equal(holidays.filter(({ on_day }) => on_day.endsWith(fixed)).length, 1, fixed)
    const [noted] = await scene.sql`
      select after from audit_log where table_name = 'companies' and company_id = ${acme.id}
        and after ? 'region' and act = 'update' order by id desc limit 1`
    assert.deepEqual(noted!['after'], { country: 'DE', region: 'BY' })
  })

  test('is in no place that there is not', async () => {
    await refuses('unknown_place', hr.api.settings.change_calendar({ country: 'DE', region: 'XX' }))
    await refuses('unknown_place', hr.api.settings.change_calendar({ country: 'ZZ', region: '' }))
    await refuses('forbidden', ana.api.settings.change_calendar({ country: 'DE', region: '' }))
  })

  test('has its claims due by them; what waits already, too', async () => {
    // Without its own holidays the test holds on any day.
    await scene.sql`delete from public_holidays`
    const claim = await acme.claim(ana, { amount_cents: 4000 })
    const dueIn = async () => {
      const [row] = await scene.sql<[{ days: number; due_at: string }]>`
        select working_days(due_at, 'UTC', '{}') - working_days(submitted_at, 'UTC', '{}')
          as days, due_at from claims where id = ${claim.id}`
      return Math.round(row.days * 1000) / 1000
    }
    const before = await dueIn()
    // Each of the next five days becomes a holiday there.
    await scene.sql`
      insert into public_holidays (country, region, on_day, name)
      select 'DE', 'BY', company_today(${acme.id}) + n, 'A feast' from generate_series(1, 7) n
      on conflict do nothing`
    await keepHolidays({ company_id: acme.id }, scene.tools)
    assert.equal(await dueIn(), before + 5)
    const another = await acme.claim(ana, { amount_cents: 4100 })
    const [same] = await scene.sql`
      select abs(extract(epoch from a.due_at - b.due_at)) < 60 as same from claims a, claims b
        where a.id = ${claim.id} and b.id = ${another.id}`
    assert.equal(same!['same'], true)
    await hr.api.settings.change_calendar({ country: 'AE', region: '' })
    await keepHolidays({ company_id: acme.id }, scene.tools)
  })
})

describe('by the clock', () => {
  test('deciders hear of half of the time and of its end, the owner of twice its time, once each', async () => {
    const acme = await fundedCompany(scene)
    const hr = acme.company.admin
    const second = await acme.admin('Second')
    const ana = await acme.hire('Ana')
    const claim = await acme.claim(ana, { amount_cents: 4000 })
    /** Working days of the claim's three that are over. */
    const waited = async (days: number) => {
      await scene.sql`
        update claims set submitted_at = private.after_working_days(now(), ${-days}, 'UTC', '{}'),
          due_at = private.after_working_days(now(), 3 - ${days}::float8, 'UTC', '{}')
        where id = ${claim.id}`
      for (let again = 0; again < 2; again += 1) await keepClaims({}, scene.tools)
      const notices = await scene.sql<{ code: string; who: string }[]>`
        select code, case person_id when ${hr.id} then 'owner' else 'second' end as who
        from notifications where code in ('claims_half_way', 'claims_overdue', 'claims_twice_overdue')
          and path = ${`/dashboard/claims/${claim.id}`}
          and person_id in (${hr.id}, ${second.id}) order by id`
      return notices.map(({ code, who }) => `${code.replace('claims_', '')} ${who}`).toSorted()
    }
    assert.deepEqual(await waited(1.4), [])
    assert.deepEqual(await waited(1.6), ['half_way owner', 'half_way second'])
    const late = ['half_way owner', 'half_way second', 'overdue owner', 'overdue second']
    assert.deepEqual(await waited(3.1), late)
    assert.deepEqual(await waited(5.9), late)
    const very_late = [...late, 'twice_overdue owner']
    assert.deepEqual(await waited(6.1), very_late)
    assert.deepEqual(await waited(30), very_late)
    const left = await hr.api.review.find({ id: claim.id })
    assert.equal(left.status, 'pending', 'nothing is decided by time')
    assert.deepEqual(await acme.faults(), [])
  })
})
