// An appeal and a reversal before their reviewer, in a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { daysAfter } from '#lib/days.ts'
import { problems } from '#problems.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import type { Person } from '../../../test/world/people.ts'
import { openedStage, picture, showsText, wide } from '../../../test/e2e/stage.ts'

const stage = openedStage()
let acme: FundedCompany
let ana: Person
before(async () => {
  acme = await fundedCompany(stage.scene)
  ana = await acme.hire('Ana')
})

test('an appeal is read at the top of the claim, with the reason of the rejection', async () => {
  const { api } = acme.company.admin
  const claim = await acme.claim(ana, { amount_cents: 8000, provider: 'Zahnarztpraxis Dr. Nowak' })
  const { id, version } = claim
  await api.review.reject({ id, version, reason: 'not_covered', text: 'Gyms are not medical' })
  await stage.scene.notifyDecisions()
  await ana.api.claims.appeal({ id, text: 'My doctor prescribed it' })
  const page = await stage.enter(acme.company.admin, `/dashboard/claims/${id}`, wide)
  const top = page.getByRole('article').locator('p', { hasText: 'My doctor prescribed it' }).first()
  await top.waitFor()
  const receipt = page.getByText('Claim vs. receipt')
  assert.ok((await top.boundingBox())!.y < (await receipt.boundingBox())!.y)
  await showsText(page, 'Rejected by admin: Not covered: Gyms are not medical')
  const provider = page.getByRole('cell', { name: 'Zahnarztpraxis Dr. Nowak' })
  const parts = await provider.evaluate((cell) => {
    const range = document.createRange()
    range.setStart(cell.firstChild!, 0)
    range.setEnd(cell.firstChild!, 'Zahnarztpraxis'.length)
    return range.getClientRects().length
  })
  assert.equal(parts, 1, 'a word is not broken while there is room')
  await picture(page, 'appeal-at-the-top')
  await page.context().close()
})

