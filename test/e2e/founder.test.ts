// A founder goes from an address alone to a first claim paid, only along what the screens offer.
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { receiptPhoto, three_megapixels } from '../world/papers.ts'
import { password } from '../world/people.ts'
import { openedStage, picture, showsText, wide } from './stage.ts'
import { until } from '../until.ts'

const founder = 'mara@brightsea.test'
const second = 'ida@brightsea.test'
const employee = 'ana@brightsea.test'
const ten_minutes_ms = 600_000

const stage = openedStage({ worker: true })
let pictures = 0

/** A picture where somebody looks, in the order of the story. */
async function look(page: Page) {
  pictures += 1
  await picture(page, `founder-${String(pictures).padStart(2, '0')}`)
}

/** The step of the first day that says what is missing; it leads to where that is done. */
async function follow(page: Page, step: string) {
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
  await showsText(page, /^(Until your people|Your people) can claim/)
  await look(page)
  await page.getByRole('link', { name: new RegExp(`^${step} ?, to do`) }).click()
}

/** A need, by its line; it leads to where it is done. */
async function need(page: Page, line: string | RegExp) {
  await page.getByRole('link', { name: /^Needs you/ }).click()
  const item = page.getByRole('main').getByRole('listitem').filter({ hasText: line })
  await item.first().waitFor()
  await look(page)
  return item.first()
}

async function choosePassword(page: Page, email: string, press: string) {
  await page.goto(
    await until(() => stage.linkFor(email).catch(() => false as const), `a mail to ${email}`),
  )
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: press }).click()
}

async function enterSecond(): Promise<Page> {
  const page = await stage.open(wide)
  await choosePassword(page, second, 'Set password and continue')
  await page.waitForURL('**/dashboard/company-admin')
  return page
}

/** The provider's word alone makes nobody an admin of a company that has an owner. */
async function confirmRights(page: Page, name: string) {
  const waiting = await need(page, 'Rights to confirm: Owner, People, Reviewer, Finance')
  await waiting.getByRole('link').first().click()
  await page.getByRole('button', { name: `Confirm all 4 rights of ${name}` }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm 4 rights' }).click()
  await showsText(page, 'Rights confirmed')
}

async function addAccount(page: Page, holder: string, iban: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder').fill(holder)
  await dialog.getByLabel('IBAN').fill(iban)
  await dialog.getByLabel('Your password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Save account' }).click()
}

