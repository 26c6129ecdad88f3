// Every figure of the three dashboards, in the demo world, beside what the rows themselves add up to.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { serve, type ServerType } from '@hono/node-server'
import type { Browser, Page } from 'playwright-core'
import { openHouse, type House } from '#house.server.ts'
import { buildIfStale } from '#lib/built.server.ts'
import { readConfig } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'
import { pagesOf } from '#lib/pages.server.ts'
import { isPage } from '#paths.ts'
import { sealAll } from '#funds/jobs.server.ts'
import { hiddenIn } from '#lib/suppress.ts'
import { freePort } from '../free-port.ts'
import { demoWorld } from '../../demo/world.ts'
import { openBrowser } from '../browser.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { picture, settled } from './stage.ts'

const root = path.resolve(import.meta.dirname, '../..')
let database: TestDatabase
let folder: string
let house: House
let server: ServerType
let browser: Browser
let sql: Sql
let origin: string

before(async () => {
  await buildIfStale(root)
  const port = await freePort()
  origin = `http://localhost:${port}`
  database = await testDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-figures-'))
  const env = { DATA_FOLDER: folder, LOG_LEVEL: 'fatal', DEMO: 'on', SITE_URL: origin }
  const config = readConfig({ ...env, PORT: String(port) })
  await demoWorld(config, database.url)
  house = await openHouse(config, database.url)
  await pagesOf(house.app, { folder: path.join(root, 'dist'), dev: false, isPage })
  server = serve({ fetch: house.app.fetch, hostname: 'localhost', port })
  sql = house.sql.owner
  await sealAll(sql)
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  house.endStreams()
  server.close()
  await house.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

async function enter(email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: origin, locale: 'en-US' })).newPage()
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('quiet-harbour-42')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/dashboard/**')
  await settled(page)
  return page
}

const euros = (cents: number, whole = false) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'EUR',
    ...(whole ? { maximumFractionDigits: 0 } : {}),
  }).format(cents / 100)
const number = (value: number) => value.toLocaleString('en-US')
const change = (value: number, text: string) => `${value > 0 ? '+' : '−'}${text} in 30 days`

/** Every account that every transfer touched: by how much, on which day of its company. */
const entries = (tx: Sql) => tx`
  select t.company_id, t.plan_year, a.kind, a.category, t.person_id,
    case when a.id = t.to_account then t.amount_cents else -t.amount_cents end as cents,
    (t.posted_at at time zone c.time_zone)::date as day
  from transfers t join companies c on c.id = t.company_id
  join accounts a on a.company_id = t.company_id and a.id in (t.from_account, t.to_account)`
const years = (tx: Sql) => tx`
  select c.id as company_id, c.currency, c.time_zone, y.starts_on, y.ends_on,
    (now() at time zone c.time_zone)::date as today
  from companies c join plan_years y on y.company_id = c.id
    and (now() at time zone c.time_zone)::date between y.starts_on and y.ends_on`

/** What fewer than five people used, and what would give it away: companies and currencies. */
async function hiddenUse() {
  return hiddenIn(
    await sql<{ part: string; sum: string; people: number; size: number }[]>`
    with entry as (${entries(sql)}), year as (${years(sql)}),
    theirs as (select y.company_id, y.currency, e.person_id, sum(e.cents) as cents
      from year y left join entry e on y.company_id = e.company_id and y.starts_on = e.plan_year
        and e.kind in ('payable', 'paid')
      group by y.company_id, y.currency, e.person_id)
    select company_id::text as part, currency as sum,
      least(count(distinct person_id) filter (where cents <> 0), 5)::int as people,
      coalesce(sum(cents), 0)::bigint as size
    from theirs group by company_id, currency`,
  )
}

