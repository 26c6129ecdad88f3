// Every figure of the employee’s and the provider’s dashboards, beside what the rows themselves add up to.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sql } from '#lib/db.server.ts'
import {
  change,
  entries,
  euros,
  hiddenUse,
  number,
  openedDemo,
  section,
  valueOf,
  years,
} from './demo.ts'
import { picture, untilSettled } from './stage.ts'

const demo = openedDemo()
let sql: Sql
before(async () => {
  sql = demo.sql
})

describe('the employee’s dashboard', () => {
  let page: Page
  let me: { id: string; company_id: string }
  before(async () => {
    page = await demo.enter('jonas@aurora.example')
    ;[me] = await sql<[typeof me]>`
      select p.id, p.company_id from profiles p join auth.users u on u.id = p.id
      where u.email = 'jonas@aurora.example'`
    await section(page, 'Health reminder').getByRole('listitem').first().waitFor()
    await untilSettled(page)
  })

  test('balances: what is left, of how much, what waits and what expires', async () => {
    const found = await sql<
      { category: string; left: number; total: number; held: number; filing_ends_on: string }[]
    >`
      with entry as (${entries(sql)}), year as (${years(sql)})
      select e.category, coalesce(sum(cents) filter (where kind = 'available'), 0)::bigint as left,
        coalesce(sum(cents) filter (where kind in ('available', 'held', 'payable', 'paid')), 0)::bigint
          as total,
        coalesce(sum(cents) filter (where kind = 'held'), 0)::bigint as held
      from entry e join year y on y.company_id = e.company_id and y.starts_on = e.plan_year
      where e.company_id = ${me.company_id} and e.person_id = ${me.id} and e.category is not null
        and e.kind <> 'pool' group by e.category`
    assert.equal(found.length, 3)
    for (const { category, left, total, held } of found) {
      const name = category[0]!.toUpperCase() + category.slice(1)
      const card = page
        .getByRole('heading', { name, exact: true })
        .locator('xpath=ancestor::section')
      const text = (await card.innerText()).replace(/\s+/g, ' ')
      assert.ok(text.includes(`${euros(left)} of ${euros(total)}`), `${name}: ${text}`)
      assert.ok(text.includes(`${Math.floor((100 * left) / total)}% left`), `${name}: ${text}`)
      assert.equal(text.includes('on hold for your open claims'), held > 0, name)
      if (held) assert.ok(text.includes(`${euros(held)} on hold`), name)
    }
  })

  test('the newest claims, the family that is covered, the last check', async () => {
    const newest = await sql<{ id: number; type_name: string; status: string; cents: number }[]>`
      select id, type_name, initcap(status) as status, coalesce(approved_cents, amount_cents) as cents
      from claims where company_id = ${me.company_id} and person_id = ${me.id}
      order by id desc limit 5`
    const items = await section(page, 'Recent claims').getByRole('listitem').allInnerTexts()
    assert.equal(items.length, newest.length)
    for (const [at, { id, type_name, status, cents }] of newest.entries()) {
      for (const word of [type_name, `#${id},`, status, euros(cents)])
        assert.ok(items[at]!.includes(word), `${items[at]}: ${word}`)
    }
    const family = await sql<{ full_name: string; relationship: string; age: number }[]>`
      select full_name, initcap(relationship) as relationship,
        extract(year from age(current_date, born_on))::int as age
      from dependents where company_id = ${me.company_id} and person_id = ${me.id}
        and status in ('active', 'requested') and coalesce(covered_to, current_date) >= current_date`
    const shown = await section(page, 'Dependents').getByRole('listitem').allInnerTexts()
    assert.equal(shown.length, Math.min(4, family.length))
    assert.ok(family.length > 0)
    for (const text of shown) {
      assert.ok(
        family.some(
          ({ full_name, relationship, age }) =>
            text.includes(full_name) && text.includes(`${relationship}, ${age}`),
        ),
        text,
      )
    }
    const [checks] = await sql<[{ booked: number }]>`
      select count(*)::int as booked from check_bookings b join check_slots s on s.id = b.slot_id
      where b.person_id = ${me.id} and b.status = 'booked' and s.starts_at > now()`
    const reminder = await section(page, 'Health reminder').innerText()
    assert.equal(reminder.includes('Your next health check is booked'), checks.booked > 0)
  })
})

