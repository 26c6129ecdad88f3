// Failures in the browser: each is shown in its own place, everything around it stays, and it can be tried again.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { openStage, showsText, untilSettled, type E2e } from './stage.ts'

const title = 'Too many requests. Please wait a moment and try again'
const busy = { status: 429, json: { code: 'too_many_requests', title, status: 429 } }

describe('a failure', () => {
  let stage: E2e
  let company: FundedCompany
  before(async () => {
    stage = await openStage()
    company = await fundedCompany(stage.scene)
  })
  afterEach(() => stage.leave())
  after(async () => {
    stage.faults.length = 0 // answers were refused, and lines cut
    await stage.close()
  })

  /** Refuses requests until the returned function is called. */
  async function refuse(page: Page, where: RegExp, method = 'GET') {
    let times = 0
    await page.route(where, (route) => {
      if (route.request().method() !== method) return route.fallback()
      times += 1
      return route.fulfill(busy)
    })
    return { times: () => times, end: () => page.unroute(where) }
  }

  test('of a page leaves the menu, and Retry brings the page', async () => {
    const page = await stage.enter(await company.hire('Ana'), '/dashboard/employee')
    await untilSettled(page)
    const refused = await refuse(page, /api\/(claims\/mine|together)/)
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'My Claims' }).click()
    await showsText(page, 'This could not be loaded')
    await refused.end()
    await menu.getByRole('link', { name: 'My Money' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const again = await refuse(page, /api\/(claims\/mine|together)/)
    await menu.getByRole('link', { name: 'My Claims' }).click()
    await showsText(page, title)
    await again.end()
    await page.getByRole('button', { name: 'Retry' }).first().click()
    await page.getByRole('heading', { name: 'My Claims', level: 1 }).waitFor()
  })

  test('of the page itself is not taken for the service’s', async () => {
    const page = await stage.enter(await company.hire('Bea'), '/dashboard/my-claims')
    await untilSettled(page)
    await page.evaluate(() => {
      const format = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format')!
      const broken = { ...format, get: () => JSON.parse('{').format as never }
      Object.defineProperty(Intl.NumberFormat.prototype, 'format', broken)
    })
    await page.getByRole('link', { name: 'My Money' }).click()
    await showsText(page, 'This part of the page stopped working')
    await page.reload()
    await page.getByRole('heading', { name: 'My Money', level: 1 }).waitFor()
    await untilSettled(page)
    assert.equal(await page.getByText('stopped working').count(), 0)
  })

  test('to read the limits is said where My Money would say a sum, and none is said before', async () => {
    const acme = await fundedCompany(stage.scene)
    const ana = await acme.hire('Ana')
    await acme.company.admin.api.limits.add({
      kind: 'per_year',
      category: null,
      type_id: null,
      group_id: null,
      cents: 20_000,
    })
    const page = await stage.enter(ana, '/dashboard/employee')
    await untilSettled(page)
    // Each question alone, and that for the limits unanswered until it is refused.
    await page.route(/api\/together/, (route) => route.fulfill({ status: 404, json: {} }))
    const first_request = Promise.withResolvers<void>()
    const refused = Promise.withResolvers<void>()
    await page.route(/api\/claims\/options/, async (route) => {
      first_request.resolve()
      await refused.promise
      await route.fulfill(busy)
    })
    await page.goto('/dashboard/my-money')
    await first_request.promise
    const card = page.getByRole('region', { name: 'You can claim' })
    await page.getByRole('table', { name: 'By category' }).getByText('€1,000.00').first().waitFor()
    assert.doesNotMatch(await card.innerText(), /€/, 'the balances are more than can be claimed')
    refused.resolve()
    await card.getByText(title).waitFor()
    assert.doesNotMatch(await card.innerText(), /€/)
    await page.unroute(/api\/claims\/options/)
    await card.getByRole('button', { name: 'Retry' }).click()
    await card.getByText('€200.00', { exact: true }).waitFor()
  })

  test('of a list’s next rows is told once, and they come when asked for', async () => {
    const ben = await company.hire('Ben')
    for (let at = 0; at < 21; at += 1) await company.claim(ben, { amount_cents: 100 + at })
    const page = await stage.enter(ben, '/dashboard/employee')
    await untilSettled(page)
    const refused = await refuse(page, /after=/)
    await page.getByRole('link', { name: 'My Claims' }).first().click()
    const again = page.getByRole('button', { name: 'Try again' })
    await showsText(page, '20 of 21')
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await again.waitFor()
    await untilSettled(page)
    assert.equal(refused.times(), 1)
    await refused.end()
    await again.click()
    await showsText(page, '21 of 21')
    await again.waitFor({ state: 'detached' })
  })

  test('of a question asked while a claim is typed leaves the form', async () => {
    const page = await stage.enter(await company.hire('Cem'), '/dashboard/my-claims?new')
    const form = page.getByRole('dialog')
    await refuse(page, /api\/claims\/check/, 'POST')
    const checked = page.waitForResponse(/api\/claims\/check/)
    await form.getByText('Treatment', { exact: true }).click()
    await checked
    await untilSettled(page)
    await form.getByLabel('Provider').fill('Harbour Clinic')
  })

  test('to find a draft’s receipt leaves the form, without that receipt', async () => {
    const page = await stage.enter(await company.hire('Dora'), '/dashboard/my-claims?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Provider').fill('Harbour Clinic')
    await page.evaluate((id) => {
      const receipt_ids = [id, '']
      for (const [name, draft] of Object.entries(sessionStorage))
        sessionStorage.setItem(name, JSON.stringify({ ...JSON.parse(draft), receipt_ids }))
    }, crypto.randomUUID())
    await page.reload()
    await showsText(page, 'A receipt you had added is no longer there')
    assert.equal(await form.getByLabel('Provider').inputValue(), 'Harbour Clinic')
    assert.equal(await form.getByRole('button', { name: /^Remove/ }).count(), 0)
  })

  test('to find one person leaves the list behind their sheet', async () => {
    const { admin } = company.company
    const nobody = crypto.randomUUID()
    const page = await stage.enter(admin, `/dashboard/employees?employee=${nobody}`)
    await page.getByRole('dialog').getByText('There is nothing here').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('table', { name: 'Employees' }).waitFor()
  })

  test('to find the thing of an address leaves a page with its heading', async () => {
    const heads = async (page: Page, path: string, title: string) => {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    const provider = await stage.scene.superAdmin()
    const page = await stage.enter(provider, '/dashboard/companies')
    await heads(page, '/dashboard/companies/nonsense', 'Page not found')
    await heads(page, `/dashboard/companies/${crypto.randomUUID()}`, 'Page not found')
  })

  test('of a switch is told, and the switch goes back', async () => {
    const page = await stage.enter(await company.hire('Eli'), '/dashboard/settings')
    const tips = page.getByRole('switch', { name: 'Health tips and reminders' })
    await tips.waitFor()
    const was = await tips.getAttribute('aria-checked')
    await refuse(page, /api\/settings/, 'PATCH')
    await refuse(page, /api\/settings/, 'PUT')
    await tips.click()
    await showsText(page, title)
    assert.equal(await tips.getAttribute('aria-checked'), was)
  })

  test('of one act is not shown where the next one is asked about', async () => {
    const other = await stage.scene.company()
    const { domains } = other.admin.api
    for (const domain of ['acme-east.test', 'acme-west.test']) await domains.request({ domain })
    await stage.scene.sql`update companies set domain_proven_at = null, domain_auto_register = false
      where id = ${other.id}`
    const page = await stage.enter(other.admin, '/dashboard/connections')
    const first = page.getByRole('button', { name: `Verify ${other.domain}` })
    const claims = await refuse(page, /api\/connections\/domains$/, 'POST')
    await first.click()
    await showsText(page, title)
    await claims.end()
    await first.click()
    await page.getByRole('dialog', { name: `Verify ${other.domain}` }).waitFor()
    await showsText(page, 'By a DNS record')
    await page.keyboard.press('Escape')
    const dialog = page.getByRole('dialog')
    const removals = await refuse(page, /api\/connections\/domains\//, 'DELETE')
    await page.getByRole('button', { name: 'Remove acme-east.test' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText(title).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await removals.end()
    await page.getByRole('button', { name: 'Remove acme-west.test' }).click()
    await page.getByRole('dialog', { name: 'Remove acme-west.test?' }).waitFor()
    assert.equal(await dialog.getByText(title).count(), 0)
  })

  test('to fetch what opens at a press leaves the page; the next press opens it', async () => {
    const page = await stage.enter(await company.hire('Finn'), '/dashboard/my-claims')
    await untilSettled(page)
    await page.context().setOffline(true)
    const bell = page.getByRole('button', { name: 'Notifications' })
    await bell.click()
    await showsText(page, 'Try again once you’re back online')
    await page.getByRole('heading', { name: 'My Claims', level: 1 }).waitFor()
    await page.getByRole('button', { name: /your account/ }).click()
    await page.getByRole('button', { name: /^Find/ }).click()
    await page.context().setOffline(false)
    await bell.click()
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor()
  })
})
