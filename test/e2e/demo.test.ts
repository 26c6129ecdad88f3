// The demo, as a visitor tries it: one press, and they stand on a dashboard with real figures.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openedDemo } from './demo.ts'
import { peopleAt } from '../world/people.ts'
import { picture, untilSettled, wide } from './stage.ts'

describe('the demo, in the browser', () => {
  const demo = openedDemo()

  /** Enters from the front page, as a visitor does. */
  async function enterAs(role: string, home: string): Promise<Page> {
    const page = await demo.open(wide)
    await page.goto('/')
    await page.getByRole('link', { name: 'View Demo' }).click()
    await page.getByRole('button', { name: `Enter as ${role}`, exact: true }).click()
    await page.waitForURL(`**/dashboard/${home}`)
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await untilSettled(page)
    await picture(page, `demo-${home}`)
    return page
  }

  /** The big figure under a label, once it is drawn. */
  const figure = async (page: Page, label: string): Promise<string> => {
    const drawn = await page.waitForFunction((name) => {
      const found = [...document.querySelectorAll('main p')].find(
        ({ textContent }) => textContent?.trim() === name,
      )
      return found?.closest('div:has(> p.figures)')?.querySelector('p.figures')?.textContent
    }, label)
    return (await drawn.jsonValue()) ?? ''
  }

  test('one press enters as the provider, whose figures are those of twelve companies', async () => {
    const page = await enterAs('Super Admin', 'super-admin')
    assert.equal(await figure(page, 'Total companies'), '12')
    const [{ count }] = await demo.sql<[{ count: number }]>`
      select count(*)::int as count from profiles
      where role = 'employee' and status = 'active' and company_id is not null`
    const shown = Number((await figure(page, 'Total employees')).replaceAll(/\D/g, ''))
    assert.ok(shown > 700 && Math.abs(shown - count) < 60, `${shown} of ${count}`)
    assert.match(await figure(page, 'Funds managed, EUR'), /^€[\d,]{7,}$/)
    await page.getByRole('cell', { name: /Kestrel Aviation/ }).waitFor()
  })

  test('one press enters as HR of Aurora, with claims that wait', async () => {
    const page = await enterAs('Company Admin', 'company-admin')
    const employees = Number(await figure(page, 'Employees'))
    assert.ok(employees >= 300, `${employees}`)
    assert.match(await figure(page, 'Fund balance'), /^€[\d,]{7,}\.\d\d$/)
    const pending = Number(await figure(page, 'Pending claims'))
    const [{ count }] = await demo.sql<[{ count: number }]>`
      select count(*)::int as count from claims k join companies c on c.id = k.company_id
      where c.domain = 'aurora.example' and k.status = 'pending'`
    assert.equal(pending, count)
    assert.ok(pending > 0)
  })

  test('one press enters as an employee, whose balances are those of the ledger', async () => {
    const page = await enterAs('Employee', 'employee')
    for (const category of ['Prevention', 'Treatment', 'Solidarity'])
      await page.getByText(category, { exact: true }).first().waitFor()
    const people = peopleAt(demo.services, demo.sql)
    const jonas = await people.signIn('jonas@aurora.example', 'quiet-harbour-42')
    const { years } = await jonas.api.claims.options({})
    const main = await page.locator('main').innerText()
    for (const cents of Object.values(years.at(-1)!.available))
      assert.ok(main.includes(`€${(cents / 100).toFixed(2)}\nof €`), `${cents} in ${main}`)
    await page.getByText('Lena Keller').waitFor()
    await page.getByRole('link', { name: 'My Claims' }).click()
    await page.getByRole('row').nth(6).waitFor() // a year of claims
  })
})
