// The main acts by the keyboard alone: nothing here is clicked, filled or focused by any other means.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { fundedCompany } from '../world/company.ts'
import { password, type Person } from '../world/people.ts'
import { openedStage, untilSettled } from './stage.ts'

const wide: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, locale: 'en-GB' }
const most_stops = 80

/** The name that a screen reader gives to the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null
    const label = at?.labels?.[0]?.textContent
    return (at?.getAttribute('aria-label') ?? label ?? at?.textContent ?? '').trim()
  })

/** Tab after Tab, as far as it takes. */
async function tabTo(page: Page, name: RegExp) {
  const passed: string[] = []
  for (let stops = 0; stops < most_stops; stops += 1) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (name.test(at)) return
    passed.push(at.slice(0, 40))
  }
  assert.fail(`No stop is called ${name}: ${passed.join(' | ')}`)
}

const stands = (page: Page, name: RegExp) =>
  page.waitForFunction((source) => {
    const at = document.activeElement
    return new RegExp(source).test((at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim())
  }, name.source)

const gone = (page: Page, role: 'dialog' | 'menu') =>
  page.getByRole(role).waitFor({ state: 'detached' })

/** Whether whoever looks can see where the keyboard stands. */
const isSeen = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at || at === document.body) return true // between the last stop and the first
    const outlined = (style: CSSStyleDeclaration) =>
      style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1
    const around = at.closest('label') ?? at
    return (
      outlined(getComputedStyle(at)) ||
      outlined(getComputedStyle(at, '::after')) ||
      outlined(getComputedStyle(around)) ||
      getComputedStyle(at).boxShadow !== 'none'
    )
  })

