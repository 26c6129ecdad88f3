// Every figure of the company admin’s dashboard, in the demo world, beside what the rows themselves add up to.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sql } from '#lib/db.server.ts'
import { change, entries, euros, number, openedDemo, section, valueOf, years } from './demo.ts'
import { untilSettled } from './stage.ts'

const demo = openedDemo()
let sql: Sql
before(async () => {
  sql = demo.sql
})

describe('the company admin’s dashboard', () => {
  let page: Page
  let company_id: string
  before(async () => {
    page = await demo.enter('helena@aurora.example')
    const [helena] = await sql<[{ company_id: string }]>`
      select p.company_id from profiles p join auth.users u on u.id = p.id
      where u.email = 'helena@aurora.example'`
    company_id = helena.company_id
    await page.getByText('Top types').waitFor()
    await page.getByRole('table', { name: 'Used by month and category' }).waitFor()
    await untilSettled(page)
  })

  test('employees, balance, utilization and pending claims', async () => {
    const [people] = await sql<[{ now: number; before: number }]>`
      select (count(*) filter (where p.account_state <> 'left'))::int as now,
        (count(*) filter (where (p.created_at at time zone 'UTC')::date <= d.day
          and (not p.has_left or p.left_on >= d.day)))::int as before
      from profiles p
        cross join lateral (select (now() at time zone 'UTC')::date - 30 as day) d
      where p.company_id = ${company_id} and p.role = 'employee'
        and p.account_state <> 'requested'`
    const employees = await valueOf(page, 'Employees')
    assert.equal(employees.value, number(people.now))
    const grown = people.now - people.before
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
    const balance = await valueOf(page, 'Fund balance')
    assert.equal(balance.value, euros(money.came - money.used))
    const moved = money.came - money.used - (money.came_before - money.used_before)
    assert.equal(
      balance.note,
      moved ? change(moved, euros(Math.abs(moved))) : 'no change in 30 days',
    )
    const utilization = await valueOf(page, 'Utilization')
    const percent = Math.floor((100 * money.used) / money.came)
    assert.equal(utilization.value, `${percent}%`)
    const points = percent - Math.floor((100 * money.used_before) / money.came_before)
    const moved_by = points ? (points > 0 ? '+' : '−') + Math.abs(points) : 'no change'
    assert.ok(utilization.note!.startsWith(`of contributions, ${moved_by}`), utilization.note)

    const [pending] = await sql<[{ claims: number; cents: number; overdue: number }]>`
      select count(*)::int as claims, sum(amount_cents)::bigint as cents,
        (count(*) filter (where due_at < now()))::int as overdue
      from claims where company_id = ${company_id} and status = 'pending'`
    const waiting = await valueOf(page, 'Pending claims')
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
    const text = await section(page, 'Fund allocation').innerText()
    const forecast = await section(page, 'Forecast').innerText()
    const found = await funds()
    assert.equal(found.length, 3)
    const high: string[] = []
    for (const { category, allocated, used, whole, gone } of found) {
      const name = category[0]!.toUpperCase() + category.slice(1)
      const percent = Math.floor((100 * used) / allocated)
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
    for (const sentence of high) {
      const way_out = page.getByText(sentence).getByRole('link', { name: 'Rebalance' })
      assert.equal(await way_out.getAttribute('href'), '/dashboard/funds?open=rebalance')
    }
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
    const unallocated = page.getByText(/ is unallocated\./)
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
    let count = 0
    for (const row of rows.slice(1)) {
      const [month, ...cells] = (await row.innerText()).split('\t')
      for (const [at, category] of ['prevention', 'treatment', 'solidarity'].entries()) {
        const cents = found.find((f) => f.month === month && f.category === category)?.cents ?? 0
        assert.equal(cells[at], euros(cents), `${month} ${category}`)
        if (cents) count += 1
      }
    }
    assert.ok(count > 12)
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
      where c.company_id = ${company_id} and c.appeal_of is null
      group by t.id, t.name order by claims desc`
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
