// A phone’s screen: its lists of claims, and Back.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { openedStage, phone, picture, untilSettled } from './stage.ts'

describe('on a phone', () => {
  const stage = openedStage()
  let company: FundedCompany
  before(async () => {
    company = await fundedCompany(stage.scene)
  })

  test('a claim says its category, its provider and for whom, on a line of its own', async () => {
    const ana = await company.hire('Ana')
    const { id: dependent_id } = await ana.api.dependents.add({
      full_name: 'Mia Costa',
      relationship: 'child',
      born_on: daysAfter(company.today, -3000),
      covered_from: company.plan_year,
    })
    const { id } = await company.claim(ana, {
      category: 'solidarity',
      dependent_id,
      amount_cents: 2000,
      provider: 'Harbour Clinic',
    })
    const fitsIn = async (row: Locator, most_px: number) => {
      const line = row.filter({ hasText: `#${id}` })
      for (const words of ['Solidarity', 'Harbour Clinic · for Mia Costa', 'Pending', '€20.00']) {
        await line.getByText(words).filter({ visible: true }).first().waitFor()
      }
      const box = await line.boundingBox()
      assert.ok(box && box.height < most_px, `it is ${box?.height} pixels high`)
    }
    const mine = await stage.enter(ana, '/dashboard/my-claims', phone)
    await fitsIn(mine.getByRole('row'), 100)
    await untilSettled(mine)
    await picture(mine, 'phone-my-claims')
    const hr = await stage.enter(company.company.admin, '/dashboard/claims', phone)
    await fitsIn(hr.getByRole('main').getByRole('listitem'), 175)
    await untilSettled(hr)
    await picture(hr, 'phone-claims')
  })

  const back = (page: Page) => page.evaluate(() => history.back())
  const gone = (dialog: Locator) => dialog.waitFor({ state: 'detached' })

  test('Back closes what is open, then leaves the page; Forward leads on', async () => {
    const ben = await company.hire('Ben')
    const page = await stage.enter(ben, '/dashboard/employee', phone)
    const menu = page.getByRole('dialog', { name: 'Menu' })
    const open_menu = page.getByRole('button', { name: 'Open menu' })
    await open_menu.click()
    await menu.waitFor()
    await back(page)
    await gone(menu)
    assert.equal(new URL(page.url()).pathname, '/dashboard/employee')
    await open_menu.click()
    await menu.getByRole('link', { name: 'My Claims' }).click()
    await page.getByRole('heading', { name: 'My Claims', level: 1 }).waitFor()
    const account = page.getByRole('dialog', { name: 'Add your bank account' })
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await account.getByLabel('Account holder').waitFor()
    await back(page)
    await gone(account)
    assert.equal(new URL(page.url()).pathname, '/dashboard/my-claims')
    // A sheet that the address opens is closed by its address; typed text is kept, as with Escape.
    const claim = page.getByRole('dialog', { name: 'Submit a claim' })
    await page.getByRole('link', { name: 'Submit New Claim' }).click()
    await claim.getByLabel('Provider').fill('Harbour Clinic')
    await back(page)
    await gone(claim)
    await page.evaluate(() => history.forward())
    await claim.waitFor()
    assert.equal(await claim.getByLabel('Provider').inputValue(), 'Harbour Clinic')
    await back(page)
    await gone(claim)
    await back(page)
    await page.waitForURL('**/dashboard/employee')
  })

  test('Back leads on where the page moved on before the browser had come back to it', async () => {
    const page = await stage.enter(await company.hire('Dan'), '/dashboard/employee', phone)
    const menu = page.getByRole('dialog', { name: 'Menu' })
    const open_menu = page.getByRole('button', { name: 'Open menu' })
    const goTo = async (name: string) => {
      await menu.getByRole('link', { name }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await open_menu.click()
    await goTo('My Claims')
    await open_menu.click()
    await menu.waitFor()
    await page.evaluate(() => {
      history.go = () => Reflect.deleteProperty(history, 'go')
    })
    await back(page)
    await page.waitForURL('**/dashboard/employee')
    await goTo('My Money')
    await back(page)
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/dashboard/employee')
  })

  test('Back out of the site opens nothing again that was closed', async () => {
    const eli = await company.hire('Eli')
    const { admin } = company.company
    const page = await stage.enter(admin, `/dashboard/employees?employee=${eli.id}`, phone)
    const sheet = page.getByRole('dialog', { name: 'Eli' })
    await sheet.getByRole('button', { name: 'Suspend' }).click()
    const asks = page.getByRole('dialog', { name: 'Suspend Eli?' })
    await asks.waitFor()
    for (const one of [asks, sheet]) {
      await back(page)
      await gone(one)
    }
    // A tab without any earlier page.
    await page.evaluate(() => {
      history.back = () => document.documentElement.setAttribute('data-left', '')
      history.go(-1)
    })
    await page.locator('html[data-left]').waitFor()
    await untilSettled(page)
    assert.equal(await sheet.count(), 0)
  })

  test('Back closes one after the other, and never what is shown only once', async () => {
    const { admin } = company.company
    const cem = await company.hire('Cem')
    const address = `/dashboard/employees?employee=${cem.id}`
    const page = await stage.enter(admin, '/dashboard/company-admin', phone)
    await page.goto(address)
    const sheet = page.getByRole('dialog', { name: 'Cem' })
    const asks = page.getByRole('dialog', { name: 'Suspend Cem?' })
    await sheet.getByRole('button', { name: 'Suspend' }).click()
    await asks.waitFor()
    await back(page)
    await gone(asks)
    await sheet.getByRole('button', { name: 'Suspend' }).waitFor()
    await back(page)
    await gone(sheet)
    await page.getByRole('button', { name: 'Add Employee' }).first().click()
    const add = page.getByRole('dialog', { name: 'Add Employee' })
    const field = (name: string) => add.getByLabel(name, { exact: true })
    await field('Full Name').fill('Dora Weber')
    await field('Email').fill(`dora.weber@${company.company.domain}`)
    await field('Department').fill('Sales')
    await add.getByRole('button', { name: 'Add Employee' }).click()
    await add.getByText('Initial password').waitFor()
    await back(page)
    await untilSettled(page)
    await add.getByText('Initial password').waitFor()
    assert.equal(new URL(page.url()).pathname, '/dashboard/employees')
  })
})
