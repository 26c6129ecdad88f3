// A claim whose answer got lost, in a real browser: in doubt until it is known, and never a second one.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import type { Person } from '../../../test/world/people.ts'
import { openedStage, picture, showsText, untilSettled } from '../../../test/e2e/stage.ts'

const stage = openedStage()
let acme: FundedCompany
before(async () => {
  acme = await fundedCompany(stage.scene)
})

const in_doubt = 'It may already have been submitted'
const dialogOf = (page: Page) => page.getByRole('dialog')
const submitIn = (page: Page) => dialogOf(page).getByRole('button', { name: 'Submit claim' })

/** The claim arrives, and its answer is lost. */
async function losesAnswer(person: Person) {
  const page = await stage.enter(person, '/dashboard/my-claims?new')
  const form = dialogOf(page)
  await form.getByText('Prevention', { exact: true }).click()
  await form.getByLabel('Type').selectOption({ label: 'Fitness' })
  await form.getByLabel('Provider').fill('Fit & Well')
  await form.getByLabel('Service date').fill(acme.today)
  await form.getByLabel('Bill total').fill('20')
  await untilSettled(page)
  await page.route('**/api/claims', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    return route.abort('connectionreset')
  })
  await submitIn(page).click()
  await showsText(page, 'The service is not available right now')
  await page.unroute('**/api/claims')
  stage.faults.length = 0 // of the line that was cut
  const [claim] = (await person.api.claims.mine({})).claims
  return { page, id: claim!.id }
}

test('is said to be in doubt wherever it is met, and is recognised when it is sent again', async () => {
  const ana = await acme.hire('Ana')
  // The claim itself holds all that was left.
  await acme.claim(ana, { category: 'prevention', amount_cents: 198_000 })
  const { page, id } = await losesAnswer(ana)
  await dialogOf(page).getByText(in_doubt).waitFor()
  await page.goto('/dashboard/employee')
  await showsText(page, in_doubt)
  await page.goto('/dashboard/my-claims')
  await showsText(page, `#${id}`)
  await showsText(page, in_doubt)
  await picture(page, 'claim-in-doubt')
  for (const _ of ['once', 'and again']) {
    await page.reload()
    await page.getByRole('link', { name: 'Continue' }).click()
    await dialogOf(page).getByText(`Draft restored. ${in_doubt}`).waitFor()
    await page.goto('/dashboard/my-claims')
  }
  assert.equal(await page.getByText('Nothing has been submitted yet').count(), 0)
  await page.getByRole('link', { name: 'Continue' }).click()
  await submitIn(page).waitFor()
  await untilSettled(page)
  assert.equal(await dialogOf(page).getByText('Nothing is left in this category').count(), 0)
  await picture(page, 'claim-in-doubt-form')
  await submitIn(page).click()
  await showsText(page, `Claim #${id} submitted`)
  assert.equal((await ana.api.claims.mine({})).claims.length, 2)
  await page.context().close()
})

test('is named where something was changed before it is sent again', async () => {
  const ben = await acme.hire('Ben')
  const { page, id } = await losesAnswer(ben)
  await page.reload()
  await dialogOf(page).getByLabel('Note').fill('For the whole month')
  await submitIn(page).click()
  await showsText(page, `Claim #${id} was already submitted`)
  await picture(page, 'claim-already-submitted')
  await dialogOf(page).getByRole('link', { name: 'See the claim' }).click()
  await page.waitForURL(`**/my-claims/${id}`)
  assert.equal((await ben.api.claims.mine({})).claims.length, 1)
  await page.context().close()
})
