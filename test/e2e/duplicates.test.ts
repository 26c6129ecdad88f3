// Approving a claim that looks like another one, in the browser: it asks first, and names the other.
import { describe, test } from 'node:test'
import { fundedCompany } from '../world/company.ts'
import { openedStage, showsText } from './stage.ts'

describe('a claim that looks like another', () => {
  const stage = openedStage()

  test('is approved once the reviewer has read which claim it looks like', async () => {
    const acme = await fundedCompany(stage.scene)
    const ana = await acme.hire('Ana')
    const bill = { bill_cents: 10_550, service_on: acme.today, provider: 'Dr. Kovač' }
    const first = await acme.claim(ana, { ...bill, amount_cents: 1483 })
    const { id } = await acme.claim(ana, { ...bill, amount_cents: 10_550 })
    const page = await stage.enter(acme.company.admin, `/dashboard/claims/${id}`)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Approve claim #${id} anyway?` })
    const named = new RegExp(
      `^The same bill amount \\(€105\\.50\\), day and provider on claim #${first.id}, €14\\.83 for `,
    )
    await dialog.getByText(named).waitFor()
    await dialog.getByRole('button', { name: 'Approve anyway' }).click()
    await showsText(page, `Claim #${id} approved`)
  })

  test('says that it no longer does, once the other is withdrawn', async () => {
    const acme = await fundedCompany(stage.scene)
    const ana = await acme.hire('Ana')
    const bill = { bill_cents: 10_550, amount_cents: 10_550, service_on: acme.today }
    const first = await acme.claim(ana, { ...bill, provider: 'Dr. Kovač' })
    const { id } = await acme.claim(ana, { ...bill, provider: 'Dr. Kovač' })
    await ana.api.claims.withdraw({ id: first.id })
    const page = await stage.enter(acme.company.admin, '/dashboard/claims')
    await page
      .getByRole('list', { name: 'Claims' })
      .getByRole('button', { name: /Approve/ })
      .click()
    const dialog = page.getByRole('dialog', { name: `Approve claim #${id} anyway?` })
    await dialog.getByText('No other claim looks like it any more.').waitFor()
  })
})
