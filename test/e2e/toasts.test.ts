// Toasts hide nothing that is decided with or decided on, and stay where they came.
import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

describe('toasts', () => {
  const stage = openedStage()
  let company: FundedCompany
  before(async () => {
    company = await fundedCompany(stage.scene)
  })
  afterEach(() => stage.leave())

  const toastOf = (page: Page, text: string) =>
    page.locator('[data-toast]').filter({ hasText: text })

  /** Three claims of somebody, before HR. */
  async function three(name: string) {
    const person = await company.hire(name)
    const [first, second, third] = [
      await company.claim(person, { amount_cents: 3000 }),
      await company.claim(person, { amount_cents: 3100 }),
      await company.claim(person, { amount_cents: 3200 }),
    ]
    return { first, second, third, own: `?person=${person.id}` }
  }

  test('a second press on Undo undoes no other decision', async () => {
    const { first, second, third, own } = await three('Una')
    const page = await stage.enter(company.company.admin, `/dashboard/claims/${first.id}${own}`)
    await page.getByRole('link', { name: 'Una' }).nth(2).waitFor()
    for (const [{ id }, next] of [
      [first, second],
      [second, third],
    ] as const) {
      const article = page.getByRole('article', { name: `Claim #${id}` })
      await article.getByRole('button', { name: 'Approve', exact: false }).first().click()
      await page.waitForURL(`**/dashboard/claims/${next.id}${own}`)
      await showsText(page, `Claim #${id} approved`)
    }
    const other = toastOf(page, `Claim #${second.id} approved`)
    await untilSettled(page)
    await picture(page, 'toasts')
    const before = await other.boundingBox()
    const undo = toastOf(page, `Claim #${first.id} approved`).getByRole('button', { name: 'Undo' })
    const at = (await undo.boundingBox())!
    await undo.click()
    await showsText(page, `Decision on claim #${first.id} undone`)
    assert.deepEqual(await other.boundingBox(), before)
    await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2)
    await other.waitFor()
    const { api } = company.company.admin
    assert.equal((await api.review.find({ id: second.id })).status, 'approved')
  })

  for (const [dress, name, viewport] of [
    ['a desk', 'Kim', { width: 1440, height: 900 }],
    ['a tablet', 'Lea', { width: 820, height: 1100 }],
    ['a phone', 'Mia', { width: 390, height: 844 }],
  ] as const) {
    test(`on ${dress} they lie over no head, no name, no amount and none of the buttons that decide`, async () => {
      const { first, second, own } = await three(name)
      const address = `/dashboard/claims/${first.id}${own}`
      const page = await stage.enter(company.company.admin, address, { viewport })
      await page.getByText('Approve part').waitFor()
      await page.keyboard.press('a')
      await page.waitForURL(`**/dashboard/claims/${second.id}${own}`)
      await showsText(page, `Claim #${first.id} approved`)
      await page.getByRole('article').getByText('Approve part').waitFor()
      await untilSettled(page)
      await picture(page, `toast-${viewport.width}`)
      const article = page.getByRole('article')
      const kept = [
        page.getByRole('banner'),
        article.getByRole('heading', { name, exact: true }),
        article.getByText('€31.00').first(),
        article.getByRole('button', { name: 'Approve', exact: false }).first(),
        article.getByRole('button', { name: 'Reject' }),
      ]
      const toast = (await page.locator('[data-toast]').boundingBox())!
      for (const part of kept) {
        const box = (await part.boundingBox())!
        const apart =
          box.x >= toast.x + toast.width ||
          toast.x >= box.x + box.width ||
          box.y >= toast.y + toast.height ||
          toast.y >= box.y + box.height
        assert.ok(apart, `${await part.textContent()} is under a toast`)
      }
    })
  }

  test('before the dashboard they lie beside the form, not over its button', async () => {
    const page = await stage.open({ viewport: { width: 1440, height: 900 } })
    await page.goto('/auth/signup')
    const button = page.getByRole('button', { name: 'Create Account' })
    await button.click()
    const toast = toastOf(page, 'Please fill in all required fields')
    await toast.waitFor()
    await untilSettled(page)
    await picture(page, 'toast-signup')
    const [over, under] = [(await toast.boundingBox())!, (await button.boundingBox())!]
    assert.ok(over.x >= under.x + under.width, 'the button is under a toast')
    assert.ok(over.x + over.width <= 1440)
  })

  test('on a phone what merely opens lies over no part of its form', async () => {
    const person = await company.hire('Noa')
    const viewport = { width: 390, height: 844 }
    const page = await stage.enter(person, '/dashboard/dependents', { viewport })
    await page.getByRole('button', { name: /^Add/ }).first().click()
    const opening = toastOf(page, 'Opening dependent registration form...')
    await opening.waitFor()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Covered from').waitFor()
    await untilSettled(page)
    await picture(page, 'toast-opening')
    const toast = (await opening.boundingBox())!
    const form = (await dialog.locator('form').boundingBox())!
    assert.ok(form.y >= toast.y + toast.height, 'the form is under a toast')
    await dialog.getByRole('button', { name: 'Close' }).click({ timeout: 2000 })
  })
})
