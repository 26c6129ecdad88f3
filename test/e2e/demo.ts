// A copy of the demo world in the browser, and what its rows add up to.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openServices } from '#services.server.ts'
import { sealAll } from '#funds/jobs.server.ts'
import { readConfig } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'
import { hiddenIn } from '#lib/suppress.ts'
import { demoDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { opened } from '../world/opened.ts'
import { inBrowser, untilSettled, withScreens } from './stage.ts'

async function openDemo() {
  const port = await freePort()
  const database = await demoDatabase()
  const env = {
    DATA_FOLDER: database.folder,
    LOG_LEVEL: 'fatal',
    DEMO: 'on',
    SITE_URL: `http://localhost:${port}`,
    PORT: String(port),
  }
  const services = await openServices(readConfig(env), database.url)
  await withScreens(services)
  const sql = services.sql.owner
  await sealAll(sql)
  const { open, faults, close } = await inBrowser(services, port)
  return {
    services,
    sql,
    open,
    async enter(email: string): Promise<Page> {
      const page = await open({ locale: 'en-US' })
      await page.goto('/auth/login')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('quiet-harbour-42')
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.waitForURL('**/dashboard/**')
      await untilSettled(page)
      return page
    },
    async close() {
      await close()
      await services.close()
      await database.drop()
      assert.deepEqual(faults, [])
    },
  }
}

export const openedDemo = () => opened(openDemo)

export const euros = (cents: number, whole = false) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'EUR',
    ...(whole ? { maximumFractionDigits: 0 } : {}),
  }).format(cents / 100)
export const number = (value: number) => value.toLocaleString('en-US')
export const change = (value: number, text: string) => `${value > 0 ? '+' : '−'}${text} in 30 days`

/** Every account that every transfer touched: by how much, on which day of its company. */
export const entries = (tx: Sql) => tx`
  select t.company_id, t.plan_year, a.kind, a.category, t.person_id,
    case when a.id = t.to_account then t.amount_cents else -t.amount_cents end as cents,
    (t.posted_at at time zone c.time_zone)::date as day
  from transfers t join companies c on c.id = t.company_id
  join accounts a on a.company_id = t.company_id and a.id in (t.from_account, t.to_account)`
export const years = (tx: Sql) => tx`
  select c.id as company_id, c.currency, c.time_zone, y.starts_on, y.ends_on,
    (now() at time zone c.time_zone)::date as today
  from companies c join plan_years y on y.company_id = c.id
    and (now() at time zone c.time_zone)::date between y.starts_on and y.ends_on`

/** The sums used by fewer than five people, and those that would give them away: companies and currencies. */
export async function hiddenUse(sql: Sql) {
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

export const valueOf = async (page: Page, label: string) => {
  const card = page.getByRole('main').getByText(label, { exact: true }).locator('../..')
  const [, value, note] = (await card.innerText()).split('\n').filter(Boolean)
  return { value, note }
}
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
