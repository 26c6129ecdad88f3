// The record of changes as its reader meets it, in a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openedStage, wide } from '../../test/e2e/stage.ts'
import { keyOf } from '../../test/world/keys.ts'
import type { Company } from '../../test/world/people.ts'

const stage = openedStage()
let company: Company
before(async () => {
  company = await stage.scene.company({ name: 'Northwind Instruments' })
})

test('is filtered by subject and action, has each address on one line, and leads to the claim', async () => {
  await stage.scene.sql`
    insert into audit_log (company_id, actor_id, actor_role, address, act, table_name, row_id)
    values (${company.id}, ${company.admin.id}, 'company_admin', '203.0.113.250', 'insert',
      'claims', '7')`
  const page = await stage.enter(company.admin, '/dashboard/audit', wide)
  await page.getByText(/Recorded automatically/).waitFor()
  for (const name of ['Subject', 'Action']) await page.getByRole('button', { name }).waitFor()
  const address = page.getByText('203.0.113.250', { exact: true })
  await address.waitFor()
  assert.equal(await address.evaluate((text) => text.getClientRects().length), 1)
  await page.getByText('admin submitted claim #7').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open claim #7' }).click()
  await page.waitForURL('**/dashboard/claims/7')
  await page.context().close()
})

test('says after a reload by whom alone it shows changes: a person, a key, or one who is gone', async () => {
  const { admin } = company
  const { id: key_id } = await keyOf(stage.scene, admin, ['people:write'], { name: 'Payroll' })
  const page = await stage.enter(admin, '/dashboard/audit', wide)
  await page.getByLabel('Who').fill('admin')
  await page.getByRole('option', { name: /admin/ }).first().click()
  const filter = page.getByRole('button', { name: /^Only by / })
  await page.getByRole('button', { name: 'Only by admin' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Only by admin' }).waitFor()
  await page.goto(`/dashboard/audit?actor=${key_id}`)
  await page.getByRole('button', { name: 'Only by Payroll' }).waitFor()
  await page.goto(`/dashboard/audit?actor=${crypto.randomUUID()}`)
  await page.getByRole('button', { name: 'Only by one person' }).waitFor()
  await filter.click()
  await page.getByLabel('Who').waitFor()
  await page.context().close()
})
