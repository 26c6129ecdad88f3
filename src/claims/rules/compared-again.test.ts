// A waiting claim is compared again when a receipt comes, or when the claim that it was like goes.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { reverse } from '../../../test/world/claims.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import type { Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { plain_step } from '#claims/policies/steps.contract.ts'
import type { TraceRule } from '#claims/words.contract.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
})

test('a receipt that comes with an answer is compared, and approves nothing', async () => {
  const ana = await acme.hire()
  const claim = await acme.claim(ana, { amount_cents: 2000, receipt_ids: [] })
  const step = async (rule: TraceRule) => {
    const { trace } = await hr.api.review.find({ id: claim.id })
    const { outcome, facts } = trace.find((one) => one.rule === rule)!
    return [outcome, facts['found'] ?? facts['receipts']]
  }
  assert.deepEqual(await step('receipt_match'), ['human', 'none'])
  await hr.api.review.ask({ ...claim, text: 'Please send the receipt' })
  await scene.notifyDecisions()
  const read = { amount_cents: 2000, on: acme.today, provider: claim.provider }
  const receipt = await acme.receipt(ana, read)
  await ana.api.claims.answer({ id: claim.id, text: 'Here it is', receipt_ids: [receipt] })
  await acme.evaluateAgain()
  assert.deepEqual(await step('receipt_match'), ['fine', 'agrees'])
  assert.deepEqual(await step('receipt'), ['fine', 1])
  const { status, version, checked_at, receipts_checked_at, submitted_at, events } =
    await hr.api.review.find({ id: claim.id })
  assert.deepEqual([status, version], ['pending', 3], 'as the reviewer saw it')
  assert.equal(checked_at, submitted_at)
  assert.equal(receipts_checked_at, events.find(({ event }) => event === 'answered')!.at)
  const { trace } = await ana.api.claims.find({ id: claim.id })
  assert.ok(!trace.some(({ rule, outcome }) => rule === 'receipt_match' && outcome === 'human'))
})

test('once its receipt is read it tells of as many approvals as it needs since it was submitted', async () => {
  const own = await fundedCompany(scene)
  const reviewer = await own.admin('Second')
  const { policies, review } = own.company.admin.api
  const policy = await policies.current({})
  const named = { ...plain_step, who: 'people' as const, person_ids: [reviewer.id] }
  const steps = [plain_step, { ...named, new_provider: true }]
  await policies.change({ ...PolicyTerms.parse(policy), version: policy.version, steps })
  const ana = await own.hire()
  const receipt = await own.receipt(ana, { state: 'reading' })
  const claim = await own.claim(ana, { provider: 'New Clinic', receipt_ids: [receipt] })
  const other = await own.claim(ana, {
    provider: 'New Clinic',
    amount_cents: 1000,
    receipt_ids: [],
  })
  await reviewer.api.review.approve(await own.company.admin.api.review.approve(other))
  await scene.sql`update receipts set read_state = 'unreadable' where id = ${receipt}`
  await own.evaluateAgain()
  const { approvals_needed, trace } = await review.find({ id: claim.id })
  const approvers = trace.find(({ rule }) => rule === 'approvals_needed')?.facts['approvers']
  assert.deepEqual([approvals_needed, approvers], [2, 2])
})

describe('a possible duplicate', () => {
  /** Two claims for the same day and bill, both waiting: the first was marked by the second. */
  async function two() {
    const ana = await acme.hire()
    const claim_input = { category: 'treatment', amount_cents: 7000 } as const
    const [first, second] = [await acme.claim(ana, claim_input), await acme.claim(ana, claim_input)]
    const marks = async () => {
      const { claims } = await hr.api.review.queue({ person_id: ana.id, status: 'pending' })
      const { duplicates } = await hr.api.review.find({ id: first.id })
      return [
        claims.find(({ id }) => id === first.id)!.suspicion,
        Math.max(0, ...duplicates.map(({ score }) => score)),
      ]
    }
    assert.deepEqual(await marks(), [90, 90])
    return { ana, first, second, marks }
  }

  test('is one no more once the other is withdrawn', async () => {
    const { ana, first, second, marks } = await two()
    await ana.api.claims.withdraw({ id: second.id })
    await acme.evaluateAgain()
    assert.deepEqual(await marks(), [0, 0])
    assert.equal((await ana.api.claims.find({ id: first.id })).status, 'pending')
  })

  test('is one no more once the other is rejected, and again when that is undone', async () => {
    const { second, marks } = await two()
    await hr.api.review.reject({ ...second, reason: 'duplicate', text: 'It was claimed before' })
    await acme.evaluateAgain()
    assert.deepEqual(await marks(), [0, 0])
    await hr.api.review.undo({ id: second.id })
    await acme.evaluateAgain()
    assert.deepEqual(await marks(), [90, 90])
  })

  test('whose mark is gone is not approved by it', async () => {
    const ana = await acme.hire()
    const claim_input = { amount_cents: 4000 }
    const first = await acme.agreeing(ana, claim_input)
    const second = await acme.agreeing(ana, claim_input)
    assert.deepEqual([first.status, second.status], ['approved', 'pending'])
    await reverse(hr, first, 'The wrong one was approved')
    await acme.evaluateAgain()
    const { status, duplicates } = await hr.api.review.find({ id: second.id })
    assert.deepEqual([status, duplicates], ['pending', []])
    const { claims } = await hr.api.review.queue({ person_id: ana.id, status: 'pending' })
    assert.deepEqual(
      claims.map(({ suspicion }) => suspicion),
      [0],
    )
  })
})