describe('the provider’s dashboard', () => {
  let page: Page
  before(async () => {
    page = await demo.enter('priya@healthfund.example')
    await page.getByText('Claims processing').waitFor()
    await page.getByRole('table', { name: 'Recent companies' }).getByText('%').first().waitFor()
    await untilSettled(page)
  })

  test('companies, employees, funds managed and utilization', async () => {
    const [found] = await sql<
      [{ companies: number; new_companies: number; employees: number; new_employees: number }]
    >`
      select (select count(*)::int from companies) as companies,
        (select count(*)::int from companies where created_at >= now() - interval '30 days')
          as new_companies,
        (select count(*)::int from profiles where role = 'employee'
          and account_state not in ('requested', 'left') and company_id is not null) as employees,
        (select (count(*) filter (where (created_at at time zone 'UTC')::date > d.day)
              - count(*) filter (where has_left and left_on >= d.day))::int
          from profiles cross join lateral (
            select (now() at time zone 'UTC')::date - 30 as day) d
          where role = 'employee' and account_state <> 'requested'
            and company_id is not null) as new_employees`
    const companies = await valueOf(page, 'Total companies')
    assert.equal(companies.value, number(found.companies))
    const grown = (by: number) => (by ? change(by, number(by)) : 'no change in 30 days')
    assert.equal(companies.note, grown(found.new_companies))
    const employees = await valueOf(page, 'Total employees')
    assert.equal(employees.value, number(found.employees))
    assert.equal(employees.note, grown(found.new_employees))

    const money = await sql<{ currency: string; companies: number; came: number; used: number }[]>`
      with entry as (${entries(sql)}), year as (${years(sql)})
      select y.currency, count(distinct y.company_id)::int as companies,
        coalesce(-sum(cents) filter (where kind = 'funding'), 0)::bigint as came,
        coalesce(sum(cents) filter (where kind in ('payable', 'paid')), 0)::bigint as used
      from year y left join entry e on y.company_id = e.company_id and y.starts_on = e.plan_year
      group by y.currency order by companies desc, y.currency`
    const hidden = await hiddenUse(sql)
    const [main] = money
    assert.equal(main!.currency, 'EUR')
    const share = ({ used, came }: { used: number; came: number }) =>
      `${Math.floor((100 * used) / came)}%`
    assert.equal((await valueOf(page, 'Funds managed, EUR')).value, euros(main!.came, true))
    assert.equal((await valueOf(page, 'Fund utilization, EUR')).value, share(main!))
    const table = page.getByRole('table', { name: 'Funds by currency' })
    const rows = await table.getByRole('row').allInnerTexts()
    assert.equal(rows.length, money.length + 1)
    for (const [at, sums] of money.entries()) {
      const text = rows[at + 1]!
      assert.ok(text.includes(sums.currency), text)
      const expected = hidden.has(sums.currency) ? 'Not shown' : sums.came === 0 ? '–' : share(sums)
      assert.ok(text.includes(expected), `${text}: ${expected}`)
    }
  })

  test('recent companies, each with its people, its use and its status', async () => {
    const newest = await sql<
      {
        id: string
        name: string
        status: string
        employees: number
        came: number
        used: number
      }[]
    >`
      with entry as (${entries(sql)}), year as (${years(sql)})
      select c.id, c.name, c.status, (select count(*)::int from profiles p where p.company_id = c.id
          and p.role = 'employee' and p.account_state not in ('requested', 'left')) as employees,
        (select coalesce(-sum(cents) filter (where kind = 'funding'), 0)::bigint from entry e
          join year y on y.company_id = e.company_id and y.starts_on = e.plan_year
          where e.company_id = c.id) as came,
        (select coalesce(sum(cents) filter (where kind in ('payable', 'paid')), 0)::bigint from entry e
          join year y on y.company_id = e.company_id and y.starts_on = e.plan_year
          where e.company_id = c.id) as used
      from companies c order by c.created_at desc limit 5`
    const hidden = await hiddenUse(sql)
    const table = page.getByRole('table', { name: 'Recent companies' })
    const rows = await table.getByRole('row').allInnerTexts()
    assert.equal(rows.length, 6)
    const words: Record<string, string> = { active: 'Active', suspended: 'Suspended' }
    for (const [at, { id, name, status, employees, came, used }] of newest.entries()) {
      const text = rows[at + 1]!
      const use = hidden.has(id)
        ? 'Not shown'
        : came > 0
          ? `${Math.floor((100 * used) / came)}%`
          : 'No money yet'
      for (const word of [name, words[status] ?? 'Pending', number(employees), use])
        assert.ok(text.includes(word), `${text}: ${word}`)
    }
  })

  test('claims that wait, and those past the target', async () => {
    const [waiting] = await sql<[{ claims: number; overdue: number }]>`
      select count(*)::int as claims, (count(*) filter (where due_at < now()))::int as overdue
      from claims where status = 'pending'`
    const cell = page.getByRole('listitem').filter({ hasText: 'Claims processing' })
    const text = await cell.innerText()
    assert.ok(text.includes(number(waiting.claims)), text)
    assert.ok(text.includes(`${number(waiting.overdue)} `), text)
  })
})

describe('on every screen', () => {
  const places = {
    'priya@healthfund.example': ['super-admin', 'reports', 'audit'],
    'helena@aurora.example': ['company-admin', 'audit'],
    'jonas@aurora.example': ['employee'],
  }
  for (const [email, names] of Object.entries(places)) {
    test(`${names.join(', ')} stay within the width`, async () => {
      const page = await demo.enter(email)
      for (const name of names) {
        await page.goto(`/dashboard/${name}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const width of [360, 768, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          await untilSettled(page)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth)
          assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`)
          for (const colorScheme of ['dark', 'light'] as const) {
            await page.emulateMedia({ colorScheme })
            await picture(page, `${name}-of-${email.split('@')[0]}-${width}-${colorScheme}`)
          }
        }
      }
    })
  }
})
