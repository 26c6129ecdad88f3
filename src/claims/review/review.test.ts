// The acts of a company’s reviewers on claims, and those they may not do.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approvalOf, fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, won, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
let acme: FundedCompany
let hr: Person
let second: Person
let third: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  second = await acme.admin('Second')
  third = await acme.admin('Third')
})

describe('approving', () => {
  test('all of it: the money is payable, the employee is told, the trace says who', async () => {
    const ana = await acme.hire('Ana')
    const claim = await acme.claim(ana, { amount_cents: 8000 })
    const done = await hr.api.review.approve(approvalOf(claim))
    assert.deepEqual([done.status, done.approved_cents, done.payment], ['approved', 8000, 'unpaid'])
    assert.deepEqual(await acme.balances(ana), { available: 192_000, held: 0, payable: 8000 })
    const { events, trace, waits_for } = await ana.api.claims.find({ id: claim.id })
    assert.equal(events.at(-1)!.event, 'approved')
    assert.deepEqual(trace.at(-1), {
      rule: 'decision',
      outcome: 'fine',
      facts: { by_name: 'admin', text: null, claimed_cents: 8000, approved_cents: 8000 },
    })
    assert.equal(waits_for, null)
    await scene.notifyDecisions()
    const notified =
      await scene.sql`select code, facts ->> 'claim' as claim, path from notifications where person_id = ${ana.id}`
    assert.deepEqual(
      { ...notified[0] },
      {
        code: 'claim_approved',
        claim: String(claim.id),
        path: `/dashboard/my-claims/${claim.id}`,
      },
    )
  })

  test('in part, with the reason: the rest is available again', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 8000 })
    await refuses(
      'reason_needed',
      hr.api.review.approve({ ...approvalOf(claim), amount_cents: 6250 }),
    )
    await refuses(
      'approved_more_than_claimed',
      hr.api.review.approve({ ...approvalOf(claim), amount_cents: 8001 }),
    )
    await hr.api.review.approve({
      ...approvalOf(claim),
      amount_cents: 6250,
      text: 'The rest is a tip',
    })
    assert.deepEqual(await acme.balances(ana), { available: 193_750, held: 0, payable: 6250 })
    const { trace } = await ana.api.claims.find({ id: claim.id })
    assert.equal(trace.at(-1)!.outcome, 'lowers')
    assert.deepEqual(trace.at(-1)!.facts, {
      by_name: 'admin',
      text: 'The rest is a tip',
      claimed_cents: 8000,
      approved_cents: 6250,
    })
    assert.deepEqual(await acme.faults(), [])
  })

  test('a claim is approved once, however many admins press at the same moment', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 9000 })
    const presses = [hr, second, third, hr, second, third].map((admin) =>
      admin.api.review.approve(approvalOf(claim)),
    )
    const all = await Promise.allSettled(presses)
    assert.equal(won(all).length, 1)
    assert.deepEqual(new Set(lost(all)), new Set(['claim_already_decided']))
    assert.deepEqual(await acme.balances(ana), { available: 191_000, held: 0, payable: 9000 })
  })

  test('approve, reject and withdraw at the same moment: one of them happens', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ana = await acme.hire()
      const claim = await acme.claim(ana, { amount_cents: 9000 })
      const all = await Promise.allSettled([
        hr.api.review.approve(approvalOf(claim)),
        second.api.review.reject({ ...claim, reason: 'other', text: 'No, thank you' }),
        ana.api.claims.withdraw({ id: claim.id }),
      ])
      assert.deepEqual(lost(all), ['claim_already_decided', 'claim_already_decided'])
    }
    assert.deepEqual(await acme.faults(), [])
  })

  test('what was changed since it was looked at is looked at again', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 7000 })
    await hr.api.review.ask({ ...claim, text: 'Which tooth was it?' })
    await ana.api.claims.answer({ id: claim.id, text: 'The left one' })
    await refuses('changed_meanwhile', hr.api.review.approve(approvalOf(claim)))
  })

  test('nobody decides on their own claim, nor another company’s admin on ours', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 7000 })
    const other = await scene.company({ name: 'Other' })
    await refuses('not_found', other.admin.api.review.approve(approvalOf(claim)))
    await refuses('forbidden', ana.api.review.approve(approvalOf(claim)))
    await scene.sql`update profiles set role = 'company_admin' where id = ${ana.id}`
    const promoted = await scene.signIn(ana.email)
    await refuses('own_claim', promoted.api.review.approve(approvalOf(claim)))
    const { claims } = await promoted.api.review.queue({ person_id: ana.id })
    assert.equal(claims[0]!.refusals.approve, 'own_claim')
    await scene.sql`update profiles set role = 'employee' where id = ${ana.id}`
  })
})

