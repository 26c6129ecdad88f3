// Money as its users meet it, in a real browser: from the provider's contribution to the proof of the books.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sealAll } from '#funds/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../world/company.ts'
import { fund, spread } from '../world/money.ts'
import { password, type Company, type Person } from '../world/people.ts'
import { fillDay, openedStage, picture, showsText, wide } from './stage.ts'

const stage = openedStage({ worker: true })
let provider: Person
before(async () => {
  provider = await stage.scene.superAdmin()
})

const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('an opening contribution comes with the company; the same reference comes once', async () => {
  const page = await stage.open(wide)
  await stage.signIn(page, provider.email, '/dashboard/companies')
  await page.getByRole('button', { name: 'Add Company' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Company Name').fill('Harbour Foods')
  await dialog.getByLabel('Domain').fill('harbourfoods.test')
  await dialog.getByLabel('First admin’s email').fill('hr@harbourfoods.test')
  await dialog.getByLabel('Opening contribution').fill('12,345')
  await dialog.getByRole('button', { name: 'Add Company' }).click()
  await showsText(page, 'Write 12345 if that is meant, or at most 2 decimals')
  await dialog.getByLabel('Opening contribution').fill('12,345.00')
  await dialog.getByLabel('Your password').fill(password)
  await picture(page, 'company-add')
  await dialog.getByRole('button', { name: 'Add Company' }).click()
  await page.getByRole('heading', { name: 'Harbour Foods' }).waitFor()
  await cardOf(page, 'Contributions').getByText('€12,345.00').waitFor()

  await page.getByRole('button', { name: 'Record contribution' }).click()
  await dialog.getByLabel('Amount').fill('0')
  await dialog.getByRole('button', { name: 'Record contribution' }).click()
  await showsText(page, 'Enter an amount above zero')
  await dialog.getByLabel('Amount').fill('1000')
  await dialog.getByLabel('Reference').fill('Opening contribution')
  await dialog.getByRole('button', { name: 'Record contribution' }).click()
  await showsText(page, 'A contribution with this reference is recorded already')
  await dialog.getByLabel('Reference').fill('INV-7')
  await dialog.getByRole('button', { name: 'Record contribution' }).click()
  await showsText(page, '€1,000.00 recorded for Harbour Foods')
  await cardOf(page, 'Fund').getByText('€13,345.00').first().waitFor()
  await page.getByRole('button', { name: 'Verify ledger' }).click()
  await showsText(page, /2 transfers, 6 accounts, all good/)
  await picture(page, 'company-funded')
  await page.context().close()
})

describe('a year of money', () => {
  async function northwind(): Promise<Company> {
    const company = await stage.scene.company({ name: 'Northwind Instruments' })
    for (const name of ['Ana.Costa', 'Ben.Okafor', 'Cem.Demir']) await company.hire(name)
    await stage.scene.sql`update profiles set department = 'Engineering', joined_on = '2020-01-01',
      full_name = replace(initcap(split_part(email, '@', 1)), '.', ' ')
      where company_id = ${company.id} and role = 'employee'`
    return company
  }
  let company: Company
  before(async () => {
    company = await northwind()
    await fund(provider, company, spread(6_000_000, 20_000_000, 4_000_000))
  })

  test('the provider records 300,000.00, HR allocates it, people have their grants', async () => {
    const unfunded = await northwind()
    const page = await stage.open(wide)
    await stage.signIn(page, provider.email, `/dashboard/companies/${unfunded.id}`)
    await page.getByText('No money has come in yet').waitFor()
    await showsText(page, 'Record a contribution, and the company’s admins can allocate it.')
    await stage.scene.sql`update companies set status = 'pending' where id = ${unfunded.id}`
    await page.reload()
    await showsText(page, 'Activate the company first: before that it can’t hold money.')
    await stage.scene.sql`update companies set status = 'active' where id = ${unfunded.id}`
    await page.reload()
    await page.getByRole('button', { name: 'Record contribution' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('300,000.00')
    await dialog.getByLabel('Reference').fill('INV-2026-0117')
    await dialog.getByRole('button', { name: 'Record contribution' }).click()
    await showsText(page, '€300,000.00 recorded for Northwind Instruments')
    await page.context().close()

    const hr = await stage.open(wide)
    await stage.signIn(hr, unfunded.admin.email)
    await showsText(hr, 'Action Required')
    await showsText(hr, '€300,000.00 is unallocated.')
    await showsText(hr, '3 people wait for grants of €3,000.00.')
    assert.equal(await hr.getByRole('link', { name: 'Allocate', exact: true }).count(), 1)
    await hr.getByRole('button', { name: 'Review Budget' }).click()
    await showsText(hr, 'Opening budget review...')
    await showsText(hr, '3 people wait for funds')
    await hr.goBack()
    await hr
      .getByText('€300,000.00 is unallocated.')
      .getByRole('link', { name: 'Allocate' })
      .click()
    const allocate = hr.getByRole('dialog')
    await allocate.getByLabel('Prevention').fill('300000.01')
    await allocate.getByRole('button', { name: 'Allocate' }).last().click()
    await showsText(hr, 'Only €300,000.00 is unallocated')
    await allocate.getByLabel('Prevention').fill('60000')
    await allocate.getByLabel('Solidarity').fill('240000.01')
    await showsText(hr, 'Only €240,000.00 is left after Prevention')
    await allocate.getByLabel('Treatment').fill('200000')
    await allocate.getByLabel('Solidarity').fill('40000')
    await allocate.getByRole('button', { name: 'Allocate' }).last().click()
    await showsText(hr, 'Funds allocated')
    await hr.goto('/dashboard/employees')
    await hr
      .getByRole('row', { name: /Ana Costa/ })
      .getByText('€1,000.00')
      .waitFor()
    await showsText(hr, '€3,000.00')
    await hr.context().close()

    const ana = await stage.open(wide)
    await stage.signIn(ana, `ana.costa@${unfunded.domain}`)
    await showsText(ana, '€700.00')
    await showsText(ana, '100% left')
    await ana.context().close()
  })

  test('one joins mid-year with their share, and their statement says so', async () => {
    const year = (await todayOf(stage.scene, company)).slice(0, 4)
    const hr = await stage.open(wide)
    await stage.signIn(hr, company.admin.email, '/dashboard/funds?tab=Plan')
    await hr.getByLabel('People who join during the year get').selectOption('month')
    await hr.getByRole('button', { name: 'Save plan' }).click()
    await showsText(hr, 'Plan saved')
    await hr.goto('/dashboard/employees')
    await hr.getByRole('button', { name: /Cem Demir/ }).click()
    const sheet = hr.getByRole('dialog')
    await sheet.getByLabel('Joined').fill(`${year}-07-15`)
    await sheet.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(hr, 'Employee saved')
    await hr
      .getByRole('row', { name: /Cem Demir/ })
      .getByText('€500.00')
      .waitFor()
    await hr.getByRole('button', { name: /Cem Demir/ }).click()
    await sheet.getByText('€350.00').first().waitFor()
    await picture(hr, 'employee-sheet')
    await sheet.getByRole('link', { name: 'Statement' }).click()
    await showsText(hr, 'Only this person’s accounts and entries are shown.')
    await showsText(hr, 'Grant lowered')
    await picture(hr, 'funds-statement-person')
    assert.equal(await hr.getByText('Ana Costa').count(), 0)
    await hr.context().close()
  })

  test('the dashboard leads to a rebalance, which is made and undone', async () => {
    const hr = await stage.open(wide)
    await stage.signIn(hr, company.admin.email)
    await hr.getByRole('button', { name: 'Rebalance' }).click()
    const dialog = hr.getByRole('dialog', { name: 'Rebalance' })
    await dialog.getByLabel('Prevention pool, amount').fill('50000')
    await dialog.getByLabel('Reason').fill('More check-ups this autumn')
    await dialog.getByRole('button', { name: 'Rebalance' }).click()
    await showsText(hr, 'Fund rebalancing initiated')
    await cardOf(hr, 'Rebalances').getByRole('button', { name: 'Undo' }).click()
    await showsText(hr, 'from Treatment back to Prevention')
    await hr.getByRole('button', { name: 'Undo rebalance' }).click()
    await showsText(hr, 'Rebalance undone')
    await cardOf(hr, 'Rebalances').getByRole('button', { name: 'Undone' }).waitFor()
    const { categories } = await company.admin.api.funds.overview({})
    assert.deepEqual(
      categories.map(({ allocated_cents }) => allocated_cents),
      [6_000_000, 20_000_000, 4_000_000],
    )
    await hr.context().close()
  })

  test('a group has a plan of its own, shown in numbers before it is saved', async () => {
    await company.admin.api.groups.add({ name: 'Night shift', departments: ['Engineering'] })
    const hr = await stage.open(wide)
    await stage.signIn(hr, company.admin.email, '/dashboard/funds?tab=Plan')
    await hr.getByRole('button', { name: 'Add plan', exact: true }).click()
    const dialog = hr.getByRole('dialog')
    await dialog.getByLabel('Prevention').fill('200')
    await dialog.getByLabel('Solidarity').fill('100.01')
    await dialog.getByRole('button', { name: 'Add to the list' }).click()
    await showsText(hr, 'Grants change for 3 of 3 people.')
    await picture(hr, 'funds-plan-of-group')
    await hr.getByRole('button', { name: 'Save group plans' }).click()
    await showsText(hr, 'Group plans saved')
    await hr.getByRole('button', { name: 'Discard' }).waitFor({ state: 'hidden' })
    await hr.getByRole('button', { name: 'Remove plan of Night shift' }).click()
    const { plans, ...year } = await company.admin.api.group_plans.list({})
    const theirs = plans.map((plan) => ({ ...plan, treatment_cents: 80_000 }))
    await company.admin.api.group_plans.change({ ...year, plans: theirs })
    await showsText(hr, 'Group plans were saved while you were editing')
    await showsText(hr, 'No group plans: everybody has the company’s plan.')
    await hr.getByRole('button', { name: 'Discard' }).click()
    await showsText(hr, 'Prevention €200.00 · Treatment €800.00 · Solidarity €100.01')
    await hr.context().close()
  })

  test('a group plan is changed as its own while another comes before it', async () => {
    const { api } = company.admin
    const board = await api.groups.add({ name: 'Board', departments: ['Board'] })
    const hr = await stage.open(wide)
    await stage.signIn(hr, company.admin.email, '/dashboard/funds?tab=Plan')
    await hr.getByRole('button', { name: 'Change plan of Night shift' }).click()
    const dialog = hr.getByRole('dialog')
    await dialog.getByLabel('Prevention').fill('300')
    const { plans, ...year } = await api.group_plans.list({})
    const first = { ...plans[0]!, group_id: board.id, prevention_cents: 90_000 }
    await api.group_plans.change({ ...year, plans: [first, ...plans] })
    await hr.locator('ol', { hasText: 'Prevention €900.00' }).waitFor()
    await dialog.getByRole('button', { name: 'Change in the list' }).click()
    const lines = hr.getByRole('list', { name: 'Group plans' }).getByRole('listitem')
    await lines.filter({ hasText: 'Prevention €300.00' }).getByText('Night shift').waitFor()
    await lines.filter({ hasText: 'Prevention €900.00' }).getByText('Board').waitFor()
    assert.equal(await lines.count(), 2)
    await hr.context().close()
  })

  test('another plan year is added once; days that overlap are refused', async () => {
    const next = Number((await todayOf(stage.scene, company)).slice(0, 4)) + 1
    const hr = await stage.open(wide)
    await stage.signIn(hr, company.admin.email, '/dashboard/funds?tab=Plan')
    await hr.getByRole('button', { name: 'Add plan year' }).click()
    const dialog = hr.getByRole('dialog')
    await dialog.getByLabel('First day').fill(`${next - 1}-07-01`)
    await dialog.getByRole('button', { name: 'Add plan year' }).click()
    await showsText(hr, 'Plan years can’t overlap: another one covers some of these days')
    await dialog.getByLabel('First day').fill(`${next}-01-01`)
    await dialog.getByRole('button', { name: 'Add plan year' }).click()
    await showsText(hr, new RegExp(`Plan year from 1 Jan ${next} added`))
    await showsText(hr, new RegExp(`Plan year 1 Jan ${next}`))
    await hr.context().close()
  })

  test('the statement as of yesterday agrees, and Verify finds what was edited in the database', async () => {
    const { sql } = stage.scene
    await sealAll(sql)
    // A day goes by: what happened so far is of yesterday, seals and all.
    await sql`delete from transfer_seals where company_id = ${company.id}`
    await sql`delete from ledger_heads where company_id = ${company.id}`
    await sql`delete from kept_totals where company_id = ${company.id}`
    await sql`delete from daily_totals where company_id = ${company.id}`
    await sql`update transfers set posted_at = posted_at - interval '1 day'
      where company_id = ${company.id}`
    await sql`insert into unsealed_transfers select company_id, id from transfers
      where company_id = ${company.id}`
    await sealAll(sql)
    const { funds } = company.admin.api
    const { plan_year } = await funds.overview({})
    await funds.deallocate({
      plan_year,
      prevention_cents: 1_000_000,
      treatment_cents: 0,
      solidarity_cents: 0,
    })
    const hr = await stage.open(wide)
    await stage.signIn(hr, company.admin.email)
    const yesterday = daysAfter(await todayOf(stage.scene, company), -1)
    await hr.goto('/dashboard/funds?tab=nonsense')
    await showsText(hr, 'Contributed') // what is no tab shows the first
    await hr.getByRole('tab', { name: 'Statement' }).click()
    const unallocated = cardOf(hr, 'Balances').getByRole('row', { name: /^Unallocated/ })
    await unallocated.getByText('€10,000.00').waitFor()
    await fillDay(hr.getByLabel('As of'), yesterday)
    await unallocated.getByText('€0.00').waitFor()
    await hr.goto('/dashboard/funds')
    await hr.getByRole('button', { name: 'Verify' }).click()
    await showsText(hr, /transfers, .* accounts, all good/)
    const [entry] = await sql<{ id: number }[]>`update transfers set note = 'a little more'
      where company_id = ${company.id} and event = 'contribution' returning id`
    await hr.getByRole('button', { name: 'Verify' }).click()
    await showsText(hr, `Entry ${entry!.id} was changed after it was sealed`)
    await hr.context().close()
  })
})
