// My Money in the browser: the figures of the dashboard, every entry, the proof, the statement on paper.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fundedCompany } from '../world/company.ts'
import { iban, payingCompany } from '../world/payouts.ts'
import type { Person } from '../world/people.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

describe('my money in the browser', () => {
  const stage = openedStage()

  test('an employee finds every entry, when they are paid, and takes the year to the tax office', async () => {
    const { acme, make, second } = await payingCompany(stage.scene)
    const ana = await acme.hire('Ana')
    await stage.scene.confirm(ana)
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban })
    const { id } = await acme.agreeing(ana, { amount_cents: 5000 })
    const page = await stage.enter(ana, '/dashboard/employee')
    await page.getByRole('link', { name: 'My Money' }).click()
    await showsText(
      page,
      'Your company has not set the day yet. It goes to your account ending in 3000.',
    )
    await make(3)
    await showsText(page, 'Your company still has to release this payout.')
    await second.api.payouts.release(await runOf(second))
    await page
      .getByText('Your company still has to release this payout.')
      .waitFor({ state: 'detached' })
    await showsText(page, 'It’ll be paid to your account ending in 3000.')
    await showsText(page, /^on its way, /)
    const used = page.getByRole('table', { name: 'Used, by family member' })
    await used.getByRole('row', { name: 'You' }).getByText('€50.00').waitFor()
    const entries = page.getByRole('table', { name: 'Statement' })
    const lines = async (what: string) =>
      (await entries.getByRole('row').filter({ hasText: what }).first().innerText())
        .split(/\s*[\n\t]+\s*/)
        .slice(1)
    assert.deepEqual(await lines('Claim submitted'), [
      `Claim submitted #${id}`,
      'Prevention: on hold until it is decided',
      '−€50.00',
      '€1,950.00',
    ])
    assert.deepEqual((await lines('Payment sent')).slice(0, 3), [
      `Payment sent: claim #${id}`,
      'Prevention',
      '€50.00',
    ])
    const can_claim = page.getByRole('region', { name: 'You can claim' })
    await can_claim.getByText('€1,950.00 for Prevention').waitFor()
    const first = page.getByRole('main').getByRole('heading', { level: 2 }).first()
    assert.equal(await first.innerText(), 'You can claim')
    const words = await page.getByRole('main').innerText()
    assert.doesNotMatch(
      words,
      /\b(pool|payable|held|ledger|granted|released)\b/i,
      'a word of the books',
    )
    await page.getByRole('button', { name: 'Verify' }).click()
    await showsText(page, /^No seal of your \d+ entries is broken, and they add up/)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Statement as PDF' }).click()
    assert.match((await download).suggestedFilename(), /^statement-\d{4}-\d\d-\d\d\.pdf$/)
    await untilSettled(page)
    await picture(page, 'my-money')
    await page
      .getByRole('link', { name: `Claim #${id}` })
      .first()
      .click()
    await page.waitForURL(`**/dashboard/my-claims/${id}`)
  })

  test('a year that takes no claims any more names no sum to claim, closed or not', async () => {
    const acme = await fundedCompany(stage.scene, { began: 370 })
    const ana = await acme.hire('Ana')
    const page = await stage.enter(ana, `/dashboard/my-money?year=${acme.plan_year}`)
    const can_claim = page.getByRole('heading', { name: 'You can claim' })
    await can_claim.waitFor()
    await stage.scene.sql`update plan_years set filing_days = 0
      where company_id = ${acme.id} and starts_on = ${acme.plan_year}`
    await page.reload()
    await page.getByRole('heading', { name: 'Next payout' }).waitFor()
    await can_claim.waitFor({ state: 'detached' })
  })

  async function runOf({ api }: Person) {
    const { runs } = await api.payouts.runs({})
    return runs[0]!
  }
})
