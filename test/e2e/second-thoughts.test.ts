// What is changed afterwards, in the browser: a question taken back, the rest of an approval appealed, a debt settled.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { fundedCompany, type ClaimsStage } from '../claims-stage.ts'
import { openStage, picture, says, settled, type E2e } from './stage.ts'

describe('second thoughts in the browser', () => {
  let stage: E2e
  let company: ClaimsStage
  before(async () => {
    stage = await openStage()
    company = await fundedCompany(stage.scene)
  })
  afterEach(() => stage.leave())
  after(async () => {
    await stage.close()
    assert.deepEqual(stage.faults, [])
  })

  test('the dashboard leads to HR’s question, until HR takes it back', async () => {
    const ben = await company.hire('Ben')
    const { id, version } = await company.claim(ben, { amount_cents: 9000 })
    const { review } = company.company.admin.api
    await review.ask({ id, version, text: 'Who was it for?' })
    const page = await stage.enter(ben, '/dashboard/employee')
    await says(page, `HR has a question about claim #${id}`)
    await settled(page)
    await picture(page, 'dashboard-needs-you')
    await page.getByRole('button', { name: /^Answer/ }).click()
    await says(page, 'HR has a question')
    const queue = await stage.enter(company.company.admin, `/dashboard/claims/${id}`)
    await queue.getByRole('button', { name: 'Take question back' }).click()
    await queue.getByRole('dialog').getByRole('button', { name: 'Take question back' }).click()
    await says(queue, `Question about claim #${id} taken back`)
    await queue.getByRole('button', { name: 'Approve', exact: false }).first().waitFor()
    await says(page, 'Waiting for HR')
    await page.goto('/dashboard/employee')
    await page.getByText('Recent claims').waitFor()
    assert.equal(await page.getByText('HR has a question').count(), 0)
  })

  test('HR undoes a decision from its notice, and the employee never heard of it', async () => {
    const ida = await company.hire('Ida')
    const { id } = await company.claim(ida, { amount_cents: 8000 })
    const theirs = await stage.enter(ida, '/dashboard/notifications')
    const queue = await stage.enter(company.company.admin, '/dashboard/claims')
    await queue.getByRole('button', { name: `Approve claim #${id}` }).click()
    await says(queue, `Claim #${id} approved`)
    await settled(queue)
    await picture(queue, 'claim-undo')
    await queue.getByRole('button', { name: 'Undo' }).click()
    await says(queue, `Decision on claim #${id} undone`)
    await queue.getByRole('button', { name: `Reject claim #${id}` }).click()
    await queue.getByLabel('Reason').selectOption({ label: 'Receipt unreadable' })
    await queue.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await says(queue, `Claim #${id} rejected`)
    await stage.scene.told()
    await says(theirs, `Claim #${id} was rejected`)
    assert.equal(await theirs.getByText(`Claim #${id} was approved`).count(), 0)
    await queue.getByRole('button', { name: 'Undo' }).click()
    await says(queue, 'It is too late to undo this')
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
    await settled(queue)
    await picture(queue, 'claims-some-left')
    assert.equal(await queue.getByText('2 claims approved').count(), 1, 'it is said once')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await says(queue, '2 decisions undone')
    await dialog.waitFor({ state: 'detached' })
    await queue.getByRole('button', { name: `Approve claim #${made[1]!.id}` }).waitFor()
  })

  test('what was not approved is appealed as a claim of its own', async () => {
    const mia = await company.hire('Mia')
    const { id, version } = await company.claim(mia, { amount_cents: 8000 })
    const part = { amount_cents: 6250, text: 'Frames are covered at one half' }
    await company.company.admin.api.review.approve({ id, version, ...part })
    const page = await stage.enter(mia, `/dashboard/my-claims/${id}`)
    await page.getByRole('button', { name: 'Appeal' }).click()
    await says(page, /HR decides about the €17\.50 that was not approved/)
    await page.getByLabel('Why should it be decided differently?').fill('The lenses are in it')
    await page.getByRole('button', { name: 'Send appeal' }).click()
    const first = page.getByRole('link', { name: `Claim #${id}`, exact: true })
    await first.waitFor()
    await settled(page)
    await picture(page, 'claim-rest-appealed')
    await first.click()
    await page.waitForURL(`**/dashboard/my-claims/${id}`)
    await says(page, 'Appealed as')
    await says(page, '€62.50 of €80.00 approved because frames are covered at one half')
  })
})
