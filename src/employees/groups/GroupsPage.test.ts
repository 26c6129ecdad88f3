// Promises of the page of groups, in the real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contributedCompany, spread } from '../../../test/world/money.ts'
import { giveRights } from '../../../test/world/rights.ts'
import { openedStage, showsText, wide } from '../../../test/e2e/stage.ts'

const stage = openedStage()

test('a department that its last employee has left is marked, beside a number that has them', async () => {
  const company = await stage.scene.company()
  const ana = await company.hire('Ana')
  await stage.scene.sql`update profiles set department = 'Sales', left_on = joined_on,
    has_left = true where id = ${ana.id}`
  await company.admin.api.groups.add({ name: 'Field work', departments: ['Sales'] })
  const page = await stage.enter(company.admin, '/dashboard/employees/groups', wide)
  const line = page.getByRole('listitem').filter({ hasText: 'Field work' })
  await line.getByText('No current employee is in Sales.').waitFor()
  await line.getByRole('link', { name: '1 person' }).click()
  await showsText(page, 'Ana')
})

test('a group is removed once the years of its plans are closed, not before', async () => {
  const { company, plan_year } = await contributedCompany(stage.scene, 1_000_000)
  const hr = company.admin
  const field = await hr.api.groups.add({ name: 'Field work', departments: ['Sales'] })
  const { version } = await hr.api.group_plans.list({ plan_year })
  const plans = [{ group_id: field.id, counts_from: plan_year, ...spread(100, 100, 100) }]
  await hr.api.group_plans.change({ plan_year, version, plans })
  const page = await stage.enter(hr, '/dashboard/employees/groups', wide)
  const remove = page.getByRole('button', { name: 'Remove Field work' })
  await remove.click()
  await page.getByRole('dialog', { name: 'Field work is in use' }).getByText('1 plan').waitFor()
  await stage.scene.sql`update plan_years set closed_at = now() where company_id = ${company.id}`
  await page.reload()
  await remove.click()
  const dialog = page.getByRole('dialog', { name: 'Remove Field work?' })
  await dialog.getByRole('button', { name: 'Remove group' }).click()
  await showsText(page, 'Field work removed')
})

test('nobody is offered to bring themselves into a group: by its departments, or among whom they pick', async () => {
  const company = await stage.scene.company()
  const eve = await company.hire('Eve Adams')
  await company.hire('Evan Young')
  await giveRights(stage.scene, company, eve, 'people')
  await stage.scene.sql`update profiles set department = 'Sales' where id = ${eve.id}`
  const leaders = await company.admin.api.groups.add({ name: 'Leaders', departments: ['Sales'] })
  await company.admin.api.groups.add({ name: 'Travellers', departments: null })
  const page = await stage.enter(eve, '/dashboard/employees/groups', wide)
  await page.getByRole('button', { name: 'Edit Leaders' }).click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save group' })
  assert.equal(await save.getAttribute('aria-disabled'), null)
  await dialog.getByRole('checkbox', { name: /^Sales/ }).click()
  await dialog.getByText('This takes you out of the group.').waitFor()
  assert.equal(await save.getAttribute('aria-disabled'), 'true')
  await page.keyboard.press('Escape')
  assert.equal((await company.admin.api.groups.list({}))[0]?.version, leaders.version)

  await page.getByRole('button', { name: 'Pick people for Travellers' }).click()
  await dialog.getByLabel('Employee').pressSequentially('Ev')
  await page.getByRole('option', { name: 'Evan Young' }).waitFor()
  assert.equal(await page.getByRole('option', { name: 'Eve Adams' }).count(), 0)
})
