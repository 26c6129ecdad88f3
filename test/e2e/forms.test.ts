// Promises of forms: what is emptied is not saved as zero, and no fault is kept from whoever has to correct it.
import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { problems } from '#problems.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { openedParts } from './parts.ts'
import { openedStage, showsText, untilSettled, wide } from './stage.ts'

describe('in forms,', () => {
  const stage = openedStage()
  let company: FundedCompany
  before(async () => {
    company = await fundedCompany(stage.scene)
  })
  afterEach(() => stage.leave())

  const numbers = 'input:is([type=number], [inputmode=numeric], [inputmode=decimal])[required]'
  const labelsOf = (form: Locator, which: string) =>
    form
      .locator(which)
      .evaluateAll((inputs) =>
        inputs.map((input) => (input as HTMLInputElement).labels?.[0]?.textContent),
      )

  /** Each of them by itself: the fault of one must not stand in for that of another. */
  async function emptied(form: Locator, save: string, expected: string[]) {
    await form.getByLabel(expected[0]!, { exact: true }).waitFor()
    const labels = await labelsOf(form, numbers)
    assert.deepEqual(labels, expected)
    for (const label of expected) {
      const field = form.getByLabel(label, { exact: true })
      const typed = await field.inputValue()
      await field.fill('')
      await form.getByRole('button', { name: save }).click()
      await form.getByText(/^Enter an? (number|amount)/).waitFor()
      assert.deepEqual(await labelsOf(form, '[aria-invalid=true]'), [label])
      await field.fill(typed || '1')
      await form.getByText(/^Enter an? (number|amount)/).waitFor({ state: 'detached' })
    }
  }

  test('a number that is needed, emptied, leaves the plan as it is', async () => {
    const { admin } = company.company
    const plan = await admin.api.funds.plan({})
    const page = await stage.enter(admin, '/dashboard/funds?tab=Plan')
    await page.getByRole('button', { name: 'Save plan' }).waitFor()
    await emptied(page.locator('form').filter({ hasText: 'Save plan' }), 'Save plan', [
      'Prevention',
      'Treatment',
      'Solidarity',
      'Extra Solidarity per dependent',
      'Days to submit after year end',
      'Days to file after leaving',
    ])
    assert.deepEqual(await admin.api.funds.plan({}), plan)
    await page.getByLabel('Days to file after leaving').fill('')
    await page.getByRole('button', { name: 'Save plan' }).click()
    await showsText(page, 'Enter a number')
    await page.getByRole('button', { name: /^Discard/ }).click()
    await page.getByText('Enter a number').waitFor({ state: 'detached' })
  })

  test('a number that is needed, emptied, leaves the policy as it is', async () => {
    const { admin } = company.company
    const policy = await admin.api.policies.current({})
    const page = await stage.enter(admin, '/dashboard/claims/policy')
    await page.getByRole('button', { name: 'Save policy' }).waitFor()
    await emptied(page.locator('form').filter({ hasText: 'Save policy' }), 'Save policy', [
      'Up to',
      'At most, claims per person and month',
      'Spot checks, percent',
      'Receipt needed above',
      'Decide within, working days',
      'Days before a new or changed account is paid',
    ])
    assert.deepEqual(await admin.api.policies.current({}), policy)
    const most = await page.getByLabel('Decide within, working days').getAttribute('max')
    assert.equal(Number(most), PolicyTerms.shape.review_days.maxValue)
  })

  test('a policy that is refused says so above the form, whose columns stay as they are', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/claims/policy')
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add step' }).click()
    const boxes = () =>
      Promise.all(
        [page.getByLabel('Up to', { exact: true }), page.getByLabel('Reason for the change')].map(
          async (field) => (await field.boundingBox()) ?? assert.fail('it is not shown'),
        ),
      )
    const before = await boxes()
    await page.getByRole('button', { name: 'Save policy' }).click()
    await page
      .locator('form > div:first-child')
      .getByText(problems.steps_need_reviewers[1])
      .waitFor()
    const after = await boxes()
    const columns = (found: typeof before) => found.map(({ x, width }) => [x, width])
    assert.deepEqual(columns(after), columns(before))
  })

  test('a number that is needed, emptied, leaves the limit on leavers as it is', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/employees/file')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Percent of employees')
    await field.fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await showsText(page, 'Enter a number')
    assert.deepEqual(await labelsOf(dialog, '[aria-invalid=true]'), ['Percent of employees'])
  })

  test('a higher limit on leavers asks for the password, a lower one is saved without', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/employees/file')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Percent of employees')
    await field.fill('100')
    await dialog.getByLabel('Your password').waitFor()
    await field.fill('1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await showsText(page, 'Limit saved')
  })

  test('a number that is needed, emptied, makes no limit on claims', async () => {
    const { admin } = company.company
    const page = await stage.enter(admin, '/dashboard/claims/policy')
    await page.getByRole('button', { name: 'Add limit' }).click()
    const dialog = page.getByRole('dialog')
    await emptied(dialog, 'Add limit', ['At most'])
    await dialog.getByLabel('Limit', { exact: true }).selectOption('waiting')
    await emptied(dialog, 'Add limit', ['Months after joining'])
    await dialog.getByLabel('Limit', { exact: true }).selectOption('frequency')
    await emptied(dialog, 'Add limit', ['Claims at most', 'In so many months'])
    assert.deepEqual(await admin.api.limits.list({}), [])
  })

  test('fields of a row stand in line, with a currency above them or none', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/claims/policy')
    const topOf = async (label: string) =>
      (await page.getByLabel(label, { exact: true }).boundingBox())?.y
    await page.getByRole('button', { name: 'Save policy' }).waitFor()
    await untilSettled(page)
    assert.equal(await topOf('Up to'), await topOf('At most, claims per person and month'))
  })

  test('what was typed as the most that carries over is not in the way of carrying over all', async () => {
    const { admin } = company.company
    const page = await stage.enter(admin, '/dashboard/funds?tab=Plan')
    const unspent = page.getByLabel('Unspent money at year end')
    const save = () => page.getByRole('button', { name: 'Save plan' }).click()
    await unspent.selectOption('up_to')
    await save()
    await page.getByText('Enter the most that carries over').waitFor()
    await page.getByLabel('Up to, per category').fill('a lot')
    await save()
    await page.getByLabel('Up to, per category').and(page.locator('[aria-invalid=true]')).waitFor()
    await unspent.selectOption('all')
    await save()
    await showsText(page, 'Plan saved')
    const { carry_over, carry_over_max_cents } = await admin.api.funds.plan({})
    assert.deepEqual([carry_over, carry_over_max_cents], ['all', null])
  })

  test('what was typed for another kind of limit is not in the way', async () => {
    const page = await stage.enter(company.company.admin, '/dashboard/claims/policy')
    await page.getByRole('button', { name: 'Add limit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Limit', { exact: true }).selectOption('frequency')
    await dialog.getByLabel('Claims at most').fill('200')
    await dialog.getByLabel('In so many months').fill('6')
    await dialog.getByRole('button', { name: 'Add limit' }).click()
    await dialog.getByText('At most 100').waitFor()
    await dialog.getByLabel('Limit', { exact: true }).selectOption('waiting')
    await dialog.getByRole('button', { name: 'Add limit' }).click()
    await showsText(page, 'Limit added')
  })

  test('what was chosen for other approvers of a step is not in the way', async () => {
    await company.admin('Mira Sol')
    const page = await stage.enter(company.company.admin, '/dashboard/claims/policy')
    await page.getByRole('button', { name: 'Add step' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who approves').selectOption('people')
    await dialog.getByLabel('Mira Sol').check()
    await dialog.getByLabel('Deputy').selectOption({ label: 'Mira Sol' })
    await dialog.getByRole('button', { name: 'Add step' }).click()
    await dialog.getByText('The deputy is already one of them').waitFor()
    await dialog.getByLabel('Who approves').selectOption('manager')
    await dialog.getByRole('button', { name: 'Add step' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})

describe('a fault that the server found', () => {
  const parts = openedParts()

  test('stands beside its field, also beside a switch', async () => {
    const page = await parts.open(wide)
    await page.goto(parts.url)
    const form = page.getByRole('region', { name: 'A form' })
    await form.getByLabel('Full Name').fill('Ana Tamm')
    await form.getByLabel('Email').fill('taken@example.com')
    await form.getByLabel('Relationship').selectOption('Child')
    await form.getByLabel('Password', { exact: true }).fill('quiet-harbour-42')
    await form.getByLabel('I agree').check()
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.getByText('This address is taken').waitFor()
    const control = form.getByRole('switch').and(page.locator('[aria-invalid=true]'))
    const described = (await control.getAttribute('aria-describedby'))!.split(' ')
    const text = await page.locator(`[id="${described.at(-1)}"]`).innerText()
    assert.equal(text, 'No reminders go to this address')
    await page.context().close()
  })
})

describe('a fault of a field that is not on screen stands at the top of its form', () => {
  const parts = openedParts()
  let page: Page
  beforeEach(async () => {
    page = await parts.open(wide)
    await page.goto(parts.url)
  })

  const form = () => page.getByRole('region', { name: 'A field that goes' })
  const top = () => form().locator('form > :first-child')

  test('where the form itself found it', async () => {
    await form().getByLabel('Claims').fill('200')
    await form().getByLabel('Limit').selectOption('amount')
    await form().getByRole('button').click()
    await form().getByText('At most 99 claims').waitFor()
    assert.equal(await top().innerText(), 'At most 99 claims')
    await form().getByLabel('Limit').selectOption('number')
    await form().getByRole('button').click()
    await form().getByLabel('Claims').and(page.locator('[aria-invalid=true]')).waitFor()
    assert.equal(await form().getByText('At most 99 claims').count(), 1)
  })

  test('where the server found it', async () => {
    await form().getByLabel('Claims').fill('13')
    await form().getByRole('button').click()
    await form().getByLabel('Claims').and(page.locator('[aria-invalid=true]')).waitFor()
    assert.equal(await form().getByText('13 is not allowed').count(), 1)
    await form().getByLabel('Limit').selectOption('amount')
    await form().getByText('13 is not allowed').waitFor({ state: 'detached' })
    await form().getByRole('button').click()
    await form().getByText('13 is not allowed').waitFor()
    assert.equal(await top().innerText(), '13 is not allowed')
  })
})
