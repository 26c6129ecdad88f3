// A family and its claims: covered, claimed for, outgrown, still claimed for, and then no more.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { daysAfter, dayText } from '#lib/days.ts'
import { keepFamilies } from '#dependents/jobs.server.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { receiptPdf } from '../world/papers.ts'
import type { Person } from '../world/people.ts'
import { checkPage } from './axe.ts'
import { dayShown, showsOnceFinal, openedStage, picture, showsText } from './stage.ts'

describe('a child’s claims', () => {
  const stage = openedStage({ worker: true })
  let company: FundedCompany
  let ana: Person
  let page: Page
  let hr: Page
  beforeEach(async () => {
    company = await fundedCompany(stage.scene, { began: 120 })
    ana = await company.hire('Ana Costa')
    page = await stage.enter(ana, '/dashboard/dependents')
    hr = await stage.enter(company.company.admin, '/dashboard/claims')
  })
  afterEach(() => stage.leave())

  const form = () => page.getByRole('dialog', { name: 'Submit a claim' })
  const verifies = async () => assert.deepEqual(await company.faults(), [])

  async function add(full_name: string, relationship: string, born_on: string) {
    await page
      .getByRole('button', { name: /^Add (dependent|Your First Dependent)$/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Full name').fill(full_name)
    await dialog.getByLabel('Relationship').selectOption(relationship)
    await dialog.getByLabel('Date of birth').fill(born_on)
    await dialog.getByLabel('Covered from').fill(company.plan_year)
    await dialog.getByRole('button', { name: 'Add dependent' }).click()
    await showsText(page, `${full_name} added`)
  }

  /** Opens the form, gives it a receipt of that day, and fills in what nobody could read from it. */
  async function fill(service_on: string, amount: string, number: number) {
    await page.goto('/dashboard/my-claims?new')
    const [year, month, day] = service_on.split('-')
    const buffer = await receiptPdf([
      'Little Steps Clinic',
      `Invoice ${number}`,
      `Date: ${day}.${month}.${year}`,
      `Total: ${amount} EUR`,
    ])
    const file = { name: `invoice-${number}.pdf`, mimeType: 'application/pdf', buffer }
    await form().getByLabel('Choose files').setInputFiles(file)
    await form().getByText('Solidarity', { exact: true }).click()
    await form().getByText('read from your receipt').first().waitFor({ timeout: 60_000 })
    await form().getByLabel('Type').selectOption({ label: 'Family doctor' })
    await form().getByLabel('Provider').fill('Little Steps Clinic')
    assert.equal(await dayShown(form().getByLabel('Service date')), service_on)
    assert.equal(await form().getByLabel('Amount claimed').inputValue(), amount)
  }

  async function send(): Promise<number> {
    await form().getByRole('button', { name: 'Submit claim' }).click()
    await showsText(page, /Claim #\d+ submitted/)
    return (await ana.api.claims.mine({})).claims[0]!.id
  }

  async function isApproved(id: number) {
    await hr.getByRole('link', { name: `claim #${id}` }).click()
    await showsText(hr, 'Claim vs. receipt')
    await showsText(hr, /Mia Costa/)
    await picture(hr, 'family-claim-desk-1440')
    await hr.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await showsText(hr, `Claim #${id} approved`)
    await showsOnceFinal(stage, page, /€\d+\.00 of €\d+\.00 approved/)
  }

  test('a family of three is added; a claim for the child is approved by HR while its page is open', async () => {
    await add('Sam Costa', 'Spouse', '1988-05-04')
    await add('Mia Costa', 'Child', '2019-04-12')
    await add('Rosa Costa', 'Parent', '1953-11-30')
    await fill(daysAfter(company.today, -3), '80.00', 1)
    const whom = form().getByLabel('For whom')
    assert.deepEqual(await whom.locator('option').allInnerTexts(), [
      'Choose who it is for',
      'Mia Costa (Child)',
      'Rosa Costa (Parent)',
      'Sam Costa (Spouse)',
    ])
    await form().getByRole('button', { name: 'Submit claim' }).click()
    await whom.and(page.locator('[aria-invalid=true]')).waitFor()
    await whom.selectOption({ label: 'Mia Costa (Child)' })
    await showsText(page, 'HR will review it')
    await picture(page, 'family-claim-form-1440')
    const id = await send()
    await page.getByRole('link', { name: 'See the claim' }).click()
    await showsText(page, 'Waiting for HR')
    await isApproved(id)
    await verifies()
  })

  test('outgrown, the days before are still claimed for; the days after are refused, and say why', async () => {
    const { sql } = stage.scene
    const month = daysAfter(company.today, -60)
    const born_on = `${Number(month.slice(0, 4)) - 26}${month.slice(4, 8)}01`
    const { add: addBy } = ana.api.dependents
    const covered_from = company.plan_year
    const [sam, mia] = [
      { full_name: 'Sam Costa', relationship: 'spouse', born_on: '1988-05-04' },
      { full_name: 'Mia Costa', relationship: 'child', born_on: '2019-04-12' },
    ] as const
    await addBy({ ...sam, covered_from })
    const { id: child_id } = await addBy({ ...mia, covered_from })
    await sql`update dependents set born_on = ${born_on} where id = ${child_id}`
    const [row] = await sql<[{ last_day: string }]>`
      select ages_out_on('child', ${born_on}, 26) as last_day`
    const { last_day } = row
    await keepFamilies({}, { sql, log: stage.scene.services.log })
    await page.goto('/dashboard/dependents')
    const before_it = page.getByRole('table', { name: 'Past dependents' })
    await before_it.getByText('Mia Costa').waitFor()
    await before_it.getByText('Ended').waitFor()
    await checkPage(page, 'family-outgrown-1440', 'Dependents')

    await fill(last_day, '70.00', 2)
    await form().getByLabel('For whom').selectOption({ label: 'Mia Costa (Child)' })
    await showsText(page, 'HR will review it')
    const id = await send()
    await page.getByRole('link', { name: 'See the claim' }).click()
    await hr.goto('/dashboard/claims')
    await isApproved(id)

    const day_after = daysAfter(last_day, 1)
    await fill(day_after, '60.00', 3)
    await showsText(page, /Not covered that day: Mia Costa \(from /)
    await form().getByLabel('Service date').fill(last_day)
    await form().getByLabel('For whom').selectOption({ label: 'Mia Costa (Child)' })
    await form().getByLabel('Service date').fill(day_after)
    const sentence = `Mia Costa was not covered on ${dayText(day_after)}. Look at the dates on Dependents`
    await showsText(page, sentence)
    assert.equal(
      await form().getByLabel('For whom').locator('option:checked').innerText(),
      'Mia Costa (Child), not covered that day',
    )
    await form().getByRole('button', { name: 'Submit claim' }).click()
    await form().getByText(sentence).first().waitFor()
    await checkPage(page, 'family-claim-refused-1440', 'New Claim')
    assert.equal((await ana.api.claims.mine({})).claims.length, 1)
    await hr.goto('/dashboard/funds')
    await hr.getByRole('button', { name: 'Verify' }).click()
    await showsText(hr, /transfers, .* accounts, all good/)
    await verifies()
  })
})
