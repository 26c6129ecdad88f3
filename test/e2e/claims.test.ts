// Claims as people meet them, in a real browser: from a photo of a receipt to money back.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany } from '../world/company.ts'
import { receiptPdf, receiptPhoto, three_megapixels } from '../world/papers.ts'
import { fits } from './axe.ts'
import {
  cutOnce,
  dayShown,
  showsOnceFinal,
  openedStage,
  phone,
  picture,
  showsText,
} from './stage.ts'

describe('claims, in the browser', () => {
  const stage = openedStage({ worker: true })
  afterEach(() => stage.leave())

  const dotted = (day: string) => day.split('-').toReversed().join('.')
  const form = (page: Page) => page.getByRole('dialog', { name: 'Submit a claim' })
  const send = (page: Page) => form(page).getByRole('button', { name: 'Submit claim' })
  const choose = async (page: Page, category: string, type: string) => {
    await form(page).getByText(category, { exact: true }).click()
    await form(page).getByLabel('Type').selectOption({ label: type })
  }

  test('a photo from a phone is read, fits the policy, and is approved right away', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana Costa')
    const day = daysAfter(company.today, -2)
    const lines = ['City Pharmacy', 'Receipt 4511', '', `Date: ${dotted(day)}`, '', 'Screening']
    const receipt = [...lines, '', 'TOTAL            EUR   46.40', 'Thank you!']
    const photo = await receiptPhoto(receipt, three_megapixels)
    const page = await stage.enter(ana, '/dashboard/my-claims', phone)
    await page.getByRole('link', { name: 'Submit New Claim' }).click()
    const file = { name: 'IMG_2044.jpg', mimeType: 'image/jpeg', buffer: photo }
    await form(page).getByLabel('Choose files').setInputFiles(file)
    await choose(page, 'Prevention', 'Screening')
    await form(page).getByText('read from your receipt').first().waitFor({ timeout: 60_000 })
    assert.equal(await form(page).getByLabel('Bill total').inputValue(), '46.40')
    assert.equal(await form(page).getByLabel('Amount claimed').inputValue(), '46.40')
    assert.equal(await dayShown(form(page).getByLabel('Service date')), day)
    await form(page).getByLabel('Provider').fill('City Pharmacy')
    await showsText(page, 'Will be approved right away')
    await picture(page, 'claims-new-360')
    await send(page).click()
    await showsText(page, /Claim #\d+ approved/)
    await picture(page, 'claims-done-360')
    await page.getByRole('link', { name: 'See the claim' }).click()
    await showsText(page, '€46.40 of €46.40 approved')
    await showsText(page, 'Approved by the policy')
    await showsText(page, 'Automatic approval limit')
    await page.getByRole('button', { name: 'Look at IMG_2044.jpg' }).click()
    await page.getByRole('img', { name: 'IMG_2044.jpg, page 1' }).waitFor()
    await fits(page, 'the claim')
    assert.deepEqual(await company.faults(), [])
  })

  test('a PDF above the amount for one needs two admins, is approved in part, and all screens move', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana Costa')
    const mira = await company.admin('Mira Sol')
    const day = daysAfter(company.today, -5)
    const pdf = await receiptPdf(['Harbour Clinic', `Date: ${dotted(day)}`, 'Total: 420.00 EUR'])
    const queue = await stage.enter(company.company.admin, '/dashboard/claims')
    await showsText(queue, 'No claims yet')

    const page = await stage.enter(ana, '/dashboard/my-claims')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose receipt' }).click(),
    ])
    await chooser.setFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer: pdf })
    await choose(page, 'Treatment', 'Physiotherapy')
    const read = form(page).getByText('read from your receipt').first()
    await read.waitFor({ timeout: 60_000 })
    await form(page).getByRole('button', { name: 'Remove invoice.pdf' }).click()
    await read.waitFor({ state: 'detached' })
    assert.equal(await form(page).getByLabel('Service date').inputValue(), '')
    const again = { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: pdf }
    await form(page).getByLabel('Choose files').setInputFiles(again)
    await read.waitFor({ timeout: 60_000 })
    await showsText(page, 'More than one HR reviewer will check it')
    await picture(page, 'claims-new-1440')
    await send(page).click()
    await showsText(page, /Claim #\d+ submitted/)
    const id = (await ana.api.claims.mine({})).claims[0]!.id
    await page.getByRole('link', { name: 'See the claim' }).click()
    await showsText(page, 'Waiting for HR, approval 1 of 2')

    await queue.getByRole('link', { name: `Ana Costa claim #${id}` }).click()
    await queue.waitForURL(`**/dashboard/claims/${id}`)
    await queue.getByRole('img', { name: 'invoice.pdf, page 1' }).waitFor()
    await picture(queue, 'claims-desk-1440')
    await queue.getByRole('button', { name: 'Approve part' }).click()
    await queue.getByLabel('Approve', { exact: true }).fill('400')
    await queue.getByRole('button', { name: 'Approve part', exact: true }).click()
    await showsText(queue, 'Explain why in one sentence')
    await queue.getByLabel('Reason').fill('The taping is not covered')
    await queue.getByRole('button', { name: 'Approve part', exact: true }).click()
    await showsText(queue, `Your approval of claim #${id} counts. Mira Sol decides next`)
    await showsText(queue, 'You approved it')
    await queue.getByRole('link', { name: `Ana Costa claim #${id}` }).click()
    await showsText(
      queue,
      'You approved this. Somebody else must approve it too. Decides next: Mira Sol',
    )
    await showsOnceFinal(stage, page, 'Waiting for HR, approval 2 of 2')

    const second = await stage.enter(mira, `/dashboard/claims/${id}`)
    await showsText(second, 'The taping is not covered')
    await second.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await showsText(second, `Claim #${id} approved`)
    await showsOnceFinal(stage, page, 'HR: “The taping is not covered”')
    await showsText(page, /Opened by/)
    assert.deepEqual(await company.faults(), [])
  })

  test('what is rejected is appealed, decided by another admin, and overturned', async () => {
    const company = await fundedCompany(stage.scene)
    const ben = await company.hire('Ben Okafor')
    const mira = await company.admin('Mira Sol')
    const { id } = await company.claim(ben, { category: 'treatment', amount_cents: 9000 })
    const first = await stage.enter(company.company.admin, '/dashboard/claims')
    const page = await stage.enter(ben, `/dashboard/my-claims/${id}`)
    await showsText(page, 'Waiting for HR')

    await first.getByRole('button', { name: `Reject claim #${id}` }).click()
    await first.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await showsText(first, 'Choose a reason')
    await first.getByLabel('Reason').selectOption({ label: 'Receipt unreadable' })
    await first.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await showsText(first, `Claim #${id} rejected`)

    await showsOnceFinal(stage, page, 'Rejected: Receipt unreadable')
    await page.getByRole('button', { name: 'Appeal' }).click()
    await page.getByLabel('Why should it be decided differently?').fill('The original is attached')
    await page.getByRole('button', { name: 'Send appeal' }).click()
    await showsText(page, `Your appeal for claim #${id} is with HR`)
    await showsText(page, 'Appealed')

    await first.goto(`/dashboard/claims/${id}`)
    await showsText(first, 'You decided on this before, so another reviewer decides the appeal')
    const second = await stage.enter(mira, '/dashboard/claims')
    await second.getByRole('button', { name: `Approve claim #${id}` }).click()
    await showsText(second, `Claim #${id} approved`)
    await showsOnceFinal(stage, page, '€90.00 of €90.00 approved')
    assert.deepEqual(await company.faults(), [])
  })

  test('a claim is withdrawn, after it was asked once whether that is meant', async () => {
    const company = await fundedCompany(stage.scene)
    const ben = await company.hire('Ben')
    const { id } = await company.claim(ben, { amount_cents: 9000 })
    const page = await stage.enter(ben, '/dashboard/my-claims')
    await page
      .getByRole('link', { name: `#${id}` })
      .first()
      .click()
    await page.waitForURL(`**/dashboard/my-claims/${id}`)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await showsText(page, `Claim #${id} withdrawn`)
    await showsText(page, 'The money is back in your fund')
    const other = await company.claim(ben, { amount_cents: 9100 })
    const tab = await stage.enter(ben, `/dashboard/my-claims/${other.id}`)
    await tab.getByRole('button', { name: 'Withdraw' }).click()
    await ben.api.claims.withdraw({ id: other.id })
    await tab.getByRole('dialog').getByText('It was withdrawn a moment ago').waitFor()
    assert.deepEqual(await company.faults(), [])

    await page.getByRole('link', { name: 'Claim again' }).click()
    const again = page.getByRole('dialog', { name: `Claim #${id} again` })
    assert.equal(await again.getByLabel('Provider').inputValue(), 'Harbour Clinic')
    assert.equal(await again.getByLabel('Amount claimed').inputValue(), '90.00')
    await again.getByText('receipt.pdf').waitFor()
    await again.getByRole('button', { name: 'Submit claim' }).click()
    await showsText(page, /Claim #\d+ submitted/)
    await page.getByRole('button', { name: 'Done' }).click()
    assert.equal((await ben.api.claims.mine({ status: 'pending' })).claims.length, 1)
    assert.deepEqual(await company.faults(), [])
  })

  test('a question stops the clock and its answer goes back to HR', async () => {
    const company = await fundedCompany(stage.scene)
    const ben = await company.hire('Ben Okafor')
    const { id } = await company.claim(ben, { amount_cents: 9000 })
    const page = await stage.enter(ben, `/dashboard/my-claims/${id}`)
    const queue = await stage.enter(company.company.admin, `/dashboard/claims/${id}`)
    await queue.getByRole('button', { name: 'Ask' }).click()
    await queue.getByLabel('Your question to Ben Okafor').fill('Who was it for?')
    await queue.getByRole('dialog').getByRole('button', { name: 'Ask' }).click()
    await showsText(queue, `Ben Okafor was asked about claim #${id}`)
    await showsOnceFinal(stage, page, 'HR has a question')
    await page.getByLabel('Your answer').fill('For me, after the fall')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await showsText(page, 'Your answer is with HR')
    await queue.goto(`/dashboard/claims/${id}`)
    await showsText(queue, 'For me, after the fall')
    await queue.getByRole('button', { name: 'Approve', exact: false }).first().waitFor()
  })

  test('a day that does not count has one reason, with days as the page writes them', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    await stage.scene.sql`update profiles set joined_on = ${company.today} where id = ${ana.id}`
    const page = await stage.enter(ana, '/dashboard/my-claims?new', { locale: 'en-US' })
    await form(page).getByText('Prevention', { exact: true }).click()
    const day = form(page).getByLabel('Service date')
    await day.fill(company.today)
    await day.blur()
    const first_day = await day.inputValue()
    const atFieldAlone = async (text: string) => {
      await form(page).getByText(text).waitFor()
      await showsText(page, 'Fix 1 field before you submit')
      assert.equal(await form(page).getByText(text).count(), 1)
    }
    await day.fill('2009-03-05')
    await atFieldAlone('Your company had no plan on this day')
    await day.fill(daysAfter(company.today, -1))
    await atFieldAlone(`Your cover starts on ${first_day}. Services before that day aren’t`)
  })

  test('an amount above the bill and what is left becomes the lower of the two', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    const page = await stage.enter(ana, '/dashboard/my-claims?new')
    await choose(page, 'Prevention', 'Fitness')
    await form(page).getByLabel('Provider').fill('Fit & Well')
    await form(page).getByLabel('Service date').fill(company.today)
    await form(page).getByLabel('Bill total').fill('31')
    await form(page).getByLabel('Amount claimed').fill('4000')
    await showsText(page, /The bill is €31.00/)
    await form(page)
      .getByRole('button', { name: /^Claim (what is left|the whole bill)/ })
      .click()
    assert.equal(await form(page).getByLabel('Amount claimed').inputValue(), '31.00')
  })

  test('what is typed survives a reload, and more than there is becomes what is left', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    const page = await stage.enter(ana, '/dashboard/my-claims?new')
    await form(page).getByText('Solidarity', { exact: true }).click()
    await showsText(page, 'Add a dependent first')
    await choose(page, 'Prevention', 'Fitness')
    await form(page).getByLabel('Provider').fill('Fit & Well')
    await form(page).getByLabel('Service date').fill(company.today)
    await form(page).getByLabel('Bill total').fill('2500')
    await showsText(page, /€2,000.00 is available/)
    await showsText(page, 'Above €25.00 your company needs a receipt')
    await page.getByRole('button', { name: 'Claim what is left: €2,000.00' }).click()
    await page.reload()
    await showsText(page, 'Draft restored')
    assert.equal(await form(page).getByLabel('Provider').inputValue(), 'Fit & Well')
    assert.equal(await form(page).getByLabel('Amount claimed').inputValue(), '2000.00')
    assert.equal(
      await form(page).getByLabel('Type').locator('option:checked').innerText(),
      'Fitness',
    )
    await page.getByRole('button', { name: 'Start over' }).click()
    assert.equal(await form(page).getByLabel('Provider').inputValue(), '')
    await choose(page, 'Prevention', 'Fitness')
    await form(page).getByLabel('Provider').fill('Fit & Well')
    await form(page).getByLabel('Service date').fill(company.today)
    await form(page).getByLabel('Bill total').fill('20')
    await cutOnce(page, '**/api/claims')
    await send(page).click()
    await showsText(page, 'The service is not available right now')
    await page.reload()
    await showsText(
      page,
      'It may already have been submitted: sending it again won’t create a second claim',
    )
    stage.faults.length = 0 // of the line that was cut
    await send(page).dblclick()
    await showsText(page, /Claim #\d+ submitted/)
    assert.equal((await ana.api.claims.mine({})).claims.length, 1)
  })
})
