// A released payout on its way to payroll and books: codes in Settings, files of the payout, a journal of the month.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { accounts, datev, readCsv, readExtf, wage_types } from '../book-files.ts'
import { iban, payingCompany } from '../world/payouts.ts'
import { checkPage } from './axe.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

describe('payroll and books', () => {
  const stage = openedStage()
  let company: Awaited<ReturnType<typeof payingCompany>>
  let run: { id: number }
  before(async () => {
    company = await payingCompany(stage.scene)
    const { acme, second, make } = company
    const ana = await acme.hire('Ana')
    await stage.scene.confirm(ana)
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban })
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ana, { amount_cents: 1200, category: 'treatment' })
    run = await second.api.payouts.release(await make())
  })

  const taken = async (page: Page, button: string) => {
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).last().click()
    const file = await waiting
    return { name: file.suggestedFilename(), blob: new Blob([await readFile(await file.path())]) }
  }
  const openRun = async (page: Page) => {
    await page
      .getByRole('button', { name: /^Payout \d/ })
      .first()
      .click()
    await page.getByRole('dialog').getByText('Payroll CSV').waitFor()
  }
  const waitsForCodes = async (page: Page, buttons: string[]) => {
    for (const name of buttons) {
      const button = page.getByRole('button', { name }).last()
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name)
      const why = await button.getAttribute('aria-describedby')
      const reason = await page.locator(`[id="${why}"]`).textContent()
      assert.equal(reason, 'Complete Payroll and books in Settings first')
    }
  }
  const fill = async (page: Page, fields: Record<string, string>) => {
    for (const [label, code] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(code)
    }
  }

  test('what is not entered yet is named, where it is needed', async () => {
    const page = await stage.enter(company.hr, '/dashboard/claims/payouts')
    await page.getByLabel('Month of the journal').selectOption(company.acme.today.slice(0, 7))
    await showsText(page, '5 postings so far')
    await showsText(page, 'Accounts to enter first')
    await waitsForCodes(page, ['Journal CSV', 'Journal DATEV'])
    await openRun(page)
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Wage types to enter first').waitFor()
    await sheet.getByText('Prevention, Treatment. Open Settings').waitFor()
    await sheet.getByText('Accounts to enter first').waitFor()
    await sheet.getByText('Owed to employees').waitFor()
    await waitsForCodes(page, ['Payroll by wage type', 'Journal CSV', 'Journal DATEV'])
    await untilSettled(page)
    await picture(page, 'books-run-1440')
    await checkPage(page, 'books-run', 'a payout whose codes are missing')
    await sheet.getByRole('link', { name: 'Open Settings' }).first().click()
    await page.getByLabel('Corrections').waitFor()
    await page.context().close()
  })

  test('codes are entered in Settings, checked beside their field, and stay', async () => {
    const page = await stage.enter(company.hr, '/dashboard/settings#books')
    await page.getByLabel('Corrections').waitFor()
    await fill(page, { Prevention: '47-11', Treatment: '4712', Corrections: '4719' })
    await page.getByRole('button', { name: 'Save wage types' }).click()
    await showsText(page, 'Use letters and digits only')
    await fill(page, { Prevention: '4711' })
    await page.getByRole('button', { name: 'Save wage types' }).click()
    await showsText(page, 'Wage types saved')
    await fill(page, {
      'Cost of Prevention': '4130',
      'Cost of Treatment': '4130',
      'Cost of Solidarity': '4130',
      'Owed to employees': '1200',
      Bank: '1200',
      'Contributions in transit': '1360',
    })
    await page.getByRole('button', { name: 'Save accounts' }).click()
    await showsText(page, 'This account already has another purpose')
    await fill(page, { 'Owed to employees': '1740' })
    await page.getByRole('button', { name: 'Save accounts' }).click()
    await showsText(page, 'Accounts saved')
    await fill(page, { 'Consultant number': '1001', 'Client number': '42' })
    await page.getByRole('button', { name: 'Save DATEV' }).click()
    await showsText(page, 'DATEV saved')
    await page.reload()
    await page.getByLabel('Corrections').waitFor()
    assert.equal(await page.getByLabel('Corrections').inputValue(), wage_types.wage_correction)
    assert.equal(await page.getByLabel('Bank', { exact: true }).inputValue(), accounts.bank)
    assert.equal(await page.getByLabel('Client number').inputValue(), datev.datev_client)
    await untilSettled(page)
    await picture(page, 'books-settings-1440')
    await checkPage(page, 'books-settings', 'the codes of payroll and books')
    await page.context().close()
  })

  test('the files of a payout and the journal of a month are one press away', async () => {
    await company.hr.api.books.change_codes({ ...wage_types, ...accounts, ...datev })
    const page = await stage.enter(company.hr, '/dashboard/claims/payouts')
    const month = company.acme.today.slice(0, 7)
    await page.getByLabel('Month of the journal').selectOption(month)
    await showsText(page, '5 postings so far')
    await untilSettled(page)
    await picture(page, 'books-journal-1440')
    await checkPage(page, 'books-journal', 'the journal of a month')
    const whole = await taken(page, 'Journal DATEV')
    assert.equal(whole.name, `EXTF_Buchungsstapel_${month}_so_far.csv`)
    assert.equal((await readExtf(whole.blob)).postings.length, 5)
    await openRun(page)
    await showsText(page, /^The bank file pays everyone in this payout/)
    const wages = await taken(page, 'Payroll by wage type')
    assert.equal(wages.name, `payout-${run.id}-wage-types.csv`)
    assert.deepEqual(
      (await readCsv(wages.blob)).map((row) => [row['Record'], row['Wage type'], row['Amount']]),
      [
        ['pay', '4711', '40.00'],
        ['pay', '4712', '12.00'],
        ['sum', '4711', '40.00'],
        ['sum', '4712', '12.00'],
        ['total', '', '52.00'],
      ],
    )
    const journal = await taken(page, 'Journal CSV')
    const rows = await readCsv(journal.blob)
    assert.equal(rows.at(-1)!['Amount'], '52.00')
    await page.context().close()
  })

  test('all of it fits a phone in the dark', async () => {
    const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const
    const page = await stage.enter(company.hr, '/dashboard/settings#books', phone)
    await page.getByLabel('Corrections').waitFor()
    await untilSettled(page)
    await picture(page, 'books-settings-360-dark')
    await checkPage(page, 'books-settings-360', 'the codes on a phone')
    await page.goto('/dashboard/claims/payouts')
    await page.getByLabel('Month of the journal').selectOption(company.acme.today.slice(0, 7))
    await showsText(page, '5 postings so far')
    await untilSettled(page)
    await picture(page, 'books-journal-360-dark')
    await openRun(page)
    await untilSettled(page)
    await picture(page, 'books-run-360-dark')
    await checkPage(page, 'books-run-360', 'the files of a payout on a phone')
  })
})
