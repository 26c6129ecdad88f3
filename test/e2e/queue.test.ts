// The queue of claims: the way into a claim and back, and less room than on a desk.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { problems } from '#problems.ts'
import { fundedCompany } from '../world/company.ts'
import { until } from '../until.ts'
import { openedStage, untilSettled } from './stage.ts'

describe('the queue, in the browser', () => {
  const stage = openedStage()
  afterEach(() => stage.leave())

  test('a claim opened from down the queue shows its head, and closing it returns to its row', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    let id = 0
    for (const amount_cents of [3100, 3200, 3300, 3400, 3500, 3600])
      id = (await company.claim(ana, { amount_cents })).id
    const viewport = { width: 1440, height: 700 }
    const page = await stage.enter(company.company.admin, '/dashboard/claims', { viewport })
    const row = page.locator(`#claim-${id}`)
    const stands = () =>
      page.waitForFunction((at) => document.activeElement?.id === at, `claim-${id}`)
    for (const close of [
      () => page.keyboard.press('Escape'),
      () =>
        page
          .locator('main')
          .getByRole('link', { name: /^Claims/ })
          .click(),
    ]) {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await row.click()
      await page.getByRole('button', { name: 'Next claim' }).waitFor()
      await untilSettled(page)
      assert.equal(await page.evaluate(() => scrollY), 0)
      await close()
      await page.waitForURL(/claims$/)
      await stands()
    }
  })

  test('a decision made in a dialog, and its undo, leave the keyboard where it was', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    const ids: number[] = []
    for (const amount_cents of [3100, 3200, 3300, 3400])
      ids.push((await company.claim(ana, { amount_cents })).id)
    const [first, second, third, last] = ids
    const page = await stage.enter(company.company.admin, `/dashboard/claims/${first}`)
    const stands = (id?: number) =>
      page.waitForFunction((at) => document.activeElement?.id === at, `claim-${id}`)
    const opened = async (id?: number) => {
      await page.getByRole('article', { name: `Claim #${id}` }).waitFor()
      await untilSettled(page)
    }
    const rejects = async (id?: number) => {
      await opened(id)
      await page.keyboard.press('r')
      const dialog = page.getByRole('dialog', { name: `Reject claim #${id}` })
      await dialog.getByLabel('Reason').selectOption({ label: 'Receipt unreadable' })
      await dialog.getByRole('button', { name: 'Reject' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
    }
    for (const [decided, next, close] of [
      [first, second, 'u'],
      [second, third, 'Escape'],
    ] as const) {
      await rejects(decided)
      await opened(next)
      await page.keyboard.press(close)
      await page.waitForURL(/claims$/)
      await stands(next)
      await untilSettled(page)
      if (next === second) await page.keyboard.press('o')
    }
    // A press that comes right after the one before decides nothing.
    await until(async () => {
      const at = await page.evaluate(() => document.activeElement?.id)
      if (at === `claim-${third}`) await page.keyboard.press('a')
      return at === `claim-${last}`
    })
    await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
    await page.locator(`#claim-${third}`).waitFor()
    await stands(last)
  })

  test('a key on a claim that can’t be selected says why, as its checkbox does', async () => {
    const company = await fundedCompany(stage.scene)
    const { admin } = company.company
    await company.admin('Another')
    const large = { amount_cents: 60_000, category: 'treatment' } as const
    const { id, version } = await company.claim(await company.hire('Ana'), large)
    await admin.api.review.approve({ id, version })
    const page = await stage.enter(admin, '/dashboard/claims')
    await page.locator(`#claim-${id}`).focus()
    await page.keyboard.press('x')
    await page.getByRole('status').getByText(problems.decided_by_you[1]).waitFor()
    assert.equal(await page.getByLabel(`Select claim #${id}`).isChecked(), false)
  })

  test('how many are overdue is not told beside a search, of which it would not be true', async () => {
    const company = await fundedCompany(stage.scene)
    const { id } = await company.claim(await company.hire('Ana'), { amount_cents: 3100 })
    await stage.scene.sql`
      update claims set overdue = true where company_id = ${company.id} and id = ${id}`
    const page = await stage.enter(company.company.admin, '/dashboard/claims')
    const overdue = (name: string) => page.getByRole('button', { name, exact: true })
    await overdue('Overdue 1').click()
    await page.waitForURL(/overdue=yes/)
    await overdue('Overdue 1').waitFor()
    await page.goto('/dashboard/claims?search=nobody')
    await page.getByText('No matching claims').waitFor()
    await overdue('Overdue').waitFor()
  })

  test('on a small laptop no button of the queue is cut off, and names can be read', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Annabelle')
    const { id } = await company.claim(ana, { amount_cents: 123_450, category: 'treatment' })
    const viewport = { width: 1024, height: 768 }
    const page = await stage.enter(company.company.admin, '/dashboard/claims', { viewport })
    const edge = async (name: string) => {
      const box = await page.getByRole('button', { name }).boundingBox()
      assert.ok(box)
      return box.x + box.width
    }
    const list = await page.getByRole('list', { name: 'Claims', exact: true }).boundingBox()
    assert.ok(list)
    assert.ok((await edge(`Reject claim #${id}`)) <= list.x + list.width)
    await page.goto('/dashboard/employees')
    const name = page.getByRole('table').getByText('Annabelle', { exact: true })
    const box = await name.boundingBox()
    assert.ok(box)
    assert.ok(box.height < 30, 'a short name stands on one line')
  })

  test('one key turns the list, however long it is, and another reaches its first claim', async () => {
    const company = await fundedCompany(stage.scene)
    const ids: number[] = []
    for (const name of ['Ana', 'Ben', 'Cem'])
      ids.push((await company.claim(await company.hire(name), { amount_cents: 8000 })).id)
    const page = await stage.enter(company.company.admin, '/dashboard/claims')
    const stands = (id: number | undefined) =>
      page.waitForFunction((at) => document.activeElement?.id === at, `claim-${id}`)
    const turned = async (order: string, first: number | undefined) => {
      await page.keyboard.press('e')
      await page.getByRole('button', { name: order }).waitFor()
      await page.waitForFunction(
        (id) => document.querySelector('[id^="claim-"]')?.id === id,
        `claim-${first}`,
      )
      await page.keyboard.press('j')
      await stands(first)
    }
    await page.getByRole('link', { name: `claim #${ids[2]}` }).waitFor()
    await turned('Newest first', ids[2])
    await page.keyboard.press('j')
    await stands(ids[1])
    await page.keyboard.press('g')
    await stands(ids[2])
    await turned('Oldest first', ids[0])
  })

  test('a claim that another has to decide can’t be chosen, and its box says why by keyboard and touch', async () => {
    const company = await fundedCompany(stage.scene)
    const { admin } = company.company
    const ana = await company.hire('Ana')
    const { id, version } = await company.claim(ana, {
      amount_cents: 90_000,
      category: 'treatment',
    })
    await admin.api.review.approve({ id, version })
    const page = await stage.enter(admin, '/dashboard/claims', { hasTouch: true })
    const box = page.getByRole('checkbox', { name: `Select claim #${id}` })
    const bubble = page.locator('[data-radix-popper-content-wrapper]', {
      hasText: problems.decided_by_you[1],
    })
    await box.waitFor()
    await page.keyboard.press('Tab')
    await box.focus()
    await bubble.waitFor()
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await bubble.waitFor({ state: 'detached' })
    await box.tap({ force: true }) // of what does nothing
    await bubble.waitFor()
    assert.equal(await box.isChecked(), false)
  })
})
