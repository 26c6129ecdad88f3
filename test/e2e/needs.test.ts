// Needs you in the browser: work finds its people live, and is done where it stands.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fundedCompany, type ClaimsStage } from '../claims-stage.ts'
import { openStage, picture, says, settled, type E2e } from './stage.ts'

describe('needs you', () => {
  let stage: E2e
  let company: ClaimsStage
  before(async () => {
    stage = await openStage()
    company = await fundedCompany(stage.scene)
    await company.hire('Ana')
  })
  after(async () => {
    await stage.close()
    assert.deepEqual(stage.faults, [])
  })

  test('an admin sees at once what comes, and presses it away where it stands', async () => {
    const { admin, domain } = company.company
    await admin.api.companies.set_auto_registration({ enabled: false })
    const page = await stage.enter(admin, '/dashboard/needs-you')
    await says(page, 'Nothing needs you')
    await picture(page, 'needs-you-nothing')
    const badge = page.getByRole('link', { name: /^Needs you/ })
    assert.equal(await badge.innerText(), 'Needs you')
    await stage.scene.signUp(`emre@${domain}`, 'employee', { full_name: 'Emre Aydin' })
    await stage.scene.signUp(`mallory@${domain}`, 'company_admin', { full_name: 'Mallory Moss' })
    await says(page, 'A request to be a Company Admin')
    await page.getByRole('link', { name: 'Needs you 2' }).waitFor()
    await settled(page)
    await picture(page, 'needs-you-some')
    assert.equal(await page.getByRole('button', { name: 'Approve Mallory Moss' }).count(), 0)
    const approve = page.getByRole('button', { name: 'Approve Emre Aydin' })
    await approve.dblclick()
    await says(page, 'Emre Aydin is approved')
    await says(page, 'Done')
    await page.getByRole('link', { name: 'Needs you 1' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Decide' }).click()
    await page.waitForURL('**/dashboard/employees')
    await says(page, 'Wants to be a Company Admin')
  })

  test('the provider activates a company from their dashboard', async () => {
    const boss = await stage.scene.superAdmin()
    const young = await stage.scene.company({ name: 'Young Works', status: 'pending' })
    const founder = await stage.enter(young.admin, '/dashboard/company-admin')
    await says(founder, 'The provider has not activated your company yet: it can receive no money')
    const page = await stage.enter(boss, '/dashboard/super-admin')
    await page.getByRole('button', { name: 'Activate Young Works' }).click()
    await says(page, 'Young Works is active')
    await founder.getByText('The provider has not activated').waitFor({ state: 'detached' })
  })
})