describe('by keyboard alone', () => {
  const stage = openedStage()

  const showsText = (page: Page, text: string | RegExp) =>
    page.getByText(text).filter({ visible: true }).first().waitFor()

  async function enter(who: Person, home: string, dress = wide) {
    const page = await stage.open({ ...dress, reducedMotion: 'reduce' })
    await page.goto('/auth/login')
    await page.getByRole('heading', { name: 'Sign In' }).waitFor()
    await tabTo(page, /^Email/)
    await page.keyboard.type(who.email)
    await tabTo(page, /^Password/)
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/dashboard/${home}`)
    await page.locator('h1').first().waitFor()
    await untilSettled(page)
    return page
  }

  test('one signs in, skips to the content, and goes to a page of the menu', async () => {
    const { admin } = await stage.scene.company()
    const page = await enter(admin, 'company-admin')
    await page.reload()
    await page.locator('h1').first().waitFor()
    await untilSettled(page)
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN')
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null))
    await page.reload()
    await page.locator('h1').first().waitFor()
    await untilSettled(page)
    await tabTo(page, /^Employees$/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/employees')
  })

  test('the way from the address to the button leads through the password first', async () => {
    const page = await stage.open({ ...wide, reducedMotion: 'reduce' })
    await page.goto('/auth/login')
    await page.getByRole('heading', { name: 'Sign In' }).waitFor()
    await page.getByLabel('Email').focus()
    const stops: string[] = []
    for (let stop = 0; stop < 3; stop += 1) {
      await page.keyboard.press('Tab')
      stops.push(await focused(page))
    }
    assert.deepEqual(stops, ['Password', 'Show password', 'Forgot password?'])
  })

  test('wherever the keyboard stands, one sees it', async () => {
    const company = await fundedCompany(stage.scene)
    await company.claim(await company.hire('Ana'), { amount_cents: 8000 })
    const page = await enter(company.company.admin, 'company-admin')
    for (const address of ['company-admin', 'employees', 'claims', 'funds', 'settings']) {
      await page.goto(`/dashboard/${address}`)
      await page.locator('h1').first().waitFor()
      await untilSettled(page)
      for (let stops = 0; stops < 30; stops += 1) {
        await page.keyboard.press('Tab')
        assert.ok(await isSeen(page), `${address}: ${await focused(page)}`)
      }
    }
  })

  test('a claim is submitted, and closing its form leads back to the list', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    const page = await enter(ana, 'employee')
    await tabTo(page, /^Submit New Claim$/)
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Submit a claim' })
    await form.getByLabel('Type').waitFor()
    await tabTo(page, /^Prevention/)
    await page.keyboard.press('Space')
    await tabTo(page, /^Type/)
    await page.keyboard.type('Fit')
    await tabTo(page, /^Service date/)
    const [year, month, day] = company.today.split('-')
    await page.keyboard.type(`${day}/${month}/${year}`)
    await tabTo(page, /^Provider/)
    await page.keyboard.type('City Pool')
    await tabTo(page, /^Bill total/)
    await page.keyboard.type('20')
    assert.equal(await form.getByLabel('Amount claimed').inputValue(), '20')
    await tabTo(page, /^Submit claim$/)
    await page.keyboard.press('Enter')
    await showsText(page, /Claim #\d+ submitted/)
    const { claims } = await ana.api.claims.mine({})
    assert.equal(claims[0]?.provider, 'City Pool')
    assert.equal(claims[0]?.service_on, company.today)
    await page.keyboard.press('Escape')
    await gone(page, 'dialog')
    await tabTo(page, new RegExp(`^#${claims[0]?.id}`))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/dashboard/my-claims/${claims[0]?.id}`)
  })

  test('a claim is decided in the queue with Tab and Enter, without any key to learn', async () => {
    const company = await fundedCompany(stage.scene)
    const one = await company.claim(await company.hire('Ana'), { amount_cents: 8000 })
    const two = await company.claim(await company.hire('Ben'), { amount_cents: 8000 })
    const page = await enter(company.company.admin, 'company-admin')
    await tabTo(page, /^Claims$/)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: `claim #${two.id}` }).waitFor()
    await tabTo(page, new RegExp(`^Reject claim #${one.id}$`))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: `Reject claim #${one.id}` }).waitFor()
    await page.keyboard.press('Escape')
    await gone(page, 'dialog')
    await stands(page, new RegExp(`^Reject claim #${one.id}$`))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Not')
    await tabTo(page, /^Reject$/)
    await page.keyboard.press('Enter')
    await showsText(page, `Claim #${one.id} rejected`)
    await gone(page, 'dialog')
    await tabTo(page, new RegExp(`^Approve claim #${two.id}$`))
    await page.keyboard.press('Enter')
    await showsText(page, `Claim #${two.id} approved`)
    assert.deepEqual(await company.faults(), [])
  })

  test('beside an open claim, a decision and a dialog that is closed leave it on a row', async () => {
    const company = await fundedCompany(stage.scene)
    const ids: number[] = []
    for (const name of ['Ana', 'Ben', 'Cem'])
      ids.push((await company.claim(await company.hire(name), { amount_cents: 8000 })).id)
    const [one, two, three] = ids
    const page = await enter(company.company.admin, 'company-admin')
    await page.goto(`/dashboard/claims/${one}`)
    const opened = async (id?: number) => {
      await page.getByRole('article', { name: `Claim #${id}` }).waitFor()
      await page.locator(`#claim-${id}`).waitFor()
      await untilSettled(page)
    }
    const standsAt = (id?: number) =>
      page.waitForFunction((at) => document.activeElement?.id === at, `claim-${id}`)
    await opened(one)
    await page.keyboard.press('a')
    await showsText(page, `Claim #${one} approved`)
    await opened(two)
    await page.locator(`#claim-${one}`).waitFor({ state: 'detached' })
    await standsAt(two)
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: `Reject claim #${two}` }).waitFor()
    await page.keyboard.press('Escape')
    await gone(page, 'dialog')
    await standsAt(two)
    await page.keyboard.press('j')
    await opened(three)
    await standsAt(three)
  })

  test('menus and panels give the focus back to what opened them', async () => {
    const company = await fundedCompany(stage.scene)
    await company.hire('Ana')
    const page = await enter(company.company.admin, 'company-admin')
    await tabTo(page, /your account$/)
    await page.keyboard.press('Enter')
    await page.getByRole('menu', { name: 'Your account' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await gone(page, 'menu')
    await stands(page, /your account$/)

    await page.goto('/dashboard/employees')
    await page.getByRole('button', { name: 'Ana' }).waitFor()
    await tabTo(page, /^Add Employee$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await gone(page, 'dialog')
    await stands(page, /^Add Employee$/)

    await tabTo(page, /^Status$/)
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await gone(page, 'menu')
    await stands(page, /^Status$/)

    await tabTo(page, /^(?!Select).*Ana/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await gone(page, 'dialog')
    await stands(page, /^(?!Select).*Ana/)
  })

  test('going back stands on the row that led away', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    for (const amount_cents of [4100, 4200]) await company.claim(ana, { amount_cents })
    const { claims } = await ana.api.claims.mine({})
    const page = await enter(ana, 'employee')
    await page.goto('/dashboard/my-claims')
    const row = new RegExp(`^#${claims[1]!.id} `)
    await page.getByRole('link', { name: row }).waitFor()
    await tabTo(page, row)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/my-claims/${claims[1]!.id}`)
    await page.goBack()
    await stands(page, row)
  })

  test('the menu of a small screen opens, closes and gives the focus back', async () => {
    const { admin } = await stage.scene.company()
    const page = await enter(admin, 'company-admin', {
      viewport: { width: 360, height: 740 },
      locale: 'en-GB',
    })
    await tabTo(page, /^Open menu$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    await page.keyboard.press('Escape')
    await gone(page, 'dialog')
    await stands(page, /^Open menu$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    await tabTo(page, /^Funds$/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/funds')
    await gone(page, 'dialog')
  })
})
