// Admins of a company, in the browser: one who goes, and one who is ill and alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../world/company.ts'
import { password, refuses } from '../world/people.ts'
import { withRights } from '../world/rights.ts'
import { openedStage, picture, showsText, untilSettled, wide } from './stage.ts'

const phone = { viewport: { width: 360, height: 800 } }

describe('the admins of a company', () => {
  const stage = openedStage()

  test('an admin is removed with the other’s password, and works as an employee at once', async () => {
    const office = await stage.scene.company({ name: 'Yard' })
    const ida = await office.appoint('Ida')
    const theirs = await stage.enter(ida, '/dashboard/claims')
    const page = await stage.enter(office.admin, '/dashboard/settings', phone)
    await page.getByRole('button', { name: 'Remove Ida' }).click()
    await page.getByLabel('Your password').fill('not this one')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Remove/ }).click()
    await dialog
      .getByText(/password/i)
      .last()
      .waitFor()
    await page.getByLabel('Your password').fill(password)
    await untilSettled(page)
    await picture(page, 'settings-remove-admin')
    await dialog.getByRole('button', { name: /^Remove/ }).click()
    await showsText(page, 'Ida no longer has any rights')
    await theirs.waitForURL('**/dashboard/employee')
    assert.equal(await theirs.getByRole('link', { name: 'Employees' }).count(), 0)
  })

  test('from when the rights that the provider gives count is said where it gives them', async () => {
    const { id: company_id, admin } = await stage.scene.company({ name: 'Pier' })
    const lead = await stage.scene.superAdmin()
    await lead.api.users.change_role({ id: admin.id, role: 'employee', company_id })
    const late = { full_name: 'Late Comer', email: 'late@pier.test', company_id }
    await lead.api.users.add({ ...late, role: 'company_admin' })
    const page = await stage.enter(lead, `/dashboard/companies/${company_id}`, wide)
    await page.getByText(/^Owner, People, Reviewer, Finance \(from .*\d\d:\d\d\)$/).waitFor()
    await picture(page, 'company-rights-that-begin-later')
  })

  test('whom a company suspended the provider re-activates, or suspends for itself', async () => {
    const office = await stage.scene.company({ name: 'Mole' })
    const hr = office.admin.api.employees
    const { id } = await office.hire('Ben')
    await hr.suspend({ id })
    const lead = await stage.scene.superAdmin()
    const page = await stage.enter(lead, `/dashboard/users?user=${id}`, phone)
    const sheet = page.getByRole('dialog', { name: 'Ben' })
    const by = (name: string) =>
      sheet.locator('dl > div', { hasText: 'Suspended by' }).getByText(name).waitFor()
    await by('Mole')
    await sheet.getByRole('button', { name: 'Re-activate' }).waitFor()
    await untilSettled(page)
    await picture(page, 'users-suspended-by-company-360')
    const takes_over = sheet.getByRole('button', { name: 'Suspend as the provider' })
    await takes_over.click()
    const asks = page.getByRole('dialog', { name: 'Suspend Ben as the provider?' })
    await asks.getByText('After this only the provider can').waitFor()
    await asks.getByRole('button', { name: 'Suspend' }).click()
    await by('The provider')
    assert.equal(await takes_over.count(), 0)
    await refuses('suspended_by_provider', hr.reactivate({ id }))
    await sheet.getByRole('button', { name: 'Re-activate' }).click()
    await sheet.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
    await sheet.getByText('Active', { exact: true }).waitFor()
  })

  test('one whom the provider makes waits for an owner, who has it to confirm and is told by whom', async () => {
    const office = await stage.scene.company({ name: 'Quay' })
    const ana = await office.hire('Ana')
    const lead = await stage.scene.superAdmin()
    const theirs = await stage.enter(lead, `/dashboard/users?user=${ana.id}`, phone)
    await theirs.getByRole('button', { name: 'Change role' }).click()
    const dialog = theirs.getByRole('dialog').last()
    await dialog.getByLabel('Role').selectOption('company_admin')
    await showsText(theirs, 'their rights count once an owner has confirmed them')
    await dialog.getByLabel('Your password').fill(password)
    await untilSettled(theirs)
    await picture(theirs, 'users-change-role-360')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await showsText(theirs, 'Ana is now Company Admin')
    assert.equal((await ana.api.users.me({})).rights.length, 0)
    const hers = await stage.enter(ana, '/dashboard/employee', phone)
    await untilSettled(hers)
    await picture(hers, 'employee-whose-rights-wait-360')
    const page = await stage.enter(office.admin, '/dashboard/company-admin', phone)
    await showsText(page, 'Rights to confirm: Owner, People, Reviewer, Finance')
    await untilSettled(page)
    await picture(page, 'needs-rights-of-provider-360')
    await page.goto(page.url().replace(/\/dashboard.*/, '/dashboard/settings#rights'))
    const right = page.getByRole('list', { name: 'Rights of Ana' }).getByRole('listitem').first()
    await right.getByText('by the provider').waitFor()
    await untilSettled(page)
    await right.scrollIntoViewIfNeeded()
    await picture(page, 'settings-rights-of-provider-360')
    await right.getByRole('button', { name: 'Confirm' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click()
    await right.getByText('by the provider, confirmed by').waitFor()
    assert.equal((await ana.api.users.me({})).rights.length, 1)
  })

  test('a right that waits is not shown to the provider as if it counted', async () => {
    const office = await stage.scene.company({ name: 'Dock' })
    const ana = await office.hire('Ana')
    const lead = await stage.scene.superAdmin()
    const change = { id: ana.id, role: 'company_admin', company_id: office.id } as const
    await lead.api.users.change_role(change)
    for (const dress of [{}, phone]) {
      const page = await stage.enter(lead, `/dashboard/companies/${office.id}`, dress)
      const hers = page.getByRole('table', { name: 'Admins' }).getByRole('row', { name: /Ana/ })
      await hers.getByText('Waits for an owner').waitFor()
      await untilSettled(page)
      const rights = hers.getByText('Owner, People, Reviewer, Finance')
      const parts = await rights.evaluate(({ firstChild }) => {
        const range = document.createRange()
        range.setStart(firstChild!, 0)
        range.setEnd(firstChild!, 'Owner'.length)
        return range.getClientRects().length
      })
      assert.equal(parts, 1, 'no word is broken')
      await picture(page, `company-admin-who-waits-${dress === phone ? 360 : 1440}`)
      assert.doesNotMatch((await hers.textContent()) ?? '', /Active/)
    }
  })

  test('a company that gets another name has it in the menu of its admins at once', async () => {
    const office = await stage.scene.company({ name: 'Old Yard' })
    const { api } = await stage.scene.superAdmin()
    const page = await stage.enter(office.admin, '/dashboard/settings')
    const menu = page.getByRole('complementary')
    await menu.getByText('Old Yard').waitFor()
    await untilSettled(page)
    await api.companies.change({
      ...(await api.companies.find({ id: office.id })),
      name: 'New Yard',
    })
    await menu.getByText('New Yard').waitFor()
  })

  test('the record leads to the statement of the money whoever may read that', async () => {
    const office = await stage.scene.company()
    for (const [right, leads] of [
      ['auditor', 1],
      ['owner', 0],
    ] as const) {
      const reader = await withRights(stage.scene, office, right)
      const page = await stage.enter(reader, '/dashboard/audit')
      await showsText(page, 'Movements of money are in the statement.')
      const link = page.getByRole('link', { name: 'statement', exact: true })
      assert.equal(await link.count(), leads)
      if (leads === 0) continue
      await link.click()
      await page.getByRole('tab', { name: 'Statement', selected: true }).waitFor()
    }
  })

  test('the provider enters the absence of a company’s one admin', async () => {
    const office = await stage.scene.company({ name: 'Mill' })
    const lead = await stage.scene.superAdmin()
    const page = await stage.enter(lead, `/dashboard/companies/${office.id}`, phone)
    const today = await todayOf(stage.scene, office)
    await page.getByRole('button', { name: /^Enter absence of/ }).click()
    await page.getByLabel('First day').fill(today)
    await page.getByLabel('Last day').fill(daysAfter(today, 9))
    await untilSettled(page)
    await picture(page, 'company-absence')
    await page.getByRole('button', { name: 'Save absence' }).click()
    await showsText(page, /^Absence of .+ saved$/)
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor()
    await picture(page, 'company-absent')
    const admin = await stage.enter(office.admin, '/dashboard/settings')
    await showsText(admin, 'Nobody is standing in: the work waits')
    await admin.getByRole('button', { name: 'I’m back' }).click()
    await showsText(admin, 'Welcome back')
    await page.getByRole('button', { name: /^Enter absence of/ }).waitFor()
  })
})
