// A payout without another admin, and one without a claim: what its page says before it is released.
import { describe, test } from 'node:test'
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
