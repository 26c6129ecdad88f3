// Every kind of work that needs somebody opens where it stands, with what is to be seen before it, and leaves once it is done.
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { reverse } from '../world/claims.ts'
import { fundedCompany } from '../world/company.ts'
import { iban, paidBefore, payingCompany } from '../world/payouts.ts'
import { crowdOf, password, type Person } from '../world/people.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

const needs = '/dashboard/needs-you'
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

const stage = openedStage()
afterEach(() => stage.leave())

/** Opens a line by its button; answers what opened. */
async function opens(page: Page, name: RegExp) {
  await page.getByRole('main').getByRole('button', { name }).first().click()
  const dialog = page.getByRole('dialog').last()
  await dialog.waitFor()
  await untilSettled(page)
  return dialog
}
const press = (page: Page, name: string) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click()
const gone = (page: Page, name: RegExp) =>
  page.getByRole('main').getByRole('button', { name }).waitFor({ state: 'detached' })

describe('what needs an admin', () => {
  let paying: Awaited<ReturnType<typeof payingCompany>>
  let hr: Person
  let ana: Person
  let page: Page
  beforeEach(async () => {
    paying = await payingCompany(stage.scene)
    hr = paying.hr
    ana = await paying.acme.hire('Ana')
    page = await stage.enter(hr, needs, phone)
  })

  test('a dependent, with who they are', async () => {
    await hr.api.dependents.set_approval({ needed: true })
    const child = { relationship: 'child', born_on: daysAfter(paying.acme.today, -900) } as const
    for (const full_name of ['Leo Okafor', 'Ada Okafor'])
      await ana.api.dependents.add({ ...child, full_name })
    const dialog = await opens(page, /^Decide, A dependent/)
    await dialog.getByText('Child of Ana').waitFor()
    await picture(page, 'needs-you-dependent')
    await press(page, 'Approve')
    await showsText(page, 'Leo Okafor approved')
    await showsText(page, 'Undo')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const lines = page.getByRole('main').getByRole('button', { name: /^Decide, A dependent/ })
    await lines.nth(1).waitFor({ state: 'detached' })
    await opens(page, /^Decide, A dependent/)
    await press(page, 'Decline')
    await press(page, 'Decline')
    await showsText(page, 'Request declined')
    await gone(page, /A dependent/)
  })

  test('a request for erasure, with what stands against it and what goes', async () => {
    const eva = await paying.acme.hire('Eva')
    await stage.scene.confirm(eva)
    await eva.api.privacy.request_erasure({})
    const dialog = await opens(page, /^Decide, An erasure request/)
    await dialog.getByText(eva.email).waitFor()
    await picture(page, 'needs-you-erasure')
    await press(page, 'Grant')
    await press(page, 'Grant')
    await showsText(page, 'Passed to the provider')
    await gone(page, /erasure/)
    // Newer erasures that nobody has to decide fill the first page of their list.
    const others = await crowdOf(await stage.scene.company(), 20)
    await stage.scene.sql`insert into erasures (person_id, status)
      select id, 'under_way' from unnest(${others.map(({ id }) => id)}::uuid[]) id`
    const boss = await stage.enter(paying.acme.provider, needs)
    await opens(boss, /^Decide, An erasure request/)
    await press(boss, 'Refuse')
    await boss.getByLabel('Why').fill('Please settle your open claim first.')
    await press(boss, 'Refuse')
    await showsText(boss, 'Request refused')
    await gone(boss, /erasure/)
  })

  test('an adjustment of a balance, which another proposed', async () => {
    const adjustment = { category: 'treatment', cents: -2500, reason: 'Granted twice' } as const
    await paying.second.api.adjustments.propose({ person_id: ana.id, ...adjustment })
    const dialog = await opens(page, /^Decide, A balance adjustment to confirm, Ana/)
    await dialog.getByText('Granted twice').waitFor()
    await picture(page, 'needs-you-adjustment')
    await press(page, 'Confirm')
    await showsText(page, 'Balance of Ana adjusted')
    await gone(page, /adjustment/)
  })

  test('a payout to make, and the overpayment of somebody who left', async () => {
    const { acme, second } = paying
    await stage.scene.confirm(ana)
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban })
    const { id } = await acme.agreeing(ana, { amount_cents: 5000 })
    await opens(page, /^Make payout, An approved claim/)
    await press(page, 'Make payout')
    await showsText(page, /is ready for release/)
    await gone(page, /approved claim/)
    const [run] = (await second.api.payouts.runs({})).runs
    await second.api.payouts.release({ id: run!.id, version: run!.version })
    await reverse(hr, { id })
    await stage.scene
      .sql`update profiles set left_on = ${daysAfter(acme.today, -1)}, has_left = true
      where id = ${ana.id}`
    await page.reload()
    const dialog = await opens(page, /^Settle, An overpayment/)
    await picture(page, 'needs-you-overpayment')
    await dialog.getByLabel('How it is settled').selectOption({ label: 'Written off' })
    await dialog.getByLabel('Reason').fill('Not worth a letter')
    await press(page, 'Settle')
    await showsText(page, /Overpayment of Ana settled/)
    await gone(page, /overpayment/i)
  })

  test('the account to pay from, and a second admin', async () => {
    const alone = await fundedCompany(stage.scene)
    const { admin } = alone.company
    const mia = await alone.hire('Mia')
    await alone.agreeing(mia, { amount_cents: 4000 })
    const { id, version } = await alone.claim(mia, { amount_cents: 60_000, category: 'treatment' })
    await admin.api.review.approve({ id, version })
    const desk = await stage.enter(admin, needs)
    const account = await opens(desk, /^Add account/)
    await account.getByLabel('Account holder').fill('Alone Ltd')
    await account.getByLabel('IBAN').fill(iban)
    await account.getByLabel('Your password', { exact: true }).fill(password)
    await press(desk, 'Save account')
    await showsText(desk, 'Company account saved')
    await gone(desk, /^Add account/)
    const invite = await opens(desk, /^Invite admin/)
    await invite.getByLabel('Full Name').waitFor()
    await desk.keyboard.press('Escape')
    await desk.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('Invite admin'),
    )
  })
})

