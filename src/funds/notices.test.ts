// Notifications about money: in time, once, and only while they are true.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { contributedCompany, moveFunds } from '../../test/world/money.ts'
import type { Person } from '../../test/world/people.ts'
import { withRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { notifyOfLastDay } from '#employees/jobs.server.ts'
import { regrant, sealAll } from './jobs.server.ts'

const scene = openedScene()
let acme: FundedCompany
let ana: Person
let last: { use_by: string; filing_ends_on: string }
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
  const { ends_on, filing_days } = await acme.company.admin.api.funds.plan({})
  last = { use_by: ends_on, filing_ends_on: daysAfter(ends_on, filing_days) }
})

type Notice = { code: string; facts: Record<string, string | number | boolean> }
const publishOn = async (today: string, person = ana) => {
  await scene.sql`select private.notify_of_expiry(${acme.id}, ${today})`
  return scene.sql<Notice[]>`select code, facts from notifications
    where person_id = ${person.id} and code = 'money_expires' order by id`
}

test('what expires is told four weeks before the last day of care, two before that of claims, once each', async () => {
  assert.equal((await publishOn(daysAfter(last.use_by, -29))).length, 0)
  assert.equal((await publishOn(daysAfter(last.use_by, -28))).length, 1)
  assert.equal((await publishOn(last.use_by)).length, 1)
  assert.equal((await publishOn(daysAfter(last.use_by, 1))).length, 1)
  assert.equal((await publishOn(daysAfter(last.filing_ends_on, -14))).length, 2)
  const notices = await publishOn(last.filing_ends_on)
  assert.equal((await publishOn(daysAfter(last.filing_ends_on, 1))).length, 2)
  const [first, second] = notices.map((one) => inWords(one, in_mails))
  const [use_by, filing_ends_on] = [in_mails.day(last.use_by), in_mails.day(last.filing_ends_on)]
  assert.deepEqual(first, {
    title: '€10,000.00 expires soon',
    sentence: `Use it by ${use_by}, and claim it by ${filing_ends_on}.`,
  })
  assert.equal(second?.sentence, `Claim it by ${filing_ends_on}, for bills from up to ${use_by}.`)
})

test('whoever leaves hears of the day, and until when they can claim', async () => {
  const { employees, funds } = acme.company.admin.api
  const eva = await acme.hire('Eva')
  await funds.change_plan({ ...(await funds.plan({})), leaver_filing_days: 30 })
  const noticesNow = async () => {
    await notifyOfLastDay({ person_id: eva.id }, scene.tools)
    const { notifications } = await eva.api.notifications.list({})
    return notifications[0]?.code.startsWith('last_day')
      ? inWords(notifications[0], in_mails)
      : null
  }
  const { version } = await employees.find({ id: eva.id })
  const left_on = daysAfter(acme.today, -5)
  const slip = await employees.leave({ id: eva.id, version, left_on })
  const back = await employees.stay({ id: eva.id, version: slip.version })
  assert.equal(await noticesNow(), null, 'set and taken back within the minute')
  const gone = await employees.leave({ id: eva.id, version: back.version, left_on })
  const [day, until] = [left_on, daysAfter(left_on, 30)].map((one) => in_mails.day(one))
  assert.deepEqual(await noticesNow(), {
    title: `Your last day at the company was ${day}`,
    sentence:
      `You can still sign in and claim for services until that day, by ${until}. ` +
      'Ask HR if the day is wrong.',
  })
  const [waits] = await scene.sql`select from graphile_worker.jobs
    where key = ${`last-day:${eva.id}`} and run_at > now()`
  assert.ok(waits)
  await noticesNow()
  const { notifications } = await eva.api.notifications.list({})
  assert.equal(notifications.filter(({ code }) => code === 'last_day_set').length, 1, 'told once')
  await employees.stay({ id: eva.id, version: gone.version })
  assert.equal((await noticesNow())?.title, 'You stay with the company')
})

test('a leaver is told of their own last days, on the card, in the form and in time', async () => {
  const { funds } = acme.company.admin.api
  const dan = await acme.hire('Dan')
  const plan = await funds.plan({})
  await funds.change_plan({ ...plan, carry_over: 'all', leaver_filing_days: 30 })
  const use_by = daysAfter(acme.today, 10)
  await scene.sql`update profiles set left_on = ${use_by} where id = ${dan.id}`
  const filing_ends_on = daysAfter(use_by, 30)
  const mine = await dan.api.funds.mine({})
  assert.deepEqual([mine.use_by, mine.filing_ends_on], [use_by, filing_ends_on])
  for (const { balance_cents, expires_cents } of mine.balances)
    assert.equal(expires_cents, balance_cents, 'no next year of theirs takes it along')
  const { years } = await dan.api.claims.options({})
  assert.equal(years[0]?.filing_ends_on, filing_ends_on)
  assert.equal((await publishOn(daysAfter(filing_ends_on, -15), dan)).length, 0)
  assert.equal((await publishOn(filing_ends_on, dan))[0]?.facts['filing_ends_on'], filing_ends_on)
  // A leaver whose last day is late in the year has the year's time to claim, and no more.
  await scene.sql`update profiles set left_on = ${last.use_by} where id = ${dan.id}`
  await funds.change_plan({ ...(await funds.plan({})), leaver_filing_days: 365 })
  assert.equal((await dan.api.funds.mine({})).filing_ends_on, last.filing_ends_on)
  // One who stays until the year has closed takes everything along.
  await scene.sql`update profiles set left_on = ${daysAfter(last.filing_ends_on, 1)} where id = ${dan.id}`
  for (const { expires_cents } of (await dan.api.funds.mine({})).balances)
    assert.equal(expires_cents, 0)
  const expiring = await scene.sql`
    select from expiring_money(${acme.id}, ${dan.id}, ${daysAfter(last.use_by, -10)})`
  assert.equal(expiring.length, 0)
  await funds.change_plan({ ...plan, version: (await funds.plan({})).version })
})

