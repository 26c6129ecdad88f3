// Second thoughts, in the browser: a question withdrawn, the rest of an approval appealed, an overpayment settled.
import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import type { Claim } from '#claims/claims.contract.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { pharmacy, receiptPdf } from '../world/papers.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

describe('second thoughts in the browser', () => {
  const stage = openedStage()
  let company: FundedCompany
  before(async () => {
    company = await fundedCompany(stage.scene)
    // One real file before all rows without: so there is a key that opens what is uploaded.
    const gil = await company.hire('Gil')
    const file = new Blob([new Uint8Array(await receiptPdf(pharmacy))])
    await gil.api.receipts.upload({ file_name: 'first.pdf' }, { file })
  })
  afterEach(() => stage.leave())

  test('the dashboard leads to HR’s question, until HR withdraws it', async () => {
    const ben = await company.hire('Ben')
    const { id, version } = await company.claim(ben, { amount_cents: 9000 })
    const { review } = company.company.admin.api
    await review.ask({ id, version, text: 'Who was it for?' })
    const page = await stage.enter(ben, '/dashboard/employee')
    await showsText(page, `HR has a question about claim #${id}`)
    await untilSettled(page)
    await picture(page, 'dashboard-needs-you')
    await page.getByRole('button', { name: /^Answer/ }).click()
    await showsText(page, 'HR has a question')
    const queue = await stage.enter(company.company.admin, `/dashboard/claims/${id}`)
    await queue.getByRole('button', { name: 'Withdraw question' }).click()
    await queue.getByRole('dialog').getByRole('button', { name: 'Withdraw question' }).click()
    await showsText(queue, `Question about claim #${id} withdrawn`)
    await queue.getByRole('button', { name: 'Approve', exact: false }).first().waitFor()
    await showsText(page, 'Waiting for HR')
    await page.goto('/dashboard/employee')
    await page.getByText('Recent claims').waitFor()
    assert.equal(await page.getByText('HR has a question').count(), 0)
  })

  test('after a decision comes the next claim that can be decided on; Undo goes back', async () => {
    const uma = await company.hire('Uma')
    const claims = []
    for (const cents of [3000, 3100, 3200])
      claims.push(await company.claim(uma, { amount_cents: cents }))
    const [first, in_question, last] = claims as [Claim, Claim, Claim]
    const { review } = company.company.admin.api
    await review.ask({ id: in_question.id, version: in_question.version, text: 'Who was it for?' })
    const own = `?person=${uma.id}`
    const page = await stage.enter(company.company.admin, `/dashboard/claims/${first.id}${own}`)
    await page.getByRole('button', { name: 'Approve', exact: false }).first().waitFor()
    await page.getByRole('link', { name: 'Uma' }).nth(2).waitFor()
    await page.keyboard.press('a')
    await page.waitForURL(`**/dashboard/claims/${last.id}${own}`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await showsText(page, `Decision on claim #${first.id} undone`)
    await page.waitForURL(`**/dashboard/claims/${first.id}${own}`)
    await page.getByRole('article', { name: `Claim #${first.id}` }).waitFor()
  })

  test('a second press where Approve stood decides nothing about the claim that came', async () => {
    const vic = await company.hire('Vic')
    const first = await company.claim(vic, { amount_cents: 3000 })
    const next = await company.claim(vic, { amount_cents: 3100 })
    const page = await stage.enter(
      company.company.admin,
      `/dashboard/claims/${first.id}?person=${vic.id}`,
    )
    const approve = (id: number) =>
      page
        .getByRole('article', { name: `Claim #${id}` })
        .getByRole('button', { name: 'Approve', exact: false })
        .first()
    await page.getByRole('link', { name: 'Vic' }).nth(1).waitFor()
    const box = await approve(first.id).boundingBox()
    const at = { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2, next: next.id }
    /** The button that a press there would find, at the moment the next claim's are there. */
    const found = page.evaluate(
      ({ x, y, next }) =>
        new Promise<string | null>((resolve) => {
          const check = () => {
            if (!document.querySelector(`article[aria-label="Claim #${next}"] button kbd`)) return
            resolve(document.elementFromPoint(x, y)?.closest('button')?.textContent ?? null)
          }
          new MutationObserver(check).observe(document.body, { childList: true, subtree: true })
        }),
      at,
    )
    await approve(first.id).click()
    assert.equal(await found, null)
    await approve(next.id).click()
    await showsText(page, `Claim #${next.id} approved`)
  })

  test('HR undoes a decision from its notice, and the employee never heard of it', async () => {
    const ida = await company.hire('Ida')
    const { id } = await company.claim(ida, { amount_cents: 8000 })
    const theirs = await stage.enter(ida, '/dashboard/notifications')
    const queue = await stage.enter(company.company.admin, '/dashboard/claims')
    await queue.getByRole('button', { name: `Approve claim #${id}` }).click()
    await showsText(queue, `Claim #${id} approved`)
    await untilSettled(queue)
    await picture(queue, 'claim-undo')
    await queue.getByRole('button', { name: 'Undo' }).click()
    await showsText(queue, `Decision on claim #${id} undone`)
    await queue.getByRole('button', { name: `Reject claim #${id}` }).click()
    await queue.getByLabel('Reason').selectOption({ label: 'Receipt unreadable' })
    await queue.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await showsText(queue, `Claim #${id} rejected`)
    await stage.scene.notifyDecisions()
    await showsText(theirs, `Claim #${id} was rejected`)
    assert.equal(await theirs.getByText(`Claim #${id} was approved`).count(), 0)
    await queue.getByRole('button', { name: 'Undo' }).click()
    await showsText(queue, 'It is too late to undo this, or it has been changed since')
  })

  test('of many, those left are listed with the undo of the others, and nothing lies over it', async () => {
    const liv = await company.hire('Liv')
    const made: { id: number }[] = []
    for (const amount_cents of [7100, 7200, 7300])
      made.push(await company.claim(liv, { amount_cents }))
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }
    const queue = await stage.enter(company.company.admin, '/dashboard/claims', phone)
    for (const { id } of made) await queue.getByLabel(`Select claim #${id}`).check()
    // Withdrawn in the same moment: the screen has not heard of it yet.
    await queue.route('**/api/review/approvals', async (route) => {
      await liv.api.claims.withdraw({ id: made[0]!.id })
      await route.continue()
    })
    await queue.getByRole('button', { name: 'Approve 3' }).click()
    const dialog = queue.getByRole('dialog', { name: '2 claims approved' })
    await dialog.getByText(`#${made[0]!.id}`).waitFor()
    await untilSettled(queue)
    await picture(queue, 'claims-some-left')
    assert.equal(await queue.getByText('2 claims approved').count(), 1, 'it is said once')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await showsText(queue, 'Undone for 2 claims')
    await dialog.waitFor({ state: 'detached' })
    await queue.getByRole('button', { name: `Approve claim #${made[1]!.id}` }).waitFor()
    for (const { id } of made.slice(1)) await queue.getByLabel(`Select claim #${id}`).check()
    const large: { id: number }[] = []
    for (const amount_cents of [60_000, 60_100])
      large.push(await company.claim(liv, { category: 'treatment', amount_cents }))
    const [one, other] = large.map(({ id }) => id)
    for (const { id } of large) await queue.getByLabel(`Select claim #${id}`).check()
    await showsText(queue, '4 selected, 2 to approve: €145.00')
    await showsText(queue, `Not approved here: #${one}, #${other} (more than one approval)`)
    await untilSettled(queue)
    await picture(queue, 'claims-selected')
    await queue.setViewportSize({ width: 1440, height: 900 })
    const left = async (name: string) =>
      (await queue.locator(`[aria-label="${name}"]`).first().boundingBox())?.x ?? 0
    assert.ok((await left('Selected claims')) >= (await left('Claims')), 'it stays over the list')
    await queue.setViewportSize(phone.viewport)
    await queue.unroute('**/api/review/approvals')
    await queue.getByRole('button', { name: 'Approve 2' }).click()
    await showsText(queue, '2 claims approved, 2 left as they were')
    await queue.getByRole('button', { name: 'Undo' }).click()
    await showsText(queue, 'Undone for 2 claims')
    for (const { id } of made.slice(1)) await queue.getByLabel(`Select claim #${id}`).check()
    await queue.getByRole('button', { name: 'Reject', exact: true }).click()
    const rejection = queue.getByRole('dialog', { name: 'Reject 2 claims' })
    await rejection.getByText(`#${made[1]!.id}, #${made[2]!.id}`).waitFor()
    await rejection.getByLabel('Reason').selectOption({ label: 'Receipt missing' })
    await rejection.getByRole('button', { name: 'Reject 2 claims' }).click()
    await showsText(queue, '2 claims rejected')
    await queue.getByRole('button', { name: 'Undo' }).click()
    await showsText(queue, 'Undone for 2 claims')
  })

  test('who submits while the receipt is being read waits for what it says', async () => {
    const finn = await company.hire('Finn')
    const page = await stage.enter(finn, '/dashboard/my-claims?new')
    const form = page.getByRole('dialog', { name: 'Submit a claim' })
    const buffer = await receiptPdf(pharmacy)
    const file = { name: 'pharmacy.pdf', mimeType: 'application/pdf', buffer }
    await form.getByLabel('Choose files').setInputFiles(file)
    await showsText(page, 'Reading it…')
    await form.getByText('Prevention', { exact: true }).click()
    await form.getByLabel('Type').selectOption({ label: 'Screening' })
    await form.getByRole('button', { name: 'Submit claim' }).click()
    await form.getByRole('button', { name: 'Reading the receipt...' }).waitFor()
    assert.equal(await form.locator('[aria-invalid]').count(), 0)
    await stage.scene.sql`
      update receipts set read_state = 'read', read_amount_cents = 4210, read_currency = 'EUR',
        read_on = ${company.today}, read_provider = 'Harbour Pharmacy' where person_id = ${finn.id}`
    await showsText(page, /Claim #\d+ approved/)
    const [claim] = (await finn.api.claims.mine({})).claims
    assert.deepEqual([claim?.provider, claim?.amount_cents], ['Harbour Pharmacy', 4210])
  })

  test('a bill is split into lines, and decided line by line', async () => {
    const eva = await company.hire('Eva')
    const page = await stage.enter(eva, '/dashboard/my-claims?new')
    const form = page.getByRole('dialog', { name: 'Submit a claim' })
    await form.getByText('Prevention', { exact: true }).click()
    await form.getByLabel('Type').selectOption({ label: 'Screening' })
    await form.getByLabel('Service date').fill(company.today)
    await form.getByLabel('Provider').fill('Harbour Clinic')
    await form.getByLabel('Bill total').fill('20')
    await form.getByRole('button', { name: 'Split it into lines' }).click()
    await form.getByLabel('Line 1, what it is').fill('Blood count')
    await form.getByLabel('Line 1, amount').fill('12')
    await form.getByRole('button', { name: 'Add line' }).click()
    await form.getByRole('button', { name: 'Submit claim' }).click()
    await showsText(page, 'Say what it is')
    await page.keyboard.type('Postage')
    await form.getByLabel('Line 2, amount').fill('8')
    assert.equal(await form.getByLabel('Amount claimed').inputValue(), '20.00')
    await untilSettled(page)
    await picture(page, 'claim-lines-form')
    await form.getByRole('button', { name: 'Submit claim' }).click()
    await showsText(page, /Claim #\d+ submitted/)
    const [claim] = (await eva.api.claims.mine({})).claims
    const queue = await stage.enter(company.company.admin, `/dashboard/claims/${claim!.id}`)
    await queue.getByRole('button', { name: 'Approve part' }).click()
    await queue.getByLabel('Postage').fill('0')
    await queue.getByRole('button', { name: 'Approve these amounts' }).click()
    await showsText(queue, 'Say why it is less')
    await queue.getByLabel('Reason').fill('no')
    await queue.getByRole('button', { name: 'Approve these amounts' }).click()
    await showsText(queue, 'Explain why in one sentence')
    await queue.getByLabel('Postage').fill('8')
    await queue.getByRole('button', { name: 'Approve these amounts' }).click()
    await showsText(queue, 'Lower a line.')
    await queue.getByLabel('Postage').fill('0')
    await queue.getByLabel('Reason').fill('Postage is not covered')
    await untilSettled(queue)
    await picture(queue, 'claim-lines-decided')
    await queue.getByRole('button', { name: 'Approve these amounts' }).click()
    await showsText(queue, `Claim #${claim!.id} approved in part: €12.00 of €20.00`)
    await page.goto(`/dashboard/my-claims/${claim!.id}`)
    await showsText(page, '€12.00 of €20.00 approved')
    await showsText(page, 'Postage is not covered')
    await untilSettled(page)
    await picture(page, 'claim-lines-page')
  })

  test('what was not approved is appealed as a claim of its own', async () => {
    const mia = await company.hire('Mia')
    const { id, version } = await company.claim(mia, { amount_cents: 8000 })
    const part = { amount_cents: 6250, text: 'Frames are covered at one half' }
    await company.company.admin.api.review.approve({ id, version, ...part })
    const page = await stage.enter(mia, `/dashboard/my-claims/${id}`)
    await showsText(
      page,
      /The other €17\.50 is back in your fund\. If you disagree, you can appeal once, until/,
    )
    await page.getByRole('button', { name: 'Appeal for the rest' }).click()
    await showsText(page, /HR decides about the €17\.50 that was not approved/)
    await page.getByLabel('Why should it be decided differently?').fill('The lenses are in it')
    await page.getByRole('button', { name: 'Send appeal' }).click()
    const first = page.getByRole('link', { name: `Claim #${id}`, exact: true })
    await first.waitFor()
    await untilSettled(page)
    await picture(page, 'claim-rest-appealed')
    await first.click()
    await page.waitForURL(`**/dashboard/my-claims/${id}`)
    await showsText(page, 'You appealed for the other €17.50')
    await showsText(page, 'Appealed as')
    await showsText(page, 'HR: “Frames are covered at one half”')
  })
})
