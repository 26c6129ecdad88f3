// A payout without another admin, and one without a claim: what its page says before it is released.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reverse } from '../world/claims.ts'
import { owedBack, payee, payingCompany } from '../world/payouts.ts'
import { checkPage } from './axe.ts'
import { openedStage, showsText } from './stage.ts'

describe('a payout', () => {
  const stage = openedStage()

  test('is made and released by one person alone, who reads which file pays it', async () => {
    const { acme, hr } = await payingCompany(stage.scene, { lone: true })
    await stage.scene.sql`delete from company_accounts where company_id = ${acme.id}`
    const ben = await payee(acme, 'Ben')
    await acme.agreeing(ben, { amount_cents: 4000 })
    const { id } = await hr.api.payouts.make({ cut_off_on: acme.today, pay_on: acme.today })
    const page = await stage.enter(hr, `/dashboard/claims/payouts?payout=${id}`)
    await showsText(page, 'Ready for release')
    await showsText(page, 'You made it, and release it yourself')
    await page.getByRole('button', { name: 'Release' }).click()
    await showsText(
      page,
      /The bank file pays everyone\. It can’t be made before your company’s account is entered/,
    )
    await checkPage(page, 'payout-alone-1440', 'a payout that one person releases')
    await page.getByRole('dialog').last().getByRole('button', { name: 'Release' }).click()
    await showsText(page, `Payout ${id} released`)
    await showsText(page, /^The bank file pays everyone in this payout/)
  })

  test('shows whom payroll pays, whom it could not, and that nothing is paid where all is withheld', async () => {
    const { acme, hr, second, make } = await payingCompany(stage.scene)
    const [ana, ben] = [await payee(acme, 'Ana Costa'), await acme.hire('Ben Kos')]
    const forged = await acme.agreeing(ana, { amount_cents: 5000 })
    const first = await second.api.payouts.release(await make())
    await reverse(hr, forged)
    await acme.agreeing(ana, { amount_cents: 2000 })
    await acme.agreeing(ben, { amount_cents: 3000 })
    await stage.scene.sql`update profiles set left_on = ${acme.today}::date - 1
      where id = ${ben.id}`
    const { id } = await second.api.payouts.release(await make())
    const page = await stage.enter(hr, `/dashboard/claims/payouts?payout=${id}`)
    await showsText(page, /^Payroll pays everyone in this payout/)
    const lineOf = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await lineOf('Ana Costa').getByText('€20.00 of €20.00 withheld').waitFor()
    assert.equal(await lineOf('Ana Costa').getByText('Paid by payroll').count(), 0)
    assert.equal(await lineOf('Ana Costa').getByRole('button').count(), 0, 'nothing can come back')
    await lineOf('Ben Kos').getByText('Paid by payroll').waitFor()
    await lineOf('Ben Kos').getByText('Left the company').waitFor()
    await page.getByRole('button', { name: 'Mark as not paid: Ben Kos' }).click()
    await showsText(page, 'Payroll could not pay Ben Kos?')
    await page.getByLabel('What payroll says').fill('Left before the pay day')
    await page.getByRole('button', { name: 'Mark as not paid', exact: true }).click()
    await showsText(page, 'Payment marked as not paid')
    await lineOf('Ben Kos').getByText('Not paid by payroll').waitFor()
    await lineOf('Ben Kos').getByText('Left before the pay day').waitFor()
    assert.equal(await lineOf('Ben Kos').getByText('Paid by payroll', { exact: true }).count(), 0)
    await checkPage(page, 'payout-by-payroll-1440', 'a payout by payroll, and one withheld')
    // The row is what erasing a person leaves of their part of a payout.
    await stage.scene.sql`update pay_items set holder = null, iban = null
      where company_id = ${acme.id} and run_id = ${first.id}`
    await page.goto(`/dashboard/claims/payouts?payout=${first.id}`)
    await showsText(page, /^The bank file pays everyone/)
    await lineOf('Ana Costa').waitFor()
    assert.equal(await lineOf('Ana Costa').getByText('Paid by payroll').count(), 0)
  })

  test('is made of money alone that is owed back to a person', async () => {
    const paying = await payingCompany(stage.scene)
    await owedBack(paying, await payee(paying.acme, 'Cem Kaya'))
    const page = await stage.enter(paying.hr, '/dashboard/claims/payouts')
    await page.getByText('1 person', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show payments' }).click()
    await showsText(page, '€10.00 of it given back, withheld before')
    await checkPage(page, 'payouts-due-owed-1440', 'money owed back')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Make payout' }).click()
    await showsText(page, '€10.00 that was withheld before is given back.')
    await page.getByRole('dialog').getByRole('button', { name: 'Make payout' }).click()
    await showsText(page, /is ready for release/)
  })
})
