// Receipts between phone and claim: none is lost on its way, none is left where nobody sees it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { receiptPdf } from '../world/papers.ts'
import type { Person } from '../world/people.ts'
import { violations } from './axe.ts'
import {
  cutOnce,
  openStage,
  openedStage,
  picture,
  showsText,
  untilSettled,
  type E2e,
} from './stage.ts'

/** An upload is looked at by a process of its own, which takes its time on a busy machine. */
const patient = { timeout: 60_000 }

describe('a receipt', () => {
  let stage: E2e
  let company: FundedCompany
  let pdf: Buffer
  before(async () => {
    stage = await openStage()
    company = await fundedCompany(stage.scene)
    pdf = Buffer.from(await receiptPdf(['Harbour Clinic', 'Total: 42.00 EUR']))
  })
  after(async () => {
    stage.faults.length = 0 // answers were refused, and lines cut
    await stage.close()
  })

  const file = (name: string) => ({ name, mimeType: 'application/pdf', buffer: pdf })

  /** Uploads stand still until they are let go. */
  async function held(page: Page) {
    let letGo = () => {}
    const gone = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/api/receipts?**', async (route) => {
      if (route.request().method() === 'POST') await gone
      await route.fallback()
    })
    return letGo
  }

  test('that is still uploading goes with the claim when Submit is pressed', async () => {
    const ana = await company.hire('Ana')
    const page = await stage.enter(ana, '/dashboard/my-claims?new')
    const form = page.getByRole('dialog')
    await form.getByText('Treatment', { exact: true }).click()
    await form.getByLabel('Type').selectOption({ label: 'Dental treatment' })
    await form.getByLabel('Service date').fill(daysAfter(company.today, -1))
    await form.getByLabel('Provider').fill('Harbour Clinic')
    await form.getByLabel('Bill total').fill('42')
    await form.getByLabel('Amount claimed').fill('42')
    const letGo = await held(page)
    await form.getByLabel('Choose files').setInputFiles(file('slow.pdf'))
    await form.getByRole('button', { name: 'Submit claim' }).click()
    await form.getByRole('button', { name: 'Uploading...' }).waitFor()
    await picture(page, 'claim-uploading-1440')
    assert.deepEqual((await ana.api.claims.mine({})).claims, [])
    letGo()
    await page.getByText(/Claim #\d+ (submitted|approved)/).waitFor(patient)
    const [claim] = (await ana.api.claims.mine({})).claims
    assert.equal(claim?.receipts, 1)
  })

  test('that could not be uploaded keeps the claim from being sent without it', async () => {
    const ben = await company.hire('Ben')
    const { id, ...claim } = await company.claim(ben, { category: 'treatment' })
    await company.company.admin.api.review.ask({ id, ...claim, text: 'Where is page two?' })
    const page = await stage.enter(ben, `/dashboard/my-claims/${id}`)
    await page.getByLabel('Your answer').fill('Here it is')
    await cutOnce(page, '**/api/receipts?**')
    await page.getByLabel('Choose files').setInputFiles(file('two.pdf'))
    await showsText(page, 'Try again')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await showsText(page, 'One file was not uploaded. Try it again or remove it')
    await page.getByRole('button', { name: 'Try two.pdf again' }).click()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Your answer is with HR').waitFor(patient)
    assert.equal((await ben.api.receipts.list({ claim_id: id })).length, 2)
  })

  test('that was uploaded for nothing is offered again, or deleted; starting over deletes it', async () => {
    const cem = await company.hire('Cem')
    const lost = await company.receipt(cem)
    const page = await stage.enter(cem, '/dashboard/my-claims?new')
    const earlier = page.getByRole('region', { name: 'Uploaded earlier' })
    await earlier.waitFor()
    await untilSettled(page)
    await picture(page, 'receipts-earlier-1440')
    await earlier.getByRole('button', { name: /^Add / }).click()
    await earlier.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Remove / }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByText('Draft restored').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Submit claim' }).waitFor()
    assert.deepEqual(await cem.api.receipts.list({}), [])
    assert.ok(lost)
  })

  test('that may have been submitted is left alone when its draft is started over', async () => {
    const eve = await company.hire('Eve')
    const receipt = await company.receipt(eve)
    const page = await stage.enter(eve, '/dashboard/my-claims?new')
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: /^Add / }).click()
    await form.getByRole('button', { name: /^Remove / }).waitFor()
    await form.getByText('Treatment', { exact: true }).click()
    await form.getByLabel('Type').selectOption({ label: 'Dental treatment' })
    await form.getByLabel('Service date').fill(daysAfter(company.today, -1))
    await form.getByLabel('Provider').fill('Harbour Clinic')
    await form.getByLabel('Bill total').fill('42')
    await form.getByLabel('Amount claimed').fill('42')
    // The request arrives, and its answer is lost.
    await page.route('**/api/claims', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await form.getByRole('button', { name: 'Submit claim' }).click()
    await showsText(page, 'The service is not available right now')
    await page.reload()
    await showsText(page, 'It may already have been submitted')
    const removals: string[] = []
    page.on('request', (request) => {
      if (/receipts/.test(request.url()) && request.method() !== 'GET') removals.push(request.url())
    })
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByText('Draft restored').waitFor({ state: 'detached' })
    await untilSettled(page)
    assert.deepEqual(removals, [])
    const [claim] = (await eve.api.claims.mine({})).claims
    const kept = await eve.api.receipts.list({ claim_id: claim!.id })
    assert.deepEqual(
      kept.map(({ id }) => id),
      [receipt],
    )
  })

  test('goes with an appeal, too', async () => {
    const dora = await company.hire('Dora')
    const claim = await company.claim(dora, { category: 'treatment' })
    const { id, version } = claim
    const { review } = company.company.admin.api
    await review.reject({ id, version, reason: 'no_receipt', text: 'Please send a prescription.' })
    const page = await stage.enter(dora, `/dashboard/my-claims/${id}`)
    await page.getByRole('button', { name: 'Appeal' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why should').fill('Here is the prescription')
    await dialog.getByLabel('Choose files').setInputFiles(file('prescription.pdf'))
    await blackOut(page, 'prescription.pdf', dora)
    await untilSettled(page)
    await picture(page, 'appeal-1440')
    await dialog.getByRole('button', { name: 'Send appeal' }).click()
    await page.getByText(`Your appeal for claim #${id} is with HR`).waitFor(patient)
    const receipts = await dora.api.receipts.list({ claim_id: id })
    assert.deepEqual(
      receipts.map(({ blacked_times }) => blacked_times),
      [0, 1],
    )
  })

  /** One box by the mouse, one by the keyboard, and one that is taken away again. */
  async function blackOut(page: Page, name: string, { api }: Person) {
    await page.getByRole('button', { name: `Black out parts of ${name}` }).click(patient)
    await stage.scene.sql`update receipts set read_state = 'unreadable' where file_name = ${name}`
    const dialog = page.getByRole('dialog', { name: 'Black out parts' })
    const sheet = dialog.locator('[data-sheet]')
    const { x, y, width, height } = (await sheet.boundingBox(patient))!
    await page.mouse.move(x + width * 0.1, y + height * 0.5)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.5, y + height * 0.6, { steps: 3 })
    await page.mouse.up()
    await sheet.getByRole('button', { name: /10% from the left, 50% from the top, 40%/ }).waitFor()
    for (const _ of [1, 2]) await dialog.getByRole('button', { name: 'Add a box' }).click()
    await page.keyboard.press('Delete')
    await sheet.getByRole('button', { name: /^Box 2 of 2/ }).focus()
    for (const key of ['ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key)
    await sheet.getByRole('button', { name: /28% from the left, 34% from the top, 41%/ }).waitFor()
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard 2 boxes?' })
    await picture(page, 'black-out-discard')
    await question.getByRole('button', { name: 'Keep drawing' }).click()
    await sheet.getByRole('button', { name: /^Box 2 of 2/ }).waitFor()
    await picture(page, 'black-out-1440')
    assert.deepEqual(await violations(page), [])
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'detached', ...patient })
    const [receipt] = await api.receipts.list({})
    assert.equal(receipt?.blacked_times, 1)
    await showsText(page, 'Parts blacked out by you')
  }
})

