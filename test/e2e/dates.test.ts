// Days in forms and above lists: typed as the page writes them or otherwise, or picked from a calendar.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import type { Person } from '../world/people.ts'
import { fits, violations } from './axe.ts'
import { fillDay, openedStage, phone, picture, wide } from './stage.ts'
import { until } from '../until.ts'

describe('days, in the browser', () => {
  const stage = openedStage()
  let company: FundedCompany
  let ana: Person
  before(async () => {
    company = await fundedCompany(stage.scene)
    ana = await company.hire('Ana')
  })

  const claiming = async (dress: BrowserContextOptions = wide) => {
    const page = await stage.enter(ana, '/dashboard/my-claims?new', dress)
    await field(page).waitFor()
    return page
  }
  const field = (page: Page) => page.getByRole('textbox', { name: 'Service date' })
  const bubble = (page: Page) => page.getByRole('dialog', { name: 'Calendar' })
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  const medium = (day: string, locale = 'en-GB') =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
  const full = (day: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))

  test('a day is typed in any common way, and stands as the page writes days', async () => {
    const page = await claiming()
    for (const text of ['2026-03-04', '4/3/2026', '4.3.26', '4 march 2026', '04032026']) {
      await fillDay(field(page), text)
      assert.equal(await field(page).inputValue(), '4 Mar 2026', text)
    }
    await fillDay(field(page), '4 foo')
    assert.equal(await field(page).inputValue(), '4 foo', 'what is no day stays, to be put right')
    await page.getByRole('button', { name: 'Submit claim' }).click()
    await page.getByText('Choose a date').first().waitFor()
    await page.context().close()
    const abroad = await claiming({ ...wide, locale: 'en-US' })
    await fillDay(field(abroad), '3/4/2026')
    assert.equal(await field(abroad).inputValue(), 'Mar 4, 2026')
    await abroad.context().close()
  })

  test('a day is picked by keyboard, in a grid that tells what can be had', async () => {
    const page = await claiming()
    const { today } = company
    const before = daysAfter(today, -1)
    await fillDay(field(page), before)
    await field(page).press('ArrowDown')
    await until(async () => (await focused(page)) === full(before), 'the typed day has the focus')
    const cell = (day: string) =>
      bubble(page).getByRole('gridcell', { name: full(day), exact: true })
    assert.equal(await cell(before).getAttribute('aria-selected'), 'true')
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const after = daysAfter(today, 1)
    assert.equal(await focused(page), full(after))
    assert.equal(await cell(after).getAttribute('aria-disabled'), 'true')
    await page.keyboard.press('Enter')
    assert.equal(await bubble(page).count(), 1, 'a day to come is no day of a service')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await bubble(page).waitFor({ state: 'detached' })
    assert.equal(await field(page).inputValue(), medium(today))
    const back = () => field(page).evaluate((input) => input === document.activeElement)
    await until(back, 'the field has the focus again')
    await page.context().close()
  })

  test('months and years are turned by Page keys and by buttons; Escape leaves all as it was', async () => {
    const page = await claiming()
    await fillDay(field(page), '31 Mar 2026')
    await page.getByRole('button', { name: 'Calendar' }).first().click()
    await until(async () => (await focused(page)) === full('2026-03-31'), 'the calendar is open')
    const press = async (key: string, day: string) => {
      await page.keyboard.press(key)
      assert.equal(await focused(page), full(day), key)
    }
    await press('PageUp', '2026-02-28')
    await press('Shift+PageUp', '2025-02-28')
    await press('PageDown', '2025-03-28')
    await press('Home', '2025-03-24')
    await press('End', '2025-03-30')
    await bubble(page).getByRole('button', { name: 'Next year' }).click()
    await bubble(page).getByText('March 2026').waitFor()
    await bubble(page).getByRole('button', { name: 'Previous month' }).click()
    await bubble(page).getByText('February 2026').waitFor()
    await page.keyboard.press('Escape')
    await bubble(page).waitFor({ state: 'detached' })
    assert.equal(await field(page).inputValue(), '31 Mar 2026')
    assert.ok(await field(page).isVisible(), 'the form stays open')
    await page.context().close()
  })

  test('on a phone in the dark the calendar fits, and a tap picks', async () => {
    const page = await claiming({ ...phone, colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Calendar' }).first().tap()
    const today = bubble(page).locator('[tabindex="0"]')
    await today.waitFor()
    await fits(page, 'the calendar')
    const box = (await bubble(page).boundingBox())!
    assert.ok(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box))
    await picture(page, 'calendar-360')
    await today.tap()
    await bubble(page).waitFor({ state: 'detached' })
    assert.notEqual(await field(page).inputValue(), '')
    await page.context().close()
  })

  test('above a list the day counts once it is typed whole; Back undoes it, nonsense is dropped', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/audit', wide)
    const from = page.getByRole('textbox', { name: 'From' })
    await from.fill('3 Mar 2026')
    assert.equal(new URL(page.url()).searchParams.get('from'), null)
    await from.press('Enter')
    await page.waitForURL(/from=2026-03-03/)
    await fillDay(from, 'nonsense')
    await until(async () => (await from.inputValue()) === '3 Mar 2026', 'the day is there again')
    await page.goBack()
    await until(async () => (await from.inputValue()) === '', 'the filter is gone')
    await page.context().close()
  })
})
