// Claims opened from the lists, in every dress: the test of all pages knows no numbers.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { fundedCompany } from '../world/company.ts'
import { pharmacy, receiptPdf } from '../world/papers.ts'
import type { Person } from '../world/people.ts'
import { send } from '../world/receipts.ts'
import { withRights } from '../world/rights.ts'
import { contextOptions, dresses, checkPage } from './axe.ts'
import { openedStage, picture, showsText, untilSettled, wide } from './stage.ts'

const recentClaims = (page: Page) =>
  page.getByRole('region', { name: 'Recent claims', exact: true })

describe('an opened claim, the form, the desk and a payout', () => {
  const stage = openedStage({ worker: true })
  let theirs: (readonly [who: Person, places: readonly string[]])[]
  before(async () => {
    const company = await fundedCompany(stage.scene)
    const { admin } = company.company
    const mira = await company.admin('Mira')
    const ana = await company.hire('Ana')
    const pdf = await receiptPdf(['Harbour Clinic', 'Total: 90.00 EUR'], { pages: 2 })
    const file = new File([new Uint8Array(pdf)], 'invoice.pdf', { type: 'application/pdf' })
    const { id: receipt } = await ana.api.receipts.upload({ file_name: file.name }, { file })
    const opened = await company.claim(ana, { amount_cents: 9000, receipt_ids: [receipt] })
    const in_question = await company.claim(ana, { amount_cents: 7000 })
    const text = 'Who was it for?'
    await admin.api.review.ask({ id: in_question.id, version: in_question.version, text })
    const paid = await company.claim(ana, { amount_cents: 5000 })
    await mira.api.review.approve({ id: paid.id, version: paid.version })
    const days = { cut_off_on: company.today, pay_on: company.today }
    const run = await mira.api.payouts.make(days, { idempotency_key: 'one' })
    theirs = [
      [ana, [`/dashboard/my-claims/${opened.id}`, `/dashboard/my-claims/${in_question.id}`]],
      [ana, ['/dashboard/my-claims', '/dashboard/my-claims?new']],
      [admin, ['/dashboard/claims', `/dashboard/claims/${opened.id}`]],
      [admin, [`/dashboard/claims/payouts?payout=${run.id}`]],
    ]
  })

  test('a claim waits on both dashboards, and Review leads to it', async () => {
    const { scene } = stage
    const acme = await fundedCompany(scene)
    const ana = await acme.hire('Ana')
    const claim = await acme.claim(ana, { amount_cents: 12_000, category: 'treatment' })
    const hr = await stage.open(wide)
    await stage.signIn(hr, acme.company.admin.email)
    await showsText(hr, 'Pending claims')
    await showsText(hr, '€120 waiting')
    const recent = recentClaims(hr)
    await picture(hr, 'money-company-admin-claims')
    await recent.getByRole('button', { name: `Review claim #${claim.id}` }).click()
    await showsText(hr, 'Opening claim details...')
    await hr.waitForURL(`**/dashboard/claims/${claim.id}`)
    await hr.context().close()
    const theirs = await stage.open(wide)
    await stage.signIn(theirs, ana.email)
    await recentClaims(theirs).getByText('Pending').waitFor()
    await picture(theirs, 'money-employee-claims')
    await theirs.getByRole('button', { name: 'Submit New Claim' }).click()
    await theirs.waitForURL('**/dashboard/my-claims?new**')
    await theirs.context().close()
  })

  test('a phone’s list has three lines a claim; an entry of the statement leads to its claim', async () => {
    const [[ana], , [admin]] = theirs as [[Person], unknown, [Person]]
    const phone = await stage.enter(ana, '/dashboard/my-claims', {
      viewport: { width: 360, height: 780 },
    })
    const row = phone.getByRole('row').filter({ hasText: 'HR has a question' })
    await row.getByText('€70.00').waitFor()
    const box = await row.boundingBox()
    assert.ok(box && box.height < 100, `a row is ${box?.height} pixels high`)
    await row.locator('time').filter({ visible: true }).first().waitFor()
    await row.getByText('Pending').waitFor()
    await phone.context().close()
    const hr = await stage.enter(admin, '/dashboard/funds?tab=Statement')
    const link = hr.getByRole('link', { name: /^Claim #\d+$/ }).first()
    const name = await link.textContent()
    await link.click()
    await hr.waitForURL(`**/dashboard/claims/${name?.slice(1)}`)
    await hr.setViewportSize({ width: 360, height: 780 })
    await hr.goto('/dashboard/claims?status=all')
    const claims = hr.getByRole('link', { name: /claim #/ })
    await claims.first().waitFor()
    await untilSettled(hr)
    const days = hr.getByRole('main').locator('time').filter({ visible: true })
    assert.equal(await days.count(), await claims.count(), 'a day in each row')
    await hr.context().close()
  })

  test('a claim that is not there, or is somebody else’s, says so and leads on', async () => {
    const [[ana], , [admin]] = theirs as [[Person], unknown, [Person]]
    const mine = await stage.enter(ana, '/dashboard/my-claims/999999')
    await showsText(mine, 'You have no claim #999999')
    await mine.getByRole('link', { name: 'See your claims' }).click()
    await mine.waitForURL('**/dashboard/my-claims')
    await mine.context().close()
    const hr = await stage.enter(admin, '/dashboard/claims/999999')
    await showsText(hr, 'Your company has no claim #999999')
    await hr.getByRole('link', { name: 'See all claims' }).click()
    await hr.waitForURL('**/dashboard/claims')
    await hr.context().close()
  })

  test('restricted receipts are decided without, and opened for a reason that the employee reads', async () => {
    const company = await fundedCompany(stage.scene)
    const { admin } = company.company
    const eye = await withRights(stage.scene, company.company, 'reviewer', 'receipts')
    const settings = await stage.enter(admin, '/dashboard/settings#company')
    await settings.getByLabel('Reviewers decide without seeing receipts').click()
    await settings
      .getByRole('region', { name: 'Company' })
      .getByRole('button', { name: 'Save' })
      .click()
    await showsText(settings, 'Company saved')
    await picture(settings, 'receipts-restricted-settings')
    const ana = await company.hire('Ana')
    const { id: receipt } = await send(ana, Buffer.from(await receiptPdf(pharmacy)), 'bill.pdf')
    const { id } = await company.claim(ana, { amount_cents: 8000, receipt_ids: [receipt] })

    const plain = await stage.enter(admin, `/dashboard/claims/${id}`)
    await showsText(plain, 'The receipt is restricted')
    assert.equal(await plain.getByLabel('Why do you need to see it?').count(), 0)
    await untilSettled(plain)
    await picture(plain, 'receipts-restricted-plain')

    const page = await stage.enter(eye, `/dashboard/claims/${id}`)
    await page.getByLabel('Why do you need to see it?').fill('It')
    await page.getByRole('button', { name: 'Open receipt' }).click()
    await showsText(page, 'Say why in at least 3 characters')
    await page.getByLabel('Why do you need to see it?').fill('The date could not be read')
    await untilSettled(page)
    await picture(page, 'receipts-restricted-reason')
    await page.getByRole('button', { name: 'Open receipt' }).click()
    await page.getByAltText('bill.pdf, page 1').waitFor()
    await picture(page, 'receipts-restricted-opened')

    const theirs = await stage.enter(ana, `/dashboard/my-claims/${id}`, {
      viewport: { width: 360, height: 780 },
    })
    await showsText(theirs, 'Restricted: HR decides without seeing it')
    await showsText(theirs, 'Reason given: The date could not be read')
    await untilSettled(theirs)
    await picture(theirs, 'receipts-restricted-own')
  })

  for (const dress of dresses) {
    const { width, colorScheme } = dress
    test(`${width} wide, ${colorScheme}`, async () => {
      for (const [who, places] of theirs) {
        const page = await stage.open({ ...wide, ...contextOptions(dress) })
        await stage.signIn(page, who.email)
        for (const path of places) {
          await page.goto(path)
          await page.locator('h1').first().waitFor()
          const name = path.replace('/dashboard/', '').replace(/\W+/g, '-').replace(/\d+/, 'one')
          await checkPage(page, `${name}-${width}-${colorScheme}`, path)
        }
        await page.context().close()
      }
    })
  }
})