describe('a claim', () => {
  const stage = openedStage()
  let company: FundedCompany
  before(async () => {
    company = await fundedCompany(stage.scene)
  })

  test('is opened by its notice, by today’s address and by the one of before', async () => {
    const ana = await company.hire('Ana')
    const { id, version } = await company.claim(ana, { category: 'treatment' })
    const { review } = company.company.admin.api
    await review.reject({ id, version, reason: 'other', text: 'Not this one.' })
    await stage.scene.notifyDecisions()
    const page = await stage.enter(ana, '/dashboard/notifications')
    await page
      .getByRole('link', { name: `Claim #${id} was rejected` })
      .first()
      .click()
    await showsText(page, 'Not this one.')
    await page.goto(`/dashboard/my-claims?claim=${id}`)
    await page.waitForURL(`**/dashboard/my-claims/${id}`)
    await showsText(page, 'Not this one.')
  })

  test('whose approval was reversed says so, to HR and to its owner, and is counted as that', async () => {
    const ben = await company.hire('Ben')
    const { admin } = company.company
    const { id, version } = await company.claim(ben, { category: 'treatment', amount_cents: 4000 })
    const approved = await admin.api.review.approve({ id, version })
    await admin.api.review.reverse({ ...approved, text: 'Paid by the insurance' })
    const { approved: count, reversed } = await admin.api.review.summary({})
    assert.deepEqual([count, reversed], [0, 1])
    const page = await stage.enter(admin, `/dashboard/claims/${id}`)
    await page.getByText('Reversed', { exact: true }).first().waitFor()
    await showsText(page, 'Reversed before it was paid')
    const mine = await stage.enter(ben, `/dashboard/my-claims/${id}`)
    await showsText(mine, 'HR reversed the approval')
    await showsText(mine, /This claim had not been paid, so nothing is withheld/)
    await showsText(mine, 'Reversed, unpaid')
    await untilSettled(mine)
    await picture(mine, 'claim-reversed-1440')
  })
})

