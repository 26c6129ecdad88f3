// Promises of the page of groups, in the real browser.
import { test } from 'node:test'
import { contributedCompany, spread } from '../../../test/world/money.ts'
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
