// Promises of the page of groups, in the real browser.
import { test } from 'node:test'
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
