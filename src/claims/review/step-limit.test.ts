// The most that a step of approval may approve: refused by the act, and told beforehand by every button.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { plain_step } from '#claims/policies/steps.contract.ts'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { problems } from '#problems.ts'
import { approvalOf, fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { refuses, type Person } from '../../../test/world/people.ts'
import { openedStage, picture, showsText, wide } from '../../../test/e2e/stage.ts'

const stage = openedStage()
let acme: FundedCompany
let ana: Person
before(async () => {
  acme = await fundedCompany(stage.scene)
  ana = await acme.hire('Ana')
  const { policies } = acme.company.admin.api
  const { version, ...terms } = await policies.current({})
  const steps = [{ ...plain_step, most_cents: 5000 }]
  await policies.change({ ...PolicyTerms.parse(terms), version, steps })
})

const partly = async (page: Page, id: number) => {
  await page.goto(`/dashboard/claims/${id}`)
  await page.getByRole('button', { name: 'Approve part' }).click()
  return page.getByRole('dialog', { name: `Approve part of claim #${id}` })
}

test('no more than the step’s limit is approved in it, alone or together with others', async () => {
  const { review } = acme.company.admin.api
  const claim = await acme.claim(ana, { amount_cents: 8000 })
  const { refusals } = await review.find(claim)
  assert.deepEqual([refusals.approve, refusals.approve_whole], [null, 'above_step_limit'])
  await refuses('above_step_limit', review.approve(approvalOf(claim)))
  const { refused } = await review.approve_many({ claims: [approvalOf(claim)] })
  assert.deepEqual(
    refused.map(({ code }) => code),
    ['above_step_limit'],
  )
  const part = { amount_cents: 5000, text: 'As far as I may' }
  assert.equal((await review.approve({ ...approvalOf(claim), ...part })).approved_cents, 5000)
  const { refusals: of_small } = await review.find(await acme.claim(ana, { amount_cents: 5000 }))
  assert.equal(of_small.approve_whole, null)
})

test('Approve says that it is too much, and Approve part offers what the step may approve', async () => {
  const { id } = await acme.claim(ana, { amount_cents: 8000 })
  const page = await stage.enter(acme.company.admin, '/dashboard/claims', wide)
  const why = problems.above_step_limit[1]
  const grey = page.getByRole('button', { name: `Approve claim #${id}`, description: why })
  assert.equal(await grey.getAttribute('aria-disabled'), 'true')
  await picture(page, 'above-the-step-in-the-queue')
  await page.goto(`/dashboard/claims/${id}`)
  const approve = page.getByRole('button', { name: /^Approve( a)?$/, description: why })
  assert.equal(await approve.getAttribute('aria-disabled'), 'true')
  await picture(page, 'above-the-step')
  const dialog = await partly(page, id)
  await dialog
    .getByText(/^Ana claimed €80.00. At most the €50.00 that this step may approve/)
    .waitFor()
  await dialog.getByLabel('Approve').fill('60')
  await dialog.getByLabel('Reason').fill('As far as I may')
  await dialog.getByRole('button', { name: 'Approve part' }).click()
  const amount = dialog.getByRole('textbox', { name: 'Approve', exact: true })
  assert.equal(await amount.getAttribute('aria-invalid'), 'true')
  await picture(page, 'part-above-the-step')
  await amount.fill('50')
  await dialog.getByRole('button', { name: 'Approve part' }).click()
  await showsText(page, `Claim #${id} approved`)
})

test('of one bill a step approves no more than its limit, its rest and straight SQL included', async () => {
  const { review } = acme.company.admin.api
  const claim = await acme.claim(ana, { amount_cents: 8000 })
  await review.approve({ ...approvalOf(claim), amount_cents: 3000, text: 'Not the frames' })
  const rest = await ana.api.claims.appeal({ id: claim.id, text: 'The frames are covered' })
  const { refusals } = await review.find(rest)
  assert.deepEqual([refusals.approve, refusals.approve_whole], [null, 'above_step_limit'])
  await refuses('above_step_limit', review.approve(approvalOf(rest)))
  await assert.rejects(
    stage.scene.straight(
      acme.company.admin,
      (tx) => tx`select approve_claim(${rest.id}, ${rest.version}, 2001, 'Frames', null)`,
    ),
    { message: 'above_step_limit' },
  )
  const page = await stage.enter(acme.company.admin, `/dashboard/claims/${rest.id}`, wide)
  await showsText(page, 'Any reviewer, at most €20.00 more')
  await picture(page, 'rest-above-the-step')
  const dialog = await partly(page, rest.id)
  await dialog
    .getByText(/At most the €20.00 that this step may still approve of this bill/)
    .waitFor()
  const done = await review.approve({ ...approvalOf(rest), amount_cents: 2000, text: 'In part' })
  assert.equal(done.approved_cents, 2000)
})

test('where a step’s limit is used up there is no appeal, neither offered nor taken', async () => {
  const claim = await acme.claim(ana, { amount_cents: 8000 })
  const part = { amount_cents: 5000, text: 'As far as I may' }
  await acme.company.admin.api.review.approve({ ...approvalOf(claim), ...part })
  const { refusals, appeal_ends_on } = await ana.api.claims.find({ id: claim.id })
  assert.deepEqual([refusals.appeal, appeal_ends_on], ['step_limit_used_up', null])
  const appeal = ana.api.claims.appeal({ id: claim.id, text: 'Once more' })
  await refuses('step_limit_used_up', appeal)
})

test('lines that together are more than the step may approve are told so before they are sent', async () => {
  const lines = [
    { what: 'Glasses', amount_cents: 4000 },
    { what: 'Cloth', amount_cents: 2000 },
  ]
  const { id } = await acme.claim(ana, { amount_cents: 6000, lines })
  const page = await stage.enter(acme.company.admin, '/dashboard/claims', wide)
  const dialog = await partly(page, id)
  await dialog.getByLabel('Cloth').fill('15')
  await dialog.getByLabel('Reason').fill('A cloth is in the price')
  await dialog.getByRole('button', { name: 'Approve these amounts' }).click()
  const first = dialog.getByLabel('Glasses')
  await dialog.getByText(/together. Enter 0/).waitFor()
  assert.equal(await first.getAttribute('aria-invalid'), 'true')
  await picture(page, 'lines-above-the-step')
  await dialog.getByLabel('Cloth').fill('10')
  await dialog.getByRole('button', { name: 'Approve these amounts' }).click()
  await showsText(page, `Claim #${id} approved`)
})
