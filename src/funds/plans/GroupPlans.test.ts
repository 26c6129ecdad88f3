// The plans of groups in a real browser: a list that is saved as a whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedStage, showsText } from '../../../test/e2e/stage.ts'
import { fundedCompany } from '../../../test/world/company.ts'

const stage = openedStage()

test('a group’s plan that was added and not saved says so, survives leaving and a reload, until it is saved', async () => {
  const { company } = await fundedCompany(stage.scene)
  const { api } = company.admin
  await api.groups.add({ name: 'Field work', departments: ['Sales'] })
  const { plan_year } = await api.funds.plan({})
  const page = await stage.enter(company.admin, '/dashboard/funds?tab=Plan')
  await page.getByRole('button', { name: 'Add plan', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Prevention').fill('321')
  await dialog.getByRole('button', { name: 'Add to the list' }).click()
  const listed = () =>
    page.getByRole('list', { name: 'Group plans' }).getByText('Prevention €321.00').waitFor()
  await listed()
  await showsText(page, 'You have unsaved changes')
  await page.getByRole('link', { name: 'Employees' }).first().click()
  await page.waitForURL('**/dashboard/employees')
  await page.goto('/dashboard/funds?tab=Plan')
  await listed()
  await showsText(page, 'You have unsaved changes')
  await page.getByRole('button', { name: 'Save group plans' }).click()
  await showsText(page, 'Group plans saved')
  await page.getByText('You have unsaved changes').waitFor({ state: 'detached' })
  assert.equal((await api.group_plans.list({ plan_year })).plans[0]?.prevention_cents, 32_100)
  await page.reload()
  await listed()
  assert.equal(await page.getByText('You have unsaved changes').count(), 0)
  await page.context().close()
})
