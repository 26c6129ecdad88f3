// An approved claim becomes money, with the employee's own screen open all the while: it changes without a touch.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { readBankFile } from '../bank-file.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { another_iban, iban, payee, payingCompany, setAccountWait } from '../world/payouts.ts'
import { password, type Person } from '../world/people.ts'
import { checkPage } from './axe.ts'
import { openedStage, showsText } from './stage.ts'

describe('a payout', () => {
  const stage = openedStage()
  afterEach(() => stage.leave())

  async function watched(person: Person, id: number) {
    const list = await stage.enter(person, '/dashboard/my-claims')
    const claim = await stage.enter(person, `/dashboard/my-claims/${id}`)
    const row = list.getByRole('row', { name: new RegExp(`#${id}`) })
    /** Both of the employee's screens show it, without a touch. */
    const isShown = async (in_list: string, in_story: string) => {
      await row.getByText(in_list).waitFor()
      await showsText(claim, in_story)
    }
    return { list, claim, isShown }
  }

  test('goes to the account that its owner gave, from the one of the company', async () => {
    const acme = await fundedCompany(stage.scene)
    const ben = await acme.hire('Ben Okafor')
    const { id, version } = await acme.claim(ben, { amount_cents: 8000 })
    await acme.company.admin.api.review.approve({ id, version })
    const own = await watched(ben, id)
    const { list } = own
    const desk = await stage.enter(acme.company.admin, '/dashboard/claims/payouts')
    const no_day = 'You’ll be paid in the next payout. Your company has not set its day yet.'
    await own.isShown('In the next payout', no_day)
    await showsText(
      list,
      'Approved claims are paid by your company’s payroll unless you add a bank account.',
    )
    await list.getByRole('button', { name: 'Add' }).click()
    await list.getByLabel('Account holder').fill('Ben Okafor')
    await list.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01')
    await list.getByLabel('Your password', { exact: true }).fill(password)
    await list.getByRole('button', { name: 'Save account' }).click()
    await showsText(list, 'This IBAN isn’t valid')
    await list.getByLabel('IBAN').fill('de89 3704 0044 0532 0130 00')
    await list.getByRole('button', { name: 'Save account' }).click()
    await showsText(list, 'Bank account saved')
    await showsText(list, /3000/)
    await showsText(desk, '€80.00')
    await desk.getByRole('button', { name: 'Add' }).click()
    await desk.getByLabel('Account holder').fill('Northwind Instruments GmbH')
    await desk.getByLabel('IBAN').fill('DE02120300000000202051')
    await desk.getByLabel('Your password', { exact: true }).fill('surely not this one')
    await desk.getByRole('button', { name: 'Save account' }).click()
    await showsText(desk, 'This is not your password')
    const kept = await desk.evaluate(() => JSON.stringify(sessionStorage))
    assert.doesNotMatch(kept, /DE0212|Northwind|surely/, 'where money goes is in no draft')
    await desk.getByLabel('Your password', { exact: true }).fill(password)
    await desk.getByRole('button', { name: 'Save account' }).click()
    await showsText(desk, 'Company account saved')
  })

  describe('of a claim whose employee and two admins look on', () => {
    let company: FundedCompany
    let ana: Person
    let mira: Person
    let claim_id: number
    /** Screens that stay open: those of the employee, and of two admins. */
    let claim: Page
    let isShown: Awaited<ReturnType<typeof watched>>['isShown']
    let maker: Page
    let releaser: Page
    beforeEach(async () => {
      const paying = await payingCompany(stage.scene)
      company = paying.acme
      mira = paying.second
      ana = await payee(company, 'Ana', 'Ana Costa & Söhne')
      await stage.scene.sql`update profiles set full_name = ${'Ana Costa & Söhne'}
      where id = ${ana.id}`
      const { id, version } = await company.claim(ana, { amount_cents: 8000 })
      await mira.api.review.approve({ id, version })
      claim_id = id
      ;({ isShown, claim } = await watched(ana, id))
      maker = await stage.enter(paying.hr, '/dashboard/claims/payouts')
      releaser = await stage.enter(mira, '/dashboard/claims/payouts')
    })

    const verifies = async () => assert.deepEqual(await company.faults(), [])

    async function make() {
      await maker.getByRole('button', { name: 'Make payout' }).click()
      await maker.getByLabel('Pay on').fill(daysAfter(company.today, 2))
      await maker.getByRole('dialog').getByRole('button', { name: 'Make payout' }).click()
      await showsText(maker, /is ready for release/)
    }
    /** The newest, also where the list did not hear of it yet. */
    const open = async (page: Page) => {
      const { runs } = await mira.api.payouts.runs({})
      await page.getByRole('button', { name: new RegExp(`^Payout ${runs[0]!.id}\\b`) }).click()
    }

    test('leaves a blocked payment out, and its person knows that it waits', async () => {
      await releaser.getByRole('button', { name: 'Show payments' }).click()
      await showsText(releaser, `#${claim_id}`)
      await checkPage(releaser, 'payouts-due-1440', 'payments of the next payout')
      await releaser.getByRole('button', { name: /^Block payment: Ana Costa/ }).click()
      await releaser.getByLabel('What is blocked').selectOption(String(claim_id))
      await releaser.getByLabel('Reason').fill('The account looks like somebody else’s')
      const dialog = releaser.getByRole('dialog', { name: /^Block payment to/ })
      await checkPage(releaser, 'payout-block-1440', 'a payment block')
      await dialog.getByRole('button', { name: 'Block payment' }).click()
      await showsText(releaser, /^Payment to Ana Costa.* blocked/)
      await dialog.waitFor({ state: 'hidden' })
      await releaser.keyboard.press('Escape')
      await isShown('Payment waits, ask HR', 'keeps the payment out of payouts for now')
      await showsText(maker, '1 claim is blocked and left out, €80.00 in all')
      await checkPage(maker, 'payouts-blocked-1440', 'payouts with a payment block')
      const theirs = await stage.enter(mira, `/dashboard/claims/${claim_id}`)
      await showsText(theirs, 'Payment blocked: payouts leave this claim out')
      await showsText(theirs, 'The account looks like somebody else’s')
      await checkPage(theirs, 'claim-blocked-1440', 'a claim whose payment is blocked')
      await theirs.getByRole('button', { name: 'Remove block' }).click()
      await theirs.getByRole('dialog').last().getByRole('button', { name: 'Remove block' }).click()
      await showsText(theirs, /unblocked/)
      await maker.getByRole('button', { name: /^Remove block: / }).waitFor({ state: 'detached' })
      await isShown('In the next payout', 'You’ll be paid in the next payout.')
    })

    test('is made and cancelled: the claim comes back; whoever was about to release it is told', async () => {
      await make()
      await isShown('Being paid out', 'It is in a payout that is being prepared.')
      await open(maker)
      await showsText(maker, 'Waiting for Second')
      await open(releaser)
      await showsText(releaser, 'Waiting for you')
      await releaser.getByRole('button', { name: 'Release' }).click()
      const sure = releaser.getByRole('dialog', { name: /^Release payout/ })
      await sure.waitFor()
      await cancelPayout(maker)
      await sure.getByText('Somebody else cancelled it a moment ago.').waitFor()
      await checkPage(releaser, 'payout-moot-1440', 'a payout that was cancelled meanwhile')
      await sure.getByRole('button', { name: 'OK' }).click()
      await isShown('In the next payout', 'You’ll be paid in the next payout.')
      await verifies()
    })

    test('that is closed after a reload leaves the keyboard on the page', async () => {
      const { payouts } = mira.api
      await payouts.cancel(await payouts.make({ cut_off_on: company.today, pay_on: company.today }))
      await maker.reload()
      await open(maker)
      await maker.reload()
      await showsText(maker, 'Cancelled')
      await maker.getByRole('dialog').click()
      await maker.goBack()
      await maker.getByRole('dialog').waitFor({ state: 'detached' })
      assert.match(maker.url(), /payouts$/)
      await maker.waitForFunction(() => document.activeElement?.tagName === 'MAIN')
    })

    test('with an account that waits is to be made again; its claim says from when on it is paid', async () => {
      const changeTo = async (to: string) => {
        await stage.scene.confirm(ana)
        await ana.api.payouts.set_my_account({ holder: 'Ana Costa & Söhne', iban: to })
      }
      await stage.scene.sql`update bank_accounts set changed_at = now() - interval '9 days'
      where person_id = ${ana.id}`
      await setAccountWait(mira, 3)
      await make()
      await changeTo(another_iban)
      await releaser.reload()
      await open(releaser)
      await showsText(releaser, 'Has to be made again')
      await showsText(releaser, /A bank account was changed meanwhile and has to wait/)
      await maker.reload()
      await open(maker)
      await showsText(maker, 'Waiting for somebody else with Finance')
      await cancelPayout(maker)
      await isShown('Payout on or after', 'so you’ll be paid in a payout on or after')
      await claim.getByText(/^Payout on or after/).waitFor()
      assert.equal(await claim.getByText('next payout').count(), 0)
      await checkPage(claim, 'my-claim-account-waits-1440', 'a claim whose account waits')
      await maker.keyboard.press('Escape')
      await showsText(maker, 'Nothing to pay. Approved claims appear here.')
      await maker.getByRole('button', { name: 'Show payments' }).click()
      await showsText(maker, 'Bank account waits')
      await maker.keyboard.press('Escape')
      await setAccountWait(mira, 0)
      await changeTo(iban)
      await isShown('In the next payout', 'You’ll be paid in the next payout.')
    })

    async function releases() {
      await make()
      await isShown('Being paid out', 'It is in a payout that is being prepared.')
      await open(releaser)
      await showsText(releaser, 'Waiting for you')
      await showsText(releaser, '•••• 3000')
      await checkPage(releaser, 'claims-payout-1440', 'a payout')
      await releaser.getByRole('button', { name: 'Release' }).click()
      await releaser.getByRole('dialog').last().getByRole('button', { name: 'Release' }).click()
      await showsText(releaser, /Payout \d+ released/)
      await isShown('On its way', 'On its way, to be paid on')
      await verifies()
    }

    async function readsFiles() {
      const take = async (name: string) => {
        const coming = releaser.waitForEvent('download')
        await releaser.getByRole('button', { name }).click()
        const file = await coming
        assert.match(file.suggestedFilename(), /^payout-\d+/)
        return readFile(await file.path(), 'utf8')
      }
      assert.match(await take('Payroll CSV'), /Ana Costa & Söhne/)
      const xml = await take('Bank file (SEPA)')
      const { debtor, payments, pay_on } = readBankFile(xml)
      assert.equal(debtor.holder, 'Acme d.o.o.')
      assert.equal(pay_on, daysAfter(company.today, 2))
      assert.deepEqual(
        payments.map(({ holder, cents }) => [holder, cents]),
        [['Ana Costa + Sohne', 8000]],
      )
      const names = await releaser.evaluate((text) => {
        const read = new DOMParser().parseFromString(text, 'application/xml')
        if (read.querySelector('parsererror')) throw new Error(read.documentElement.outerHTML)
        return [...read.querySelectorAll('Cdtr > Nm')].map((element) => element.textContent)
      }, xml)
      assert.deepEqual(names, ['Ana Costa + Sohne'])
    }

    async function comesBack() {
      const mark = releaser.getByRole('button', { name: /Mark as returned: Ana Costa/ })
      assert.equal(await mark.getAttribute('aria-disabled'), 'true', 'nothing was sent yet')
      await stage.scene.sql`update pay_runs set pay_on = ${company.today}
      where company_id = ${company.id} and status = 'released'`
      await releaser.reload()
      await mark.click()
      await releaser.getByLabel('What the bank says').fill('Account closed')
      await releaser.getByRole('button', { name: 'Mark as returned' }).click()
      await showsText(releaser, 'Payment marked as returned')
      await releaser.getByRole('dialog', { name: /came back/ }).waitFor({ state: 'detached' })
      const sheet = releaser.getByRole('dialog', { name: /^Payout/ })
      await sheet.getByText('Sent back by the bank').waitFor()
      await sheet.getByText('€80.00 of €80.00').waitFor()
      assert.ok(
        await sheet.evaluate((panel) => panel.contains(document.activeElement)),
        'the focus stays in the sheet that is open',
      )
      await isShown('Payment returned', 'The payment came back.')
      await verifies()
      await releaser.keyboard.press('Escape')
      await showsText(releaser, '€80.00 returned')
      await releaser.getByRole('button', { name: 'Show payments' }).click()
      await showsText(releaser, 'Sent back by the bank')
      await showsText(releaser, /Account closed\. The bank account is still the same$/)
      await checkPage(releaser, 'payouts-due-returned-1440', 'a payment that came back, due again')
    }

    test('is released by another admin, has files that a bank can read, and comes back from there', async () => {
      await releases()
      await readsFiles()
      await comesBack()
    })
  })
})

async function cancelPayout(page: Page) {
  await page.getByRole('button', { name: 'Cancel payout' }).click()
  const sure = page.getByRole('dialog', { name: /^Cancel payout/ })
  await sure.getByRole('button', { name: 'Cancel payout' }).click()
  await showsText(page, /Payout \d+ cancelled/)
}