const valueOf = async (page: Page, label: string) => {
  const card = page.getByRole('main').getByText(label, { exact: true }).locator('../..')
  const [, value, note] = (await card.innerText()).split('\n').filter(Boolean)
  return { value, note }
}
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe('the company admin’s dashboard', () => {
  let page: Page
  let company_id: string
  before(async () => {
    page = await enter('helena@aurora.example')
    const [helena] = await sql<[{ company_id: string }]>`
      select p.company_id from profiles p join auth.users u on u.id = p.id
      where u.email = 'helena@aurora.example'`
    company_id = helena.company_id
    await page.getByText('Top types').waitFor()
    await page.getByRole('table', { name: 'Used by month and category' }).waitFor()
    await settled(page)
  })

  test('employees, balance, utilization and pending claims', async () => {
    const [people] = await sql<[{ now: number; ever: number; before: number }]>`
      select count(*)::int as ever, (count(*) filter (where p.standing <> 'left'))::int as now,
        (count(*) filter (where (p.created_at at time zone 'UTC')::date
          <= (now() at time zone 'UTC')::date - 30))::int as before
      from profiles p where p.company_id = ${company_id} and p.role = 'employee'
        and p.standing <> 'asking'`
    const employees = await valueOf(page, 'Employees')
    assert.equal(employees.value, number(people.now))
    const grown = people.ever - people.before
    assert.equal(
      employees.note,
      grown ? change(grown, number(Math.abs(grown))) : 'no change in 30 days',
    )

    const [money] = await sql<
      [{ came: number; used: number; came_before: number; used_before: number }]
    >`
      with entry as (${entries(sql)}), year as (${years(sql)})
      select coalesce(-sum(cents) filter (where kind = 'funding'), 0)::bigint as came,
        coalesce(sum(cents) filter (where kind in ('payable', 'paid')), 0)::bigint as used,
        coalesce(-sum(cents) filter (where kind = 'funding' and day <= today - 30), 0)::bigint
          as came_before,
        coalesce(sum(cents) filter (where kind in ('payable', 'paid') and day <= today - 30), 0)::bigint
          as used_before
      from entry e join year y on y.company_id = e.company_id and y.starts_on = e.plan_year
      where e.company_id = ${company_id}`
    const balance = await valueOf(page, 'Fund Balance')
    assert.equal(balance.value, euros(money.came - money.used))
    const moved = money.came - money.used - (money.came_before - money.used_before)
    assert.equal(
      balance.note,
      moved ? change(moved, euros(Math.abs(moved), true)) : 'no change in 30 days',
    )
    const utilization = await valueOf(page, 'Utilization')
    const percent = Math.round((100 * money.used) / money.came)
    assert.equal(utilization.value, `${percent}%`)
    const points = percent - Math.round((100 * money.used_before) / money.came_before)
    assert.ok(
      utilization.note!.startsWith(
        points ? (points > 0 ? '+' : '−') + Math.abs(points) : 'of what',
      ),
    )

    const [pending] = await sql<[{ claims: number; cents: number; overdue: number }]>`
      select count(*)::int as claims, sum(amount_cents)::bigint as cents,
        (count(*) filter (where due_at < now()))::int as overdue
      from claims where company_id = ${company_id} and status = 'pending'`
    const waiting = await valueOf(page, 'Pending Claims')
    assert.equal(waiting.value, number(pending.claims))
    assert.ok(pending.overdue > 0)
    const late = ` · ${number(pending.overdue)} overdue`
    assert.equal(waiting.note, `${euros(pending.cents, true)} waiting${late}`)
  })

  type Fund = { category: string; allocated: number; used: number }
  const funds = () => sql<(Fund & { whole: number; gone: number })[]>`
    with entry as (${entries(sql)}), year as (${years(sql)})
    select e.category, sum(cents)::bigint as allocated,
      coalesce(sum(cents) filter (where kind in ('payable', 'paid')), 0)::bigint as used,
      (max(ends_on) - max(starts_on) + 1)::int as whole, (max(today) - max(starts_on) + 1)::int as gone
    from entry e join year y on y.company_id = e.company_id and y.starts_on = e.plan_year
    where e.company_id = ${company_id} and e.category is not null group by e.category`

  test('allocation by category, what asks for action, and the forecast', async () => {
    const text = await section(page, 'Fund Allocation').innerText()
    const forecast = await section(page, 'Forecast').innerText()
    const found = await funds()
    assert.equal(found.length, 3)
    const high: string[] = []
    for (const { category, allocated, used, whole, gone } of found) {
      const name = category[0]!.toUpperCase() + category.slice(1)
      const percent = Math.round((100 * used) / allocated)
      assert.match(
        text.replace(/\s+/g, ' '),
        new RegExp(`${name} ${percent}% ${euros(used)} used of `),
      )
      assert.ok(text.includes(euros(allocated)), `${name} of ${euros(allocated)}`)
      if (percent >= 60) high.push(`${name} utilization is at ${percent}%.`)
      const expected = Math.round((used * whole) / gone)
      assert.ok(forecast.includes(euros(expected)), `${name} goes to ${euros(expected)}`)
      const left = allocated - expected
      assert.ok(forecast.includes(euros(Math.abs(left))), `${name}: ${euros(left)} stays`)
    }
    for (const sentence of high) await page.getByText(sentence).waitFor()
    assert.equal(await page.getByText(/utilization is at/).count(), high.length)
    assert.ok(high.length > 0)
    const [lacking] = await sql<[{ people: number; cents: number; unallocated: number }]>`
      select count(distinct person_id)::int as people,
        coalesce(sum(due_cents - granted_cents), 0)::bigint as cents,
        (select sum(balance_cents)::bigint from accounts a join (${years(sql)}) y
          on y.company_id = a.company_id and y.starts_on = a.plan_year
          where a.company_id = ${company_id} and kind = 'unallocated') as unallocated
      from grants g join (${years(sql)}) y on y.company_id = g.company_id and y.starts_on = g.plan_year
      where g.company_id = ${company_id} and due_cents > granted_cents`
    const waits = page.getByText(/wait(s)? for (a grant|grants) of/)
    assert.equal(await waits.count(), lacking.people > 0 ? 1 : 0)
    if (lacking.people) assert.ok((await waits.innerText()).includes(euros(lacking.cents)))
    const unallocated = page.getByText(/ is unallocated\.$/)
    assert.equal(await unallocated.count(), lacking.unallocated > 0 ? 1 : 0)
    if (lacking.unallocated)
      assert.ok((await unallocated.innerText()).includes(euros(lacking.unallocated)))
  })

  test('twelve months of use, by category', async () => {
    const found = await sql<{ month: string; category: string; cents: number }[]>`
      with entry as (${entries(sql)})
      select to_char(day, 'FMMonth YYYY') as month, category, sum(cents)::bigint as cents from entry
      where company_id = ${company_id} and kind in ('payable', 'paid') group by 1, 2`
    const rows = await page
      .getByRole('table', { name: 'Used by month and category' })
      .getByRole('row')
      .all()
    assert.equal(rows.length, 13)
    let seen = 0
    for (const row of rows.slice(1)) {
      const [month, ...cells] = (await row.innerText()).split('\t')
      for (const [at, category] of ['prevention', 'treatment', 'solidarity'].entries()) {
        const cents = found.find((f) => f.month === month && f.category === category)?.cents ?? 0
        assert.equal(cells[at], euros(cents), `${month} ${category}`)
        if (cents) seen += 1
      }
    }
    assert.ok(seen > 12)
  })

  test('the newest claims and the types that are claimed most', async () => {
    const newest = await sql<
      { id: number; name: string; status: string; cents: number; category: string }[]
    >`
      select c.id, p.full_name as name, initcap(c.status) as status, initcap(c.category) as category,
        coalesce(c.approved_cents, c.amount_cents) as cents
      from claims c join profiles p on p.id = c.person_id
      where c.company_id = ${company_id} order by c.id desc limit 5`
    const items = await section(page, 'Recent claims').getByRole('listitem').all()
    assert.equal(items.length, 5)
    for (const [at, { id, name, status, cents, category }] of newest.entries()) {
      const text = await items[at]!.innerText()
      for (const word of [name, `#${id}, ${category}`, status, euros(cents)])
        assert.ok(text.includes(word), `${text}: ${word}`)
      assert.equal(text.includes('Review'), status === 'Pending')
    }
    const types = await sql<{ name: string; claims: number }[]>`
      select t.name, count(*)::int as claims from claims c
      join claim_types t on t.company_id = c.company_id and t.id = c.type_id
      where c.company_id = ${company_id} group by t.id, t.name order by claims desc`
    const top = await section(page, 'Top types').getByRole('listitem').allInnerTexts()
    assert.equal(top.length, 6)
    assert.deepEqual(
      top.map((text) => Number(text.split('\n').at(-1)!.replace(',', ''))),
      types.slice(0, 6).map(({ claims }) => claims),
    )
    for (const text of top) {
      const of = types.filter(({ name }) => text.startsWith(name))
      assert.ok(
        of.some(({ claims }) => text.endsWith(number(claims))),
        text,
      )
    }
  })
})

