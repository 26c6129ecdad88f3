// The receipt beside the form it is claimed with: large where there is room, one tap away where there is none.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { pharmacy, receiptPdf } from '../world/papers.ts'
import type { Person } from '../world/people.ts'
import { fits, violations } from './axe.ts'
import { openedStage, phone, picture, wide } from './stage.ts'

describe('a receipt', () => {
  const stage = openedStage({ worker: true })
  let company: FundedCompany
  let ana: Person
  before(async () => {
    company = await fundedCompany(stage.scene)
    ana = await company.hire('Ana')
  })

  const form = (page: Page) => page.getByRole('dialog', { name: 'Submit a claim' })
  const large = (page: Page) => page.getByRole('img', { name: 'pharmacy.pdf, page 1' })

  async function claiming(dress: BrowserContextOptions) {
    const page = await stage.enter(ana, '/dashboard/my-claims?new', dress)
    const buffer = await receiptPdf(pharmacy)
    const file = { name: 'pharmacy.pdf', mimeType: 'application/pdf', buffer }
    await form(page).getByLabel('Choose files').setInputFiles(file)
    await form(page).getByRole('button', { name: 'Look at pharmacy.pdf' }).waitFor()
    return page
  }

  test('stands large beside the form on a desk', async () => {
    const page = await claiming(wide)
    await large(page).waitFor()
    const shown = (await large(page).boundingBox())!
    const field = (await form(page).getByLabel('Provider').boundingBox())!
    assert.ok(shown.height > 300, `${shown.height} pixels high`)
    assert.ok(shown.x + shown.width <= field.x, 'beside, not above')
    // Values read are in the form, and marked on the paper.
    const mark = page.locator('[data-marks] [title="Amount"]')
    await mark.waitFor()
    const marked = (await mark.boundingBox())!
    assert.ok(marked.x >= shown.x - 4 && marked.x + marked.width <= shown.x + shown.width + 4)
    assert.ok(marked.y > shown.y + shown.height * 0.3 && marked.height < shown.height / 8)
    assert.equal(await page.locator('[data-marks] > span').count(), 3)
    assert.deepEqual(await violations(page), [])
    await picture(page, 'claims-beside')
    await page.context().close()
  })

  test('is one tap away on a phone', async () => {
    const page = await claiming({ ...phone, colorScheme: 'dark' })
    assert.equal(await large(page).count(), 0)
    await form(page).getByRole('button', { name: 'Look at pharmacy.pdf' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Receipt' })
    await dialog.getByRole('img').waitFor()
    await fits(page, 'the receipt')
    await picture(page, 'claims-beside-360')
    await dialog.getByRole('button', { name: 'Close' }).tap()
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await form(page).isVisible(), 'the form is still there')
    await page.context().close()
  })
})