describe('what needs the provider', () => {
  test('an inquiry and a colleague to be, each with what they wrote', async () => {
    const boss = await stage.scene.superAdmin()
    await stage.scene.signUp('sam@healthfund.test', 'super_admin', { full_name: 'Sam Stranger' })
    await stage.scene.sql`insert into inquiries (full_name, email, company, people, message)
      values ('Ida', 'ida@north.test', 'North', 40, 'Please call us about a fund')`
    const page = await stage.enter(boss, needs, phone)
    const inquiry = await opens(page, /^Open, An inquiry/)
    await inquiry.getByText('Please call us about a fund').waitFor()
    await press(page, 'Mark as answered')
    await showsText(page, 'Marked as answered')
    await gone(page, /inquiry/)
    const asking = await opens(page, /^Decide, A request to be a Super Admin/)
    await asking.getByText('sam@healthfund.test').waitFor()
    await picture(page, 'needs-you-colleague')
    await press(page, 'Decline')
    const sure = page.getByRole('dialog', { name: 'Decline Sam Stranger?' })
    await sure.getByRole('button', { name: 'Decline' }).click()
    await showsText(page, 'Sam Stranger declined')
    await gone(page, /Super Admin/)
  })

  test('somebody who wants to run a company, with which and by what address', async () => {
    const boss = await stage.scene.superAdmin()
    const { domain } = await stage.scene.company({ name: 'Northwind' })
    const email = `olaf@${domain}`
    await stage.scene.signUp(email, 'company_admin', { full_name: 'Olaf Second' })
    const page = await stage.enter(boss, needs)
    await showsText(page, `Olaf Second, ${email}, of Northwind`)
    const asking = await opens(page, /^Decide, A request to be a Company Admin/)
    await asking.getByText(email).waitFor()
    await press(page, 'Approve')
    const sure = page.getByRole('dialog', { name: 'Make Olaf Second a Company Admin?' })
    await sure.getByText(/Northwind/).waitFor()
    await sure.getByLabel('Your password').fill(password)
    await sure.getByRole('button', { name: 'Approve' }).click()
    await showsText(page, 'Olaf Second approved')
    await gone(page, /Company Admin/)
  })
})

describe('what needs an employee', () => {
  test('a rejection that can be appealed for some days more, and their data', async () => {
    const acme = await fundedCompany(stage.scene)
    await paidBefore(acme)
    const ana = await acme.hire('Ana')
    const { id, version } = await acme.claim(ana, { amount_cents: 6000 })
    const { review } = acme.company.admin.api
    await review.reject({ id, version, reason: 'not_covered', text: 'A sauna' })
    await stage.scene.notifyDecisions()
    await stage.scene.sql`update claims set reviewed_at = reviewed_at - interval '175 days'
      where company_id = ${acme.id} and id = ${id}`
    await stage.scene
      .sql`insert into data_exports (person_id, status, made_at, expires_at, size_bytes)
      values (${ana.id}, 'ready', now(), now() + interval '2 days', 2000)`
    const page = await stage.enter(ana, needs, phone)
    const data = await opens(page, /^Download, Your data/)
    await data.getByRole('button', { name: 'Download' }).waitFor()
    await picture(page, 'needs-you-data')
    await page.keyboard.press('Escape')
    const claim = await opens(page, /^Open, Claim/)
    await claim.getByText('A sauna').first().waitFor()
    await claim.getByRole('button', { name: 'Appeal' }).click()
    await page.getByLabel('Why should it be decided differently?').fill('It was prescribed')
    await press(page, 'Send appeal')
    await showsText(page, `Your appeal for claim #${id} is with HR`)
    await gone(page, /^Open, Claim/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})