test('whoever reverses an approval stays on the claim, and every list calls it reversed', async () => {
  const { api } = acme.company.admin
  const { id, version } = await acme.claim(ana, { amount_cents: 4900 })
  await api.review.approve({ id, version })
  const page = await stage.enter(acme.company.admin, `/dashboard/claims/${id}`, wide)
  await page.getByRole('button', { name: 'Reverse approval' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('€49.00 is not paid out, and goes back to Ana’s fund.').waitFor()
  await dialog.getByLabel('Reason').fill('The receipt was forged')
  await picture(page, 'reversal')
  await dialog.getByRole('button', { name: 'Reverse approval' }).click()
  await showsText(page, `Approval of claim #${id} reversed`)
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('article', { name: `Claim #${id}` })
    .getByText('Reversed')
    .first()
    .waitFor()
  assert.match(page.url(), new RegExp(`/claims/${id}$`))
  await page.goto('/dashboard/claims?status=reversed')
  await page.getByRole('button', { name: /^Reversed ?1$/ }).waitFor()
  await page.getByRole('link', { name: `claim #${id}` }).waitFor()
  await picture(page, 'reversed-in-the-queue')
  await page.goto('/dashboard/company-admin')
  const line = page.getByRole('listitem').filter({ hasText: `#${id}, ` })
  await line.getByText('Reversed', { exact: true }).waitFor()
  await page.context().close()
})

test('whoever may not reverse an approval yet reads why on its button', async () => {
  const cleo = await acme.admin('Cleo')
  await stage.scene.sql`update company_rights set given_by = ${ana.id}, given_at = now()
    where person_id = ${cleo.id}`
  const { id, version } = await acme.claim(ana, { amount_cents: 4800 })
  await acme.company.admin.api.review.approve({ id, version })
  const page = await stage.enter(cleo, `/dashboard/claims/${id}`, wide)
  const description = problems.admin_too_new[1]
  const grey = page.getByRole('button', { name: 'Reverse approval', description })
  assert.equal(await grey.getAttribute('aria-disabled'), 'true')
  await page.context().close()
})

test('nobody is asked to review a claim on the dashboard that others decide on', async () => {
  const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
  const open = await acme.claim(ana, { amount_cents: 700 })
  await acme.company.admin.api.review.approve({ id: claim.id, version: claim.version })
  const page = await stage.enter(acme.company.admin, '/dashboard/company-admin', wide)
  await page.getByRole('button', { name: `Review claim #${open.id}` }).waitFor()
  assert.equal(await page.getByRole('button', { name: `Review claim #${claim.id}` }).count(), 0)
  await page.context().close()
})

test('a second approver decides on what the first one left of it', async () => {
  const { admin } = acme.company
  const mira = await acme.admin('Mira Sol')
  const bea = await acme.hire('Bea')
  const { id, version } = await acme.claim(bea, { amount_cents: 60_000, category: 'treatment' })
  await admin.api.review.approve({ id, version, amount_cents: 45_050, text: 'Without the fee' })
  const page = await stage.enter(mira, `/dashboard/claims/${id}`, wide)
  const head = page.getByRole('article', { name: `Claim #${id}` }).locator('header')
  await showsText(page, 'admin approved €450.50 of €600.00')
  const amounts = /claimed €600.00\s*approved €450.50/
  assert.match((await head.textContent())!, amounts)
  const row = page.getByRole('list', { name: 'Claims' }).getByRole('listitem')
  assert.match((await row.filter({ hasText: `claim #${id}` }).textContent())!, amounts)
  await page.getByRole('button', { name: 'Approve part' }).click()
  await page
    .getByRole('dialog')
    .getByText('admin approved €450.50 of €600.00, no more can be approved.')
    .waitFor()
  await picture(page, 'second-approval-part')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Approve €450.50' }).click()
  await showsText(page, `Claim #${id} approved in part: €450.50 of €600.00`)
  await page.context().close()
})

test('a claim under an earlier policy says so, to its employee and to its reviewer', async () => {
  const own = await fundedCompany(stage.scene)
  const { admin } = own.company
  const eva = await own.hire('Eva')
  const { id } = await own.claim(eva, { amount_cents: 5400 })
  const mine = await stage.enter(eva, `/dashboard/my-claims/${id}`, wide)
  const reviewed = await stage.enter(admin, `/dashboard/claims/${id}`, wide)
  await showsText(mine, 'Waiting for HR')
  await showsText(reviewed, /^Checked when it was submitted, /)
  for (const page of [mine, reviewed]) {
    assert.equal(await page.getByText('Under the policy in force').count(), 0)
  }
  const { version, ...found } = await admin.api.policies.current({})
  const terms = { ...PolicyTerms.parse(found), auto_approve_cents: 20_000 }
  await admin.api.policies.change({ ...terms, version })
  await mine.reload()
  await reviewed.reload()
  const under = `Under the policy in force on .* \\(version ${version}\\)`
  await showsText(mine, new RegExp(`^${under}: Up to €50.00 is approved automatically`))
  for (const page of [mine, reviewed]) {
    await showsText(page, new RegExp(`^${under}, a newer one is in force now`))
    await picture(page, 'claim-under-an-earlier-policy')
    await page.context().close()
  }
})

test('a service after the last day is said where the day is set, and beside Approve', async () => {
  const { admin } = acme.company
  const fay = await acme.hire('Fay')
  const { id } = await acme.claim(fay, { amount_cents: 3100 })
  const earlier = daysAfter(acme.today, -20)
  const in_time = await acme.claim(fay, { amount_cents: 3200, service_on: earlier })
  const page = await stage.enter(admin, `/dashboard/employees/${fay.id}`, wide)
  await page.getByRole('button', { name: 'End employment' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Last day').fill(daysAfter(acme.today, -15))
  await showsText(page, /^1 open claim is for a service after /)
  await dialog.getByRole('link', { name: `#${id}` }).waitFor()
  assert.equal(await dialog.getByRole('link', { name: `#${in_time.id}` }).count(), 0)
  await picture(page, 'last-day-and-open-claims')
  await dialog.getByRole('button', { name: 'Set last day' }).click()
  await showsText(page, 'Last day set')
  await page.goto(`/dashboard/claims/${id}`)
  await showsText(page, /· left on /)
  await showsText(page, /^The service on .* is after the last day of Fay, /)
  await showsText(page, /^Checked when it was submitted, /)
  await picture(page, 'claim-after-the-last-day')
  await page.goto(`/dashboard/claims/${in_time.id}`)
  await showsText(page, /· left on /)
  assert.equal(await page.getByText('is after the last day').count(), 0)
  await page.context().close()
})