test('what is carried over does not expire', async () => {
  const { funds } = acme.company.admin.api
  const ben = await acme.hire('Ben')
  await funds.change_plan({ ...(await funds.plan({})), carry_over: 'all' })
  assert.equal((await publishOn(daysAfter(last.use_by, -10), ben)).length, 0)
})

test('whose allowance the plan lowers hears by how much, once, and whoever has left does not', async () => {
  const northwind = await fundedCompany(scene)
  const [dora, eli] = [await northwind.hire('Dora'), await northwind.hire('Eli')]
  await scene.sql`update profiles set left_on = ${northwind.today} where id = ${eli.id}`
  const { funds } = northwind.company.admin.api
  const plan = await funds.plan({})
  const change = async (prevention_cents: number) => {
    await funds.change_plan({ ...plan, prevention_cents, version: (await funds.plan({})).version })
    const { plan_year } = northwind
    await regrant({ company_id: northwind.id, plan_year }, scene.tools)
    await regrant({ company_id: northwind.id, plan_year }, scene.tools)
  }
  const noticesOf = async (person: Person) => {
    const { notifications } = await person.api.notifications.list({})
    return notifications
      .filter(({ code }) => code === 'allowance_lowered')
      .map((one) => inWords(one, in_mails))
  }
  await change(plan.prevention_cents + 7000)
  assert.deepEqual(await noticesOf(dora), [])
  await change(plan.prevention_cents + 2000)
  const since = in_mails.day(northwind.plan_year)
  assert.deepEqual(await noticesOf(dora), [
    {
      title: 'You have €50.00 less to claim for Prevention',
      sentence: `Your allowance for the year from ${since} was lowered. Open it to see what you can claim.`,
    },
  ])
  assert.deepEqual(await noticesOf(eli), [])
})

test('a balance that rose again before its owner was told is not told, and the next fall is', async () => {
  const cem = await acme.hire('Cem')
  const of = { company: acme.id, year: acme.plan_year, person: cem.id, category: 'treatment' }
  const noticesOf = async () => {
    await sealAll(scene.sql)
    const found = await scene.sql`
      select from notifications where person_id = ${cem.id} and code = 'fund_low'`
    return found.length
  }
  await moveFunds(scene.sql, 'hold', of, 600_000, 'claim 1')
  assert.equal(await noticesOf(), 1)
  await moveFunds(scene.sql, 'release', of, 600_000, 'claim 1')
  assert.equal(await noticesOf(), 0)
  await moveFunds(scene.sql, 'hold', of, 650_000, 'claim 2')
  assert.equal(await noticesOf(), 1)
  await scene.sql`update notifications set mailed_at = now() where person_id = ${cem.id}`
  await moveFunds(scene.sql, 'release', of, 650_000, 'claim 2')
  assert.equal(await noticesOf(), 1)
  await moveFunds(scene.sql, 'hold', of, 650_000, 'claim 3')
  assert.equal(await noticesOf(), 1, 'once a year')
})

test('whose allowance comes back in part before the mail hears of the rest alone', async () => {
  const southwind = await fundedCompany(scene)
  const fay = await southwind.hire('Fay')
  const { funds } = southwind.company.admin.api
  const { prevention_cents, ...plan } = await funds.plan({})
  for (const more of [-7000, -2000]) {
    const { version } = await funds.plan({})
    await funds.change_plan({ ...plan, version, prevention_cents: prevention_cents + more })
    await regrant({ company_id: southwind.id, plan_year: southwind.plan_year }, scene.tools)
  }
  const { notifications } = await fay.api.notifications.list({})
  assert.deepEqual(
    notifications
      .filter(({ code }) => code.startsWith('allowance'))
      .map((notice) => inWords(notice, in_mails).title),
    ['You have €20.00 less to claim for Prevention'],
  )
})

test('money that comes in, or is taken out again, is notified to those with Finance and to owners, once each', async () => {
  const { company, provider } = await contributedCompany(scene)
  const finance = await withRights(scene, company, 'finance')
  const reviewer = await withRights(scene, company, 'reviewer')
  const { plan_year } = await company.admin.api.funds.overview({})
  const gift = { amount_cents: 2_000_050, occurred_on: plan_year, reference: 'INV-77' }
  const { id } = await provider.api.funds.contribute({
    company_id: company.id,
    confirmed: true,
    ...gift,
  })
  const newest = async ({ id: person_id }: Person) => {
    const [last] = await scene.sql<Notice[]>`select code, facts from notifications
      where person_id = ${person_id} and code like 'contribution%' order by id desc limit 1`
    return last && inWords(last, in_mails).title
  }
  const titles = () => Promise.all([company.admin, finance, reviewer].map(newest))
  assert.deepEqual(await titles(), ['€20,000.50 came in', '€20,000.50 came in', undefined])
  await provider.api.funds.reverse_contribution({
    company_id: company.id,
    id,
    reason: 'Another company’s',
  })
  const back = '€20,000.50 was taken out again'
  assert.deepEqual(await titles(), [back, back, undefined])
  const [{ notices }] = await scene.sql<[{ notices: number }]>`
    select count(*)::int as notices from notifications
    where person_id = ${company.admin.id} and facts ->> 'reference' = 'INV-77'`
  assert.equal(notices, 2, 'an owner with Finance has each once')
})
