// HR's list of employees: what its filters and its figures say.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { money } from '#ui/figures.ts'
import { fundedCompany } from '../world/company.ts'
import { openedStage, showsText } from './stage.ts'

describe('the employees, in the browser', () => {
  const stage = openedStage()
  afterEach(() => stage.leave())

  test('a department or group that is gone stands on its filter, and is taken off there', async () => {
    const company = await stage.scene.company()
    await company.hire('Ana')
    const page = await stage.enter(company.admin, '/dashboard/employees?department=Old+works')
    for (const [label, text] of [
      ['Department', 'Old works · 0'],
      ['Group', 'Removed group · 0'],
    ] as const) {
      await showsText(page, 'No matching people')
      await page.getByRole('button', { name: `${label} ${text}` }).click()
      await page.getByRole('menuitemradio', { name: 'All', exact: true }).click()
      await page.getByRole('button', { name: 'Ana' }).waitFor()
      assert.equal(await page.getByText(text).count(), 0)
      if (label === 'Department')
        await page.goto('/dashboard/employees?group=00000000-0000-4000-8000-000000000000')
    }
  })

  test('the average is the total divided by the people who are here', async () => {
    const company = await fundedCompany(stage.scene)
    const { admin } = company.company
    const [, ben, cem] = [
      await company.hire('Ana'),
      await company.hire('Ben'),
      await company.hire('Cem'),
    ]
    await admin.api.employees.suspend({ id: ben.id })
    await stage.scene.sql`
      update profiles set left_on = ${company.today}::date - 1, has_left = true where id = ${cem.id}`
    const { categories, currency } = await admin.api.funds.overview({})
    const sum = categories.reduce((total, { available_cents }) => total + available_cents, 0)
    const page = await stage.enter(admin, '/dashboard/employees')
    await showsText(page, 'total funds, with those of people who left, divided by 2 employees')
    await showsText(page, money(Math.round(sum / 2), currency))
    await showsText(page, 'still available this year, including to people who left')
  })
})