describe('the employee’s dashboard', () => {
  let page: Page
  let me: { id: string; company_id: string }
  before(async () => {
    page = await enter('jonas@aurora.example')
    ;[me] = await sql<[typeof me]>`
      select p.id, p.company_id from profiles p join auth.users u on u.id = p.id
      where u.email = 'jonas@aurora.example'`
    await section(page, 'Health reminder').getByRole('listitem').first().waitFor()
    await settled(page)
  })

  test('balances: what is left, of how much, what waits and what expires', async () => {
    const found = await sql<
      { category: string; left: number; total: number; held: number; file_until: string }[]
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
      assert.ok(text.includes(`${Math.round((100 * left) / total)}% left`), `${name}: ${text}`)
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
        and status in ('active', 'asking') and coalesce(covered_to, current_date) >= current_date`
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
    page = await enter('priya@healthfund.example')
    await page.getByText('Claims processing').waitFor()
    await page.getByRole('table', { name: 'Recent companies' }).getByText('%').first().waitFor()
    await settled(page)
  })

  test('companies, employees, funds managed and utilization', async () => {
    const [found] = await sql<
      [{ companies: number; new_companies: number; employees: number; new_employees: number }]
    >`
      select (select count(*)::int from companies) as companies,
        (select count(*)::int from companies where created_at >= now() - interval '30 days')
          as new_companies,
        (select count(*)::int from profiles where role = 'employee' and standing <> 'asking'
          and company_id is not null) as employees,
        (select count(*)::int from profiles where role = 'employee' and standing <> 'asking'
          and company_id is not null and (created_at at time zone 'UTC')::date
            > (now() at time zone 'UTC')::date - 30) as new_employees`
    const companies = await valueOf(page, 'Total companies')
    assert.equal(companies.value, number(found.companies))
    const grown = (by: number) => (by ? change(by, number(by)) : 'The same as 30 days ago')
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
    const hidden = await hiddenUse()
    const [main] = money
    assert.equal(main!.currency, 'EUR')
    const share = ({ used, came }: { used: number; came: number }) =>
      `${Math.round((1000 * used) / came) / 10}%`
    assert.equal((await valueOf(page, 'Funds managed')).value, euros(main!.came, true))
    assert.equal((await valueOf(page, 'Fund utilization, EUR')).value, share(main!))
    const table = page.getByRole('table', { name: 'Funds by currency' })
    const rows = await table.getByRole('row').allInnerTexts()
    assert.equal(rows.length, money.length + 1)
    for (const [at, sums] of money.entries()) {
      const text = rows[at + 1]!
      assert.ok(text.includes(sums.currency), text)
      const told = hidden.has(sums.currency) ? 'Not shown' : sums.came === 0 ? '–' : share(sums)
      assert.ok(text.includes(told), `${text}: ${told}`)
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
          and p.role = 'employee' and p.standing <> 'asking') as employees,
        (select coalesce(-sum(cents) filter (where kind = 'funding'), 0)::bigint from entry e
          join year y on y.company_id = e.company_id and y.starts_on = e.plan_year
          where e.company_id = c.id) as came,
        (select coalesce(sum(cents) filter (where kind in ('payable', 'paid')), 0)::bigint from entry e
          join year y on y.company_id = e.company_id and y.starts_on = e.plan_year
          where e.company_id = c.id) as used
      from companies c order by c.created_at desc limit 5`
    const hidden = await hiddenUse()
    const table = page.getByRole('table', { name: 'Recent companies' })
    const rows = await table.getByRole('row').allInnerTexts()
    assert.equal(rows.length, 6)
    const words: Record<string, string> = { active: 'Active', suspended: 'Suspended' }
    for (const [at, { id, name, status, employees, came, used }] of newest.entries()) {
      const text = rows[at + 1]!
      const use = hidden.has(id)
        ? 'Not shown'
        : came > 0
          ? `${Math.round((100 * used) / came)}%`
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
    test(`${names.join(', ')} stay within the width, light and dark`, async () => {
      const page = await enter(email)
      for (const name of names) {
        await page.goto(`/dashboard/${name}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const width of [360, 768, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            await settled(page)
            const wide = await page.evaluate(() => document.documentElement.scrollWidth)
            assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`)
            await picture(page, `${name}-of-${email.split('@')[0]}-${width}-${colorScheme}`)
          }
        }
      }
    })
  }
})