describe('two approvers', () => {
  test('above the tier two different admins must, and the second may only lower it', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const first = await hr.api.review.approve({
      ...claim,
      amount_cents: 50_000,
      text: 'Single room is not covered',
    })
    assert.deepEqual([first.status, first.stage], ['pending', 'further_review'])
    await refuses('decided_by_you', hr.api.review.approve(approvalOf(first)))
    await refuses(
      'decided_by_you',
      hr.api.review.reject({ ...first, reason: 'other', text: 'No!' }),
    )
    await refuses(
      'approved_more_than_before',
      second.api.review.approve({ ...first, amount_cents: 50_001, text: 'All of it' }),
    )
    const queued = await hr.api.review.queue({ search: `#${claim.id}` })
    assert.equal(queued.claims[0]!.refusals.approve, 'decided_by_you')
    const detail = await second.api.review.find({ id: claim.id })
    assert.deepEqual([detail.approvals_needed, detail.approvals.length], [2, 1])
    assert.equal(detail.passed_cents, 50_000)
    assert.deepEqual(detail.waits_for, { who: 'hr', nth: 2, of: 2 })
    const done = await second.api.review.approve(approvalOf(first))
    assert.deepEqual([done.status, done.approved_cents], ['approved', 50_000])
    assert.deepEqual(await acme.balances(ana, 'treatment'), {
      available: 650_000,
      held: 0,
      payable: 50_000,
    })
    const { trace } = await ana.api.claims.find({ id: claim.id })
    assert.deepEqual(
      trace.slice(-2).map(({ rule }) => rule),
      ['further_approval', 'decision'],
    )
  })

  test('two admins who press together are first and second, never twice the first', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const all = await Promise.allSettled(
      [hr, second].map((who) => who.api.review.approve(approvalOf(claim))),
    )
    assert.equal(won(all).length, 1)
    assert.deepEqual(lost(all), ['changed_meanwhile'])
  })

  test('with one admin it waits for a second, who is never made up for', async () => {
    const lone = await fundedCompany(scene)
    const ana = await lone.hire()
    const claim = await lone.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const first = await lone.company.admin.api.review.approve(approvalOf(claim))
    assert.equal(first.stage, 'further_review')
    await refuses('decided_by_you', lone.company.admin.api.review.approve(approvalOf(first)))
    await scene.notifyDecisions()
    const notices = await scene.sql`
      select code from notifications where person_id = ${lone.company.admin.id}`
    assert.equal(notices.at(-1)!['code'], 'claim_needs_second_admin')
    const another = await lone.admin('Another')
    assert.equal((await another.api.review.approve(approvalOf(first))).status, 'approved')
  })
})

describe('many at once', () => {
  test('those that one approval decides are approved, the others say why not', async () => {
    const ana = await acme.hire()
    const ben = await acme.hire()
    const easy = [
      await acme.claim(ana, { amount_cents: 1000 }),
      await acme.claim(ben, { amount_cents: 2000 }),
    ]
    const large = await acme.claim(ben, { amount_cents: 60_000, category: 'treatment' })
    const gone = await acme.claim(ana, { amount_cents: 3000 })
    await ana.api.claims.withdraw({ id: gone.id })
    const { claims: queued } = await hr.api.review.queue({ search: `#${large.id}` })
    assert.equal(queued[0]!.refusals.approve_many, 'more_approvals_needed')
    const done = await hr.api.review.approve_many({
      claims: [...easy, large, gone, { id: 999_999_999, version: 1 }],
    })
    assert.deepEqual(
      done.done.toSorted((a, b) => a - b),
      easy.map(({ id }) => id),
    )
    assert.deepEqual(Object.fromEntries(done.refused.map(({ id, code }) => [id, code])), {
      [large.id]: 'more_approvals_needed',
      [gone.id]: 'claim_already_decided',
      999_999_999: 'not_found',
    })
    assert.ok(done.refused.every(({ sentence }) => sentence.length > 8))
    assert.deepEqual(await acme.faults(), [])
  })

  test('many are rejected, or asked about, with the same words; the others are left and said', async () => {
    const ida = await acme.hire('Ida')
    const [one, two, large, theirs] = [
      await acme.claim(ida, { amount_cents: 1100 }),
      await acme.claim(ida, { amount_cents: 1200 }),
      await acme.claim(ida, { amount_cents: 90_000 }),
      await acme.claim(await acme.hire(), { amount_cents: 1300 }),
    ]
    const outcomes = await hr.api.review.ask_many({
      claims: [theirs].map(approvalOf),
      text: 'For whom?',
    })
    assert.deepEqual(outcomes, { done: [theirs.id], refused: [] })
    const words = { reason: 'not_covered' as const, text: 'Not in our plan' }
    const { done, refused } = await hr.api.review.reject_many({
      claims: [
        approvalOf(one),
        { ...approvalOf(two), version: 9 },
        approvalOf(large),
        approvalOf(theirs),
      ],
      ...words,
    })
    assert.deepEqual(done, [one.id, large.id])
    assert.deepEqual(Object.fromEntries(refused.map(({ id, code }) => [id, code])), {
      [two.id]: 'changed_meanwhile',
      [theirs.id]: 'information_awaited',
    })
    const { rejection } = await ida.api.claims.find({ id: large.id })
    assert.deepEqual(rejection, words)
    const undone = await hr.api.review.undo_many({ claims: [{ id: one.id }, { id: two.id }] })
    assert.deepEqual(undone.done, [one.id])
    await refuses('forbidden', ida.api.review.reject_many({ claims: [approvalOf(two)], ...words }))
    assert.deepEqual(await acme.faults(), [])
  })

  test('admins who approve the same many in any order never wait in a ring', async () => {
    const people = [await acme.hire(), await acme.hire(), await acme.hire()]
    const made = []
    for (const person of people) {
      for (const n of [1, 2, 3]) made.push(await acme.claim(person, { amount_cents: 1000 + n }))
    }
    const orders = [made, made.toReversed(), made.toSorted((a, b) => a.version - b.version)]
    const done = await Promise.all(
      [hr, second, third].map((who, at) => who.api.review.approve_many({ claims: orders[at]! })),
    )
    assert.equal(done.flatMap((each) => each.done).length, made.length)
    const refused = done.flatMap((each) => each.refused)
    assert.deepEqual(new Set(refused.map(({ code }) => code)), new Set(['claim_already_decided']))
    assert.deepEqual(await acme.faults(), [])
  })
})
