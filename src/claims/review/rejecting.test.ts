// Acts of reviewers on a claim that is not simply approved: reject, ask, reverse.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approvalOf, fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, won, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { keepClaims } from '#claims/jobs.server.ts'

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

describe('asking', () => {
  test('a question waits for its answer, and goes back to the same admin’s stage', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const first = await hr.api.review.approve(approvalOf(claim))
    await assert.rejects(second.api.review.ask({ ...first, text: '?' }), {
      fields: { text: ['Write your question'] },
    })
    const in_question = await second.api.review.ask({ ...first, text: 'Where is page two?' })
    assert.equal(in_question.stage, 'information_asked')
    const detail = await ana.api.claims.find({ id: claim.id })
    assert.equal(detail.question, 'Where is page two?')
    assert.equal(detail.refusals.answer, null)
    await refuses('information_awaited', second.api.review.approve(approvalOf(in_question)))
    const receipt_ids = [await acme.receipt(ana)]
    const answered = await ana.api.claims.answer({ id: claim.id, text: 'Here it is', receipt_ids })
    assert.equal(answered.stage, 'further_review')
    assert.equal(answered.receipts_list.length, 2)
    assert.equal(answered.question, null)
    await refuses('nothing_asked', ana.api.claims.answer({ id: claim.id, text: 'And again' }))
    assert.equal((await second.api.review.approve(approvalOf(answered))).status, 'approved')
  })

  test('no more than five receipts in all, none gone, none used already', async () => {
    const ana = await acme.hire()
    const used = await acme.receipt(ana, { bytes: 'used' })
    await acme.claim(ana, { receipt_ids: [used], amount_cents: 4400 })
    const claim = await acme.claim(ana, { amount_cents: 7000 })
    await hr.api.review.ask({ ...claim, text: 'Where is page two?' })
    const answer = (receipt_ids: string[]) =>
      ana.api.claims.answer({ id: claim.id, text: 'Here it is', receipt_ids })
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => acme.receipt(ana)))
    await refuses('too_many_receipts', answer(five))
    await refuses('receipt_used', answer([await acme.receipt(ana, { bytes: 'used' })]))
    await scene.sql`delete from receipts where id = ${five[0]!}`
    await refuses('receipt_gone', answer([five[0]!]))
  })

  test('45 days of silence withdraw the claim; the money is available again', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 7000 })
    const patient = await acme.claim(ana, { amount_cents: 7100 })
    for (const one of [claim, patient]) {
      await hr.api.review.ask({ ...one, text: 'Which tooth was it?' })
    }
    await scene.sql`
      update claims set asked_at = now() - interval '45 days 1 minute' where id = ${claim.id}`
    await scene.sql`
      update claims set asked_at = now() - interval '44 days' where id = ${patient.id}`
    await keepClaims({}, scene.tools)
    await keepClaims({}, scene.tools)
    const found = await ana.api.claims.find({ id: claim.id })
    assert.equal(found.status, 'withdrawn')
    assert.equal(found.events.at(-1)!.event, 'expired')
    assert.equal((await ana.api.claims.find({ id: patient.id })).status, 'pending')
    assert.deepEqual(await acme.balances(ana), { available: 192_900, held: 7100 })
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('a question withdrawn', () => {
  test('lets HR decide without the answer, with the time that was left', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 7200 })
    const in_question = await hr.api.review.ask({ ...claim, text: 'Which tooth was it?' })
    const withdraw = (who: Person, version = in_question.version) =>
      who.api.review.withdraw_question({ id: claim.id, version })
    await refuses('forbidden', withdraw(ana))
    await refuses('changed_meanwhile', withdraw(hr, claim.version))
    const other = (await scene.company({ name: 'Other' })).admin
    await refuses('not_found', withdraw(other))
    const all = await Promise.allSettled([withdraw(hr), withdraw(second), withdraw(third)])
    assert.equal(won(all).length, 1)
    assert.equal(won(all)[0]!.stage, 'first_review')
    assert.deepEqual(new Set(lost(all)), new Set(['nothing_asked']))
    const detail = await ana.api.claims.find({ id: claim.id })
    assert.equal(detail.question, null)
    assert.equal(detail.refusals.answer, 'nothing_asked')
    assert.equal(detail.events.at(-1)!.event, 'question_withdrawn')
    await refuses('nothing_asked', ana.api.claims.answer({ id: claim.id, text: 'The left one' }))
    assert.equal((await hr.api.review.approve(approvalOf(won(all)[0]!))).status, 'approved')
    assert.deepEqual(await acme.faults(), [])
  })

  test('goes back to the second approver where the first has approved', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const first = await hr.api.review.approve(approvalOf(claim))
    const in_question = await second.api.review.ask({ ...first, text: 'Where is page two?' })
    const back = await hr.api.review.withdraw_question(approvalOf(in_question))
    assert.equal(back.stage, 'further_review')
    await refuses('decided_by_you', hr.api.review.approve(approvalOf(back)))
    assert.equal((await second.api.review.approve(approvalOf(back))).status, 'approved')
  })
})

describe('reversing', () => {
  test('an unpaid approval is reversed once: the money is available again', async () => {
    const ana = await acme.hire()
    const claim = await acme.agreeing(ana, { amount_cents: 5000 })
    const reverse = (who: Person) =>
      who.api.review.reverse({ ...claim, text: 'The receipt was forged' })
    await refuses('forbidden', reverse(ana))
    const all = await Promise.allSettled([reverse(hr), reverse(second), reverse(third)])
    assert.equal(won(all).length, 1)
    assert.deepEqual(new Set(lost(all)), new Set(['already_reversed']))
    assert.deepEqual(await acme.balances(ana), { available: 200_000, held: 0, payable: 0 })
    const pending = await acme.claim(ana, { amount_cents: 6000 })
    await refuses('not_approved', hr.api.review.reverse({ ...pending, text: 'Too soon' }))
    assert.deepEqual(await acme.faults(), [])
  })
})