test('a founder has a first claim paid', { timeout: ten_minutes_ms }, async () => {
  const boss = await stage.scene.superAdmin()
  const hr = await stage.open(wide)
  await hr.goto('/')
  await hr.getByRole('link', { name: 'Get Started' }).first().click()
  await hr.getByLabel('Company Name').fill('Bright Sea')
  await hr.getByLabel('Full Name').fill('Mara Lindqvist')
  await hr.getByLabel('Work Email').fill(founder)
  await hr.getByLabel('Your Role').selectOption({ label: 'Company Admin / HR' })
  await hr.getByLabel('Password', { exact: true }).fill(password)
  await hr.getByRole('button', { name: 'Create Account' }).click()
  await showsText(hr, 'Account created successfully!')
  await choosePassword(hr, founder, 'Confirm and continue')
  await hr.waitForURL('**/dashboard/company-admin')
  await showsText(hr, 'The provider has not activated your company yet')
  await look(hr)

  const provider = await stage.enter(boss, '/dashboard/super-admin')
  await (await need(provider, 'Bright Sea')).getByRole('button', { name: /^Activate/ }).click()
  await showsText(provider, founder)
  await look(provider)
  await provider.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await showsText(provider, 'Bright Sea activated')
  await provider.getByRole('link', { name: 'Companies' }).first().click()
  await provider.getByRole('row', { name: /Bright Sea/ }).click()
  await provider.getByRole('button', { name: 'Record contribution' }).click()
  await provider.getByRole('dialog').getByLabel('Amount').fill('5000')
  await provider.getByRole('dialog').getByLabel('Reference').fill('INV-1')
  await provider.getByRole('dialog').getByRole('button', { name: 'Record contribution' }).click()
  await showsText(provider, '€5,000.00 recorded for Bright Sea')
  await provider.getByRole('button', { name: 'Invite admin' }).click()
  await provider.getByRole('dialog').getByLabel('Full Name').fill('Ida Meyer')
  await provider.getByRole('dialog').getByLabel('Email').fill(second)
  await provider.getByRole('dialog').getByLabel('Your password').fill(password)
  await provider.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  await showsText(provider, `Invitation sent to ${second}`)
  await look(provider)
  await confirmRights(hr, 'Ida Meyer')

  await (await need(hr, 'Money has come in')).getByRole('button').click()
  const allocate = hr.getByRole('dialog')
  for (const [pool, amount] of [
    ['Prevention', '1000'],
    ['Treatment', '3500'],
    ['Solidarity', '500'],
  ] as const)
    await allocate.getByLabel(pool).fill(amount)
  await allocate.getByRole('button', { name: 'Allocate' }).last().click()
  await showsText(hr, 'Funds allocated')
  await follow(hr, 'People')
  await hr.getByRole('button', { name: 'Add Employee', exact: true }).first().click()
  const add = hr.getByRole('dialog')
  for (const [field, text] of [
    ['Full Name', 'Ana Horvat'],
    ['Email', employee],
    ['Phone', '+385 91 234 5678'],
    ['Department', 'Bridge'],
  ] as const)
    await add.getByLabel(field, { exact: true }).fill(text)
  await add.getByRole('button', { name: 'Add Employee' }).click()
  await showsText(hr, 'Employee added successfully!')
  const initial = (await add.getByRole('status').first().textContent()) ?? ''
  await add.getByRole('button', { name: 'Done' }).click()
  await follow(hr, 'The account to pay from')
  await hr.getByRole('button', { name: 'Add', exact: true }).click()
  await addAccount(hr, 'Bright Sea Ltd', 'DE02120300000000202051')
  await showsText(hr, 'Company account saved')
  const other = await enterSecond()

  const ana = await stage.open(wide)
  await ana.goto('/auth/login')
  await ana.getByLabel('Email').fill(employee)
  await ana.getByLabel('Password', { exact: true }).fill(initial)
  await ana.getByRole('button', { name: 'Sign In' }).click()
  await ana.getByLabel('Current password').fill(initial)
  await ana.getByLabel('New password').fill(password)
  await ana.getByLabel('Confirm password').fill(password)
  await ana.getByRole('button', { name: 'Set new password' }).click()
  await look(ana)
  // A person looks at one claim in twenty, whatever its receipt says; not at this one.
  await stage.scene.sql`
    update claim_policies set spot_check_percent = 0
    where company_id = (select id from companies where domain = 'brightsea.test')`
  const [{ today }] = await stage.scene.sql<[{ today: string }]>`
    select company_today(id)::text as today from companies where domain = 'brightsea.test'`
  const day = today.split('-').toReversed().join('.')
  const lines = ['City Pharmacy', 'Receipt 4511', '', `Date: ${day}`, '', 'Screening', '']
  const buffer = await receiptPhoto([...lines, 'TOTAL            EUR   46.40'], three_megapixels)
  await ana.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
  await ana
    .getByRole('button', { name: 'Submit New Claim' })
    .or(ana.getByRole('link', { name: 'Submit New Claim' }))
    .first()
    .click()
  const form = ana.getByRole('dialog', { name: 'Submit a claim' })
  await form
    .getByLabel('Choose files')
    .setInputFiles({ name: 'r.jpg', mimeType: 'image/jpeg', buffer })
  await form.getByText('Prevention', { exact: true }).click()
  await form.getByLabel('Type').selectOption({ label: 'Screening' })
  await form.getByText('read from your receipt').first().waitFor({ timeout: 60_000 })
  await form.getByLabel('Provider').fill('City Pharmacy')
  await look(ana)
  await form.getByRole('button', { name: 'Submit claim' }).click()
  await showsText(ana, /Claim #\d+ approved/)
  await ana.keyboard.press('Escape')
  await (await need(ana, 'unless you add a bank account')).getByRole('button').click()
  await addAccount(ana, 'Ana Horvat', 'DE89370400440532013000')
  await showsText(ana, 'Bank account saved')

  await (await need(hr, 'An approved claim to pay out')).getByRole('button').click()
  await hr.getByLabel('Pay on').fill(daysAfter(today, 1))
  await look(hr)
  await hr.getByRole('dialog').getByRole('button', { name: 'Make payout' }).click()
  await showsText(hr, /is ready for release/)
  await (await need(other, 'to release')).getByRole('button').click()
  const payout = other.getByRole('dialog', { name: /^Payout/ })
  await payout.getByRole('button', { name: 'Release' }).click()
  await other
    .getByRole('dialog', { name: /^Release payout/ })
    .getByRole('button', { name: 'Release' })
    .click()
  await ana.getByRole('button', { name: /^Notifications/ }).click()
  await showsText(ana, 'A payout is on its way to you')
  await look(ana)
})
