// Needs you in the browser: work finds its people live, and is done where it stands.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { iban, paidBefore, payingCompany } from '../world/payouts.ts'
import { password, type Person } from '../world/people.ts'
import { openedStage, picture, showsText, untilSettled, wide } from './stage.ts'

const needs = '/dashboard/needs-you'
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

describe('needs you', () => {
  const stage = openedStage()
  let paying: Awaited<ReturnType<typeof payingCompany>>
  let hr: Person
  let second: Person
  let ana: Person
  beforeEach(async () => {
    paying = await payingCompany(stage.scene)
    ;({ hr, second } = paying)
    await paidBefore(paying.acme)
    ana = await paying.acme.hire('Ana')
    await stage.scene.confirm(ana)
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban })
  })
  afterEach(() => stage.leave())

  /** The button of a line. */
  const act = (page: Page, name: string | RegExp) =>
    page.getByRole('main').getByRole('button', { name })
  const dialog = (page: Page) => page.getByRole('dialog').last()
  const focusOn = (page: Page, label: string) =>
    page.waitForFunction(
      (part) => document.activeElement?.getAttribute('aria-label')?.includes(part),
      label,
    )

  test('an admin sees at once who asks to join, looks, lets them in, and the next is at hand', async () => {
    const { company } = paying.acme
    await hr.api.companies.set_auto_registration({ enabled: false })
    const page = await stage.enter(hr, needs)
    await showsText(page, 'Nothing needs you')
    await picture(page, 'needs-you-nothing')
    const badge = page.getByRole('link', { name: /^Needs you/ })
    assert.equal(await badge.innerText(), 'Needs you')
    const { domain } = company
    await stage.scene.signUp(`emre@${domain}`, 'employee', { full_name: 'Emre Aydin' })
    await stage.scene.signUp(`mallory@${domain}`, 'company_admin', { full_name: 'Mallory Moss' })
    await showsText(page, 'A request to be a Company Admin')
    await page.getByRole('link', { name: 'Needs you 2' }).waitFor()
    await untilSettled(page)
    await picture(page, 'needs-you-some')
    await act(page, /Decide, .*Emre Aydin/).click()
    await showsText(page, `emre@${domain}`)
    await picture(page, 'needs-you-request')
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await showsText(page, 'Emre Aydin approved')
    await page.getByRole('link', { name: 'Needs you 1' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusOn(page, 'Mallory Moss')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await showsText(page, 'will be able to see every claim')
    await page.keyboard.press('Escape')
    await page.getByText('will be able to see every claim').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusOn(page, 'Mallory Moss')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Decline' }).click()
    await dialog(page).getByRole('button', { name: 'Decline' }).click()
    await showsText(page, 'Nothing needs you')
  })

  test('a claim is asked about, answered and approved where it stands, on a phone', async () => {
    const { id } = await paying.acme.claim(ana, { amount_cents: 6000 })
    const page = await stage.enter(hr, needs, phone)
    await act(page, `Review, Claim #${id} to review, Ana`).click()
    const sheet = page.getByRole('dialog', { name: `Claim #${id}` })
    await sheet.getByText('Policy checks').waitFor()
    await sheet.getByText('€60.00').first().waitFor()
    await untilSettled(page)
    await picture(page, 'needs-you-claim-phone')
    await sheet.getByRole('button', { name: 'Ask' }).click()
    await page.getByLabel('Your question to Ana').fill('For whom was it?')
    await dialog(page).getByRole('button', { name: 'Ask' }).click()
    await showsText(page, 'Nothing needs you')
    assert.equal(await page.getByRole('dialog').count(), 0)
    const theirs = await stage.enter(ana, needs, phone)
    await act(theirs, /^Answer/).click()
    await showsText(theirs, 'For whom was it?')
    await untilSettled(theirs)
    await picture(theirs, 'needs-you-question-phone')
    await theirs.getByLabel('Your answer').fill('For me')
    await theirs.getByRole('button', { name: 'Send answer' }).click()
    await showsText(theirs, 'Nothing needs you')
    await act(page, `Decide, Claim #${id} was answered, Ana`).click()
    await sheet.getByText('For me').first().waitFor()
    await sheet.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await showsText(page, `Claim #${id} approved`)
    await showsText(page, 'Nothing needs you')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await act(page, `Decide, Claim #${id} was answered, Ana`).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0, 'it comes back closed')
    await second.api.review.approve({ id, version: (await second.api.review.find({ id })).version })
    await showsText(page, 'Nothing needs you')
  })

  test('what another admin decides meanwhile stays open and says so', async () => {
    const { id, version } = await paying.acme.claim(ana, { amount_cents: 6100 })
    const page = await stage.enter(hr, needs)
    await act(page, new RegExp(`#${id}`)).click()
    const sheet = page.getByRole('dialog', { name: `Claim #${id}` })
    await sheet.getByText('Policy checks').waitFor()
    await second.api.review.reject({ id, version, reason: 'not_covered', text: 'A sauna' })
    await sheet.getByText(/Rejected by Second just now/).waitFor()
    await page.keyboard.press('Escape')
    await showsText(page, 'Nothing needs you')
  })

  test('a claim whose receipt says the same is approved at one press, which a second never meets', async () => {
    const made = []
    for (const amount_cents of [6200, 6300])
      made.push(await paying.acme.agreeing(ana, { amount_cents }))
    const page = await stage.enter(hr, '/dashboard/company-admin')
    const [first, next] = made
    await act(page, `Approve claim #${first!.id} of Ana`).dblclick()
    await showsText(page, 'Done')
    await page.getByText('Done', { exact: true }).waitFor({ state: 'detached' })
    await act(page, `Approve claim #${next!.id} of Ana`).waitFor()
    await focusOn(page, `Review, Claim #${next!.id}`)
  })

  test('a payout is looked at and released, and its bank file is at hand there', async () => {
    const { id, version } = await paying.acme.claim(ana, { amount_cents: 5000 })
    await hr.api.review.approve({ id, version })
    const run = await paying.make()
    const page = await stage.enter(second, needs)
    await act(page, `Release, Payout ${run.id} to release`).click()
    const sheet = page.getByRole('dialog', { name: `Payout ${run.id}` })
    await sheet.getByRole('button', { name: 'Release' }).click()
    await dialog(page).getByRole('button', { name: 'Release' }).click()
    await showsText(page, `Payout ${run.id} released`)
    await sheet.getByRole('button', { name: 'Bank file (SEPA)' }).waitFor()
    await page.keyboard.press('Escape')
    await showsText(page, 'Nothing needs you')
  })

  test('whoever is to be paid adds their account, where they are told that it is missing', async () => {
    const ben = await paying.acme.hire('Ben')
    await paying.acme.agreeing(ben, { amount_cents: 4000 })
    const page = await stage.enter(ben, '/dashboard/employee', phone)
    await act(page, /^Add account/).click()
    await dialog(page).getByLabel('Account holder').fill('Ben')
    await dialog(page).getByLabel('IBAN').fill(iban)
    await dialog(page).getByLabel('Your password', { exact: true }).fill(password)
    await picture(page, 'needs-you-account-phone')
    await dialog(page).getByRole('button', { name: 'Save account' }).click()
    await showsText(page, 'Bank account saved')
    await showsText(page, 'Nothing needs you')
  })

  test('the provider sees who founded a company and activates it from their dashboard', async () => {
    const boss = await stage.scene.superAdmin()
    const young = await stage.scene.company({ name: 'Young Works', status: 'pending' })
    const founder = await stage.enter(young.admin, '/dashboard/company-admin')
    await showsText(
      founder,
      'The provider has not activated your company yet: it can’t receive money',
    )
    await act(founder, /^Add employees/).click()
    await dialog(founder).getByText('Bulk Upload').waitFor()
    await founder.keyboard.press('Escape')
    const page = await stage.enter(boss, '/dashboard/super-admin')
    await act(page, /^Activate, .*Young Works/).click()
    await dialog(page).getByText(young.admin.email).waitFor()
    await untilSettled(page)
    await picture(page, 'needs-you-company')
    await dialog(page).getByRole('button', { name: 'Activate' }).click()
    await showsText(page, 'Young Works activated')
    await founder.getByText('The provider has not activated').waitFor({ state: 'detached' })
  })

  test('what happens while a page asks for the first time is on it all the same', async () => {
    await hr.api.companies.set_auto_registration({ enabled: false })
    const page = await stage.open(wide)
    const [read, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const before_it = async (route: Route) => {
      const response = await route.fetch()
      read.resolve()
      await late.promise
      await route.fulfill({ response })
    }
    await page.route(/\/api\/.*needs/, before_it, { times: 1 })
    await stage.signIn(page, hr.email, needs)
    await read.promise
    const latest = /notifications.*limit(=|%3D)8/
    const refetch = page.waitForResponse(latest)
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await (await refetch).finished()
    const again = page.waitForRequest(latest)
    await stage.scene.signUp(`late@${paying.acme.company.domain}`, 'employee', { full_name: 'Lea' })
    await again
    late.resolve()
    await act(page, /Decide, .*Lea/).waitFor()
  })
})
