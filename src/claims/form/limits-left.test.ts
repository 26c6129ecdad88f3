// Limits beside the balances, in a real browser: before a category is chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../../test/world/company.ts'
import { openedStage, picture, showsText, untilSettled, wide } from '../../../test/e2e/stage.ts'

const stage = openedStage()

test('a category says what can be claimed of it, where a limit leaves less than there is', async () => {
  const acme = await fundedCompany(stage.scene)
  const ana = await acme.hire('Ana')
  await acme.claim(ana, { category: 'treatment', amount_cents: 12_000 })
  await acme.company.admin.api.limits.add({
    kind: 'per_year',
    category: 'treatment',
    type_id: null,
    group_id: null,
    cents: 10_000,
  })
  const text = '€0.00 can be claimed: at most €100.00 in a plan year'
  const page = await stage.enter(ana, '/dashboard/my-claims', wide)
  await showsText(page, text)
  await page.goto('/dashboard/my-claims?new')
  const form = page.getByRole('dialog')
  await form.getByText(text).waitFor()
  assert.equal(await form.getByText('can be claimed').count(), 1, 'the others have no limit')
  await form.getByLabel('Treatment').check({ force: true })
  await form.getByLabel('Service date').fill(acme.today)
  await form.getByLabel('Amount claimed').fill('20')
  await showsText(page, 'Fix 1 field before you submit')
  assert.equal(await form.getByText('at most €100.00 in a plan year').count(), 2, 'here and there')
  await untilSettled(page)
  await picture(page, 'limit-at-the-category')
  await page.goto('/dashboard/my-money')
  await showsText(page, '€0.00 for Treatment')
  await showsText(page, 'Treatment: at most €100.00 in a plan year, nothing left')
  await page.goto('/dashboard/employee')
  await showsText(page, 'Treatment: at most €100.00 in a plan year, nothing left')
  await page.context().close()
})

test('a limit that leaves more than the fund holds says no more than its terms', async () => {
  const acme = await fundedCompany(stage.scene)
  const ana = await acme.hire('Ana')
  const { limits } = acme.company.admin.api
  const of = { type_id: null, group_id: null, kind: 'per_year' } as const
  await limits.add({ ...of, category: 'prevention', cents: 200_001 })
  await limits.add({ ...of, category: 'solidarity', cents: 100_000 })
  for (const path of ['/dashboard/employee', '/dashboard/my-money']) {
    const page = await stage.enter(ana, path, wide)
    await showsText(page, 'Solidarity: at most €1,000.00 in a plan year, €1,000.00 left')
    const terms = 'Prevention: at most €2,000.01 in a plan year'
    await page.getByText(terms, { exact: true }).waitFor()
    assert.equal(await page.getByText('€2,000.01 left').count(), 0)
    await page.context().close()
  }
})
