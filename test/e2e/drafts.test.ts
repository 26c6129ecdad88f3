// Typing while others write: drafts, records that change on screen, two people at one browser.
import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { withRights } from '../world/rights.ts'
import { openedStage, picture, showsText, untilSettled, wide } from './stage.ts'

describe('what is typed, and who else writes', () => {
  const stage = openedStage()
  let company: FundedCompany
  before(async () => {
    company = await fundedCompany(stage.scene)
  })
  afterEach(() => stage.leave())

  test('who comes in by a link in another tab never sees what the first one saw', async () => {
    const ana = await company.hire('Ana')
    const ben = await company.hire('Ben')
    await company.claim(ana, { amount_cents: 9000, provider: 'Harbour Clinic' })
    const first = await stage.open(wide)
    await stage.signIn(first, ana.email, '/dashboard/my-claims')
    await showsText(first, 'Harbour Clinic')
    await first.evaluate(() => {
      const readDraft = () => {
        const { innerText } = document.body
        if (innerText.includes('Harbour Clinic') && innerText.includes('Ben'))
          document.documentElement.dataset['mixed'] = 'yes'
      }
      new MutationObserver(readDraft).observe(document.body, { childList: true, subtree: true })
    })
    const data = { email: ben.email }
    await first.context().request.post('/auth/v1/recover', { data })
    const second = await first.context().newPage()
    await second.goto(await stage.linkFor(ben.email))
    const fresh = 'an orchard in late october'
    await second.getByLabel('New password').fill(fresh)
    await second.getByLabel('Confirm password').fill(fresh)
    await second.getByRole('button', { name: 'Set new password' }).click()
    await second.waitForURL('**/dashboard/employee')
    await showsText(first, 'Ben')
    await first.getByRole('heading', { name: 'My Claims' }).waitFor()
    assert.equal(await first.getByText('Harbour Clinic').count(), 0)
    assert.equal(await first.locator('html').getAttribute('data-mixed'), null)
    await first.context().close()
  })

  test('two owners at one plan: each field is the last one’s, and nobody’s is taken back', async () => {
    const { api } = company.company.admin
    const change = async (terms: object) => {
      const plan = await api.funds.plan({})
      await api.funds.change_plan({ ...plan, ...terms })
    }
    const mira = await withRights(stage.scene, company.company, 'owner')
    const page = await stage.enter(mira, '/dashboard/funds?tab=Plan')
    const field = (name: string) => page.getByLabel(name, { exact: true })
    const shows = (name: string, value: string) =>
      page.waitForFunction(
        ([label, expected]) =>
          [...document.querySelectorAll('input')].some(
            (input) => input.labels?.[0]?.textContent === label && input.value === expected,
          ),
        [name, value],
      )
    await field('Prevention').fill('210')
    await change({ treatment_cents: 50_000 })
    await page.getByRole('button', { name: 'Save plan' }).click()
    await showsText(page, 'Plan saved')
    const both = await api.funds.plan({})
    assert.deepEqual([both.prevention_cents, both.treatment_cents], [21_000, 50_000])
    await shows('Treatment', '500.00')
    // A draft left behind: what somebody else changed meanwhile is theirs.
    await field('Prevention').fill('220')
    await field('Solidarity').fill('130')
    await page.goto('/dashboard/notifications')
    await change({ prevention_cents: 23_000, treatment_cents: 51_000 })
    await page.goto('/dashboard/funds?tab=Plan')
    await shows('Solidarity', '130')
    await shows('Prevention', '230.00')
    await shows('Treatment', '510.00')
    // Both change one field: both are shown, and nothing is overwritten.
    await field('Prevention').fill('240')
    await change({ prevention_cents: 25_000 })
    await page.getByRole('button', { name: 'Save plan' }).click()
    await showsText(page, 'Somebody else changed this while you were editing')
    await untilSettled(page)
    await picture(page, 'plan-changed-meanwhile')
    await page.getByRole('button', { name: 'Replace with mine' }).click()
    await showsText(page, 'Plan saved')
    await page.getByRole('button', { name: 'Save plan' }).waitFor()
    const last = await api.funds.plan({})
    assert.deepEqual([last.prevention_cents, last.solidarity_cents], [24_000, 13_000])
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Save plan')
  })

  test('a plan that was typed and not saved says so after a reload, and can be discarded', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/funds?tab=Plan')
    const field = page.getByLabel('Prevention', { exact: true })
    const saved = await field.inputValue()
    assert.equal(await page.getByText('You have unsaved changes').count(), 0)
    await field.fill('333')
    await showsText(page, 'You have unsaved changes')
    await page.reload()
    await showsText(page, 'You have unsaved changes')
    assert.equal(await field.inputValue(), '333')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('You have unsaved changes').waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), saved)
    await page.reload()
    await field.waitFor()
    assert.equal(await field.inputValue(), saved)
  })

  test('Cancel gives up what is typed; Escape keeps it for the next time', async () => {
    const { admin } = company.company
    await admin.api.groups.add({ name: 'Night shift', departments: null })
    const page = await stage.enter(admin, '/dashboard/employees/groups')
    const edit = page.getByRole('button', { name: 'Edit Night shift' })
    const name = page.getByRole('dialog').getByLabel('Name')
    await edit.click()
    await name.fill('Late shift')
    await page.keyboard.press('Escape')
    await edit.click()
    assert.equal(await name.inputValue(), 'Late shift')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await edit.click()
    assert.equal(await name.inputValue(), 'Night shift')
  })

  test('nobody is chosen whose name isn’t shown, and after Add the field is for the next one', async () => {
    const { admin } = company.company
    await company.hire('Gil')
    const { id } = await admin.api.groups.add({ name: 'Drivers', departments: null })
    const page = await stage.enter(admin, '/dashboard/employees/groups')
    const field = page.getByRole('dialog').getByLabel('Employee')
    const add = page.getByRole('button', { name: 'Add to group' })
    const open = async () => page.getByRole('button', { name: 'Pick people for Drivers' }).click()
    await open()
    await field.fill('Gil')
    await page.getByRole('option', { name: /Gil/ }).click()
    await page.reload()
    await open()
    assert.equal(await field.inputValue(), '')
    await add.click()
    await page.getByRole('dialog').locator('[aria-invalid]').waitFor()
    const members = async () =>
      (await admin.api.groups.list({})).find((one) => one.id === id)?.people
    assert.equal(await members(), 0)
    await field.fill('Gil')
    await page.getByRole('option', { name: /Gil/ }).click()
    await add.click()
    await page.getByRole('button', { name: /^Take Gil out/ }).waitFor()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[role=combobox]')?.value === '',
    )
    assert.equal(await members(), 1)
  })

  test('what is shown once stays until Done is pressed', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/employees?add=Single')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Full Name').fill('Ida Novak')
    await dialog.getByRole('textbox', { name: 'Email' }).fill(`ida@${company.company.domain}`)
    await dialog.getByLabel('Department', { exact: true }).fill('Sales')
    await dialog.getByRole('button', { name: 'Add Employee' }).click()
    await showsText(page, 'Initial password')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await untilSettled(page)
    await picture(page, 'shown-once')
    assert.equal(await dialog.getByRole('button', { name: 'Close' }).count(), 0)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('a field that somebody else emptied does not stop what I save', async () => {
    const { admin } = company.company
    const { id } = await company.hire('Jon')
    const edit = async (terms: object) => {
      const found = await admin.api.employees.find({ id })
      const { full_name, joined_on, version, personnel_number } = found
      const now = { full_name, department: 'Sales', joined_on, personnel_number }
      await admin.api.employees.edit({ id, version, ...now, ...terms })
    }
    await edit({ phone: '+44 20 7946 0000' })
    const page = await stage.enter(admin, `/dashboard/employees/${id}`)
    await page.getByLabel('Department').fill('Transport')
    await edit({})
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Employee saved')
    const saved = await admin.api.employees.find({ id })
    assert.deepEqual([saved.department, saved.phone], ['Transport', null])
    await page.getByRole('button', { name: 'Save Changes' }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Save Changes')
  })

  test('a row’s sheet opens and closes on the page of the list where it is', async () => {
    await stage.scene.sql`
      insert into inquiries (full_name, email, company, people, message)
      select 'Visitor ' || n, 'visitor' || n || '@example.com', 'Bright Sea', 10,
        'A question about prices'
      from generate_series(1, 120) n`
    const page = await stage.enter(company.provider, '/dashboard/inquiries')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL('**after=*')
    await untilSettled(page)
    await page
      .getByRole('button', { name: /^Visitor/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    assert.match(page.url(), /after=/)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.waitForURL((url) => !url.search.includes('after='))
  })

  test('an unfinished claim is announced in its tab, continued or discarded', async () => {
    const eva = await company.hire('Eva')
    const page = await stage.enter(eva, '/dashboard/my-claims?new')
    const announced = page.getByText('You have an unfinished claim', { exact: true })
    await page.getByRole('dialog').getByLabel('Provider').fill('Harbour Clinic')
    await page.keyboard.press('Escape')
    await announced.waitFor()
    await untilSettled(page)
    await picture(page, 'unfinished-claim-1440')
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await announced.waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    const provider = page.getByRole('dialog').getByLabel('Provider')
    assert.equal(await provider.inputValue(), 'Harbour Clinic')
    assert.equal(await announced.count(), 0, 'it is open')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await announced.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'My Claims', level: 1 }).waitFor()
    assert.equal(await announced.count(), 0)
  })

  test('an unfinished claim is discarded whatever became of its receipts', async () => {
    const gus = await company.hire('Gus')
    const { receipts } = gus.api
    const [gone] = [await company.receipt(gus), await company.receipt(gus)]
    const page = await stage.enter(gus, '/dashboard/my-claims?new')
    const add = page.getByRole('button', { name: 'Add receipt.pdf' })
    for (const last of [1, 0]) {
      await add.nth(last).click()
      await add.nth(last).waitFor({ state: 'detached' })
    }
    await page.keyboard.press('Escape')
    await receipts.remove({ id: gone })
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('You have an unfinished claim').waitFor({ state: 'detached' })
    await untilSettled(page)
    assert.equal((await page.getByRole('alert').allInnerTexts()).join(''), '')
    assert.deepEqual(await receipts.list({}), [])
  })

  test('a claim made again begins without what it was rejected for', async () => {
    const fay = await company.hire('Fay')
    const again = async (reason: 'wrong_amount' | 'not_covered', text: string) => {
      const { id, version } = await company.claim(fay, { amount_cents: 8000 })
      await company.company.admin.api.review.reject({ id, version, reason, text })
      await page.goto(`/dashboard/my-claims?new&from=${id}`)
      await showsText(page, text)
      const field = (name: string) => page.getByRole('dialog').getByLabel(name).inputValue()
      return [await field('Bill total'), await field('Amount claimed')]
    }
    const page = await stage.enter(fay, '/dashboard/my-claims')
    assert.deepEqual(await again('wrong_amount', 'Your insurer pays a part.'), ['', ''])
    assert.deepEqual(await again('not_covered', 'Ask your doctor.'), ['80.00', '80.00'])
  })
})