describe('whoever asks to join', () => {
  const stage = openedStage()

  test('is decided once, an admin only after a second look', async () => {
    const acme = await stage.scene.company({ name: 'Acme' })
    await acme.admin.api.companies.set_auto_registration({ enabled: false })
    const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
    await stage.scene.signUp(`mallory@${acme.domain}`, 'company_admin', { full_name: 'Mallory' })
    const page = await stage.enter(acme.admin, '/dashboard/employees')
    const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await line('Ana').waitFor()
    await picture(page, 'joiners-1440')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/approval')) sent.push(request.method())
    })
    await line('Ana').getByRole('button', { name: 'Approve' }).dblclick()
    await showsText(page, 'Ana approved')
    await line('Ana').getByText('Approved').waitFor()
    assert.deepEqual(sent, ['POST'])
    assert.equal((await ben.api.users.me({})).waiting_for, 'company_approval')

    await line('Mallory').getByRole('button', { name: 'Approve' }).click()
    const sure = page.getByRole('dialog', { name: 'Make Mallory a Company Admin?' })
    await sure.getByText('release payouts').waitFor()
    await picture(page, 'joiner-admin-1440')
    await sure.getByRole('button', { name: 'Cancel' }).click()

    await line('Ben').getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await showsText(page, 'Ben’s request declined')
    assert.equal((await ana.api.users.me({})).waiting_for, null)
  })
})
