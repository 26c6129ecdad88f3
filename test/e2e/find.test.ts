// Finding anything by its name, from any page.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fundedCompany } from '../world/company.ts'
import { looksRight } from './axe.ts'
import { openedStage, showsText } from './stage.ts'

describe('Find', () => {
  const stage = openedStage()
  let company: Awaited<ReturnType<typeof fundedCompany>>
  before(async () => {
    company = await fundedCompany(stage.scene)
  })

  test('HR opens it by the keyboard on any page, and goes to a person, a claim, an act', async () => {
    const ana = await company.hire('Ana')
    await stage.scene.sql`update profiles set full_name = 'Ana Österberg' where id = ${ana.id}`
    const claim = await company.claim(ana, { amount_cents: 9000 })
    const page = await stage.enter(company.company.admin, '/dashboard/audit')
    const field = page.getByRole('combobox', { name: 'Find' })
    const option = (name: string | RegExp) => page.getByRole('option', { name })
    await page.keyboard.press('Control+k')
    await option('Add Employee').waitFor()
    await field.fill('osterb')
    await option(/^Ana Österberg/).waitFor()
    assert.equal(await option(/^Ana Österberg/).getAttribute('aria-selected'), 'true')
    await field.press('Enter')
    await page.waitForURL(`**/dashboard/employees/${ana.id}`)
    await field.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN')

    await page.keyboard.press('Meta+K')
    await field.fill(`#${claim.id}`)
    await option(new RegExp(`^Claim #${claim.id}`)).click()
    await page.waitForURL(`**/dashboard/claims/${claim.id}`)
    await field.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Find/ }).click()
    await field.fill('import')
    await field.press('Enter')
    await page.waitForURL('**/dashboard/employees?add=Bulk+Upload')
    const adding = page.getByRole('dialog', { name: 'Add Employee' })
    await adding.waitFor()
    await page.keyboard.press('Control+k')
    assert.equal(await field.count(), 0)

    await page.keyboard.press('Escape')
    await adding.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field.fill('nobody is called so')
    await showsText(page, 'Nothing matches “nobody is called so”')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('nobody finds what they may not see', async () => {
    const ana = await company.hire('Dora')
    const quinn = await company.hire('Quinn')
    const [mine, theirs] = [
      await company.claim(ana, { amount_cents: 100 }),
      await company.claim(quinn, { amount_cents: 200, provider: 'Physio Nord' }),
    ]
    const page = await stage.enter(ana, '/dashboard/employee')
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      requests.push(pathname + search) // of several at once
    })
    const field = page.getByRole('combobox', { name: 'Find' })
    await page.keyboard.press('Control+k')
    for (const typed of ['quinn', 'physio', `${theirs.id}`]) {
      await field.fill(typed)
      await showsText(page, `Nothing matches “${typed}”`)
    }
    assert.ok(
      !requests.some((path) => /employees|review|users|companies/.test(path)),
      requests.join(' '),
    )
    await field.fill(`${mine.id}`)
    await page.getByRole('option', { name: `Claim #${mine.id}` }).waitFor()
    await field.press('Enter')
    await page.waitForURL(`**/dashboard/my-claims/${mine.id}`)
    await page.keyboard.press('Control+k')
    const option = page.getByRole('option', { name: `Claim #${mine.id}` })
    // Found by any of its words, which is marked.
    for (const typed of ['harbour', 'ANNUAL']) {
      await field.fill(typed)
      await option
        .locator('mark')
        .filter({ hasText: new RegExp(`^${typed}$`, 'i') })
        .waitFor()
    }
    await page.context().close()
  })

  test('more than are shown are one press away, with the same search', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
      await company.claim(await company.hire(`Kira ${name}`), { amount_cents: 100 })
    const page = await stage.enter(company.company.admin, '/dashboard/audit')
    const field = page.getByRole('combobox', { name: 'Find' })
    const option = (name: string | RegExp) => page.getByRole('option', { name })
    await page.keyboard.press('Control+k')
    await field.fill('k')
    await showsText(page, 'Type one more letter to find names, too')
    await field.fill('kira')
    await option('Show all 6 claims').waitFor()
    assert.equal(await option(/^Claim #/).count(), 5)
    await option('Show all 6 claims').click()
    await page.waitForURL('**/dashboard/claims?status=all&search=kira')
    await showsText(page, '6 of 6')
    await page.keyboard.press('Control+k')
    await field.fill('kira')
    await option('Show all 6 employees').click()
    await page.waitForURL('**/dashboard/employees?search=kira')
    await showsText(page, '6 of 6')
  })

  test('the provider finds companies and users', async () => {
    const page = await stage.enter(await stage.scene.superAdmin(), '/dashboard/super-admin')
    const field = page.getByRole('combobox', { name: 'Find' })
    await page.keyboard.press('Control+k')
    await field.fill(company.company.admin.email)
    await page.getByRole('option').filter({ hasText: company.company.admin.email }).click()
    await page.waitForURL(`**/dashboard/users?user=${company.company.admin.id}`)
    await page.context().close()
  })

  test('looks right', async () => {
    const first = async (
      page: Parameters<NonNullable<Parameters<typeof looksRight>[1]['first']>>[0],
    ) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find' }).fill('ana')
      await page.getByRole('group', { name: 'Claims' }).waitFor()
    }
    const path = '/dashboard/company-admin'
    await looksRight(stage, { who: company.company.admin, path, name: 'find', first })
    await looksRight(stage, {
      who: company.company.admin,
      path,
      name: 'find-all',
      first: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('option', { name: 'Add Employee' }).waitFor()
      },
    })
  })
})
