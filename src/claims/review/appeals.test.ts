// Rejected, and appealed: with documents, in whole or for the rest.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { approvalOf, fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, won, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
let acme: FundedCompany
let hr: Person
let second: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  second = await acme.admin('Second')
})

describe('rejecting and appealing', () => {
  test('a rejection has its reason and sentence, and gives the money back', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 6000 })
    await refuses('invalid_input', hr.api.review.reject({ ...claim, reason: 'other', text: '' }))
    const done = await hr.api.review.reject({ ...claim, reason: 'not_covered', text: 'A sauna' })
    assert.equal(done.status, 'rejected')
    assert.deepEqual(await acme.balances(ana), { available: 200_000, held: 0 })
    const whole = await ana.api.claims.find({ id: claim.id })
    assert.deepEqual(whole.rejection, { reason: 'not_covered', text: 'A sauna' })
    assert.equal(whole.refusals.appeal, null)
    await refuses('claim_already_decided', hr.api.review.approve(approvalOf(done)))
  })

  test('an appeal holds the money again and goes to another admin, once', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 6000 })
    const appeal = () => ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed' })
    await refuses('nothing_to_appeal', appeal())
    await hr.api.review.reject({ ...claim, reason: 'not_covered', text: 'A sauna' })
    const pressed = await Promise.allSettled([appeal(), appeal(), appeal()])
    assert.deepEqual(lost(pressed), ['nothing_to_appeal', 'nothing_to_appeal'])
    const appealed = won(pressed)
    assert.equal(appealed[0]!.status, 'pending')
    assert.deepEqual(await acme.balances(ana), { available: 194_000, held: 6000 })
    await refuses('appeal_needs_another', hr.api.review.approve(approvalOf(appealed[0]!)))
    const { claims } = await hr.api.review.queue({ search: String(claim.id) })
    assert.equal(claims[0]!.refusals.approve, 'appeal_needs_another')
    const versions = [claims[0]!, appealed[0]!, await hr.api.review.find({ id: claim.id })]
    assert.deepEqual(
      versions.map(({ is_appeal }) => is_appeal),
      [true, true, true],
    )
    const overturned = await second.api.review.approve(approvalOf(appealed[0]!))
    assert.equal(overturned.status, 'approved')
    assert.equal(overturned.is_appeal, false)
    assert.deepEqual(await acme.balances(ana), { available: 194_000, held: 0, payable: 6000 })
    const { entries } = await ana.api.funds.my_statement({ limit: 200 })
    assert.deepEqual(
      entries.filter(({ claim_id }) => claim_id === claim.id).map(({ event }) => event),
      ['claim_approved', 'claim_appealed', 'claim_released', 'claim_held'],
    )
    assert.deepEqual(await acme.faults(), [])
  })

  test('rejected twice it stays so', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 6000 })
    const no = { reason: 'not_covered', text: 'A sauna' } as const
    await hr.api.review.reject({ ...claim, ...no })
    const again = await ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed' })
    await second.api.review.reject({ ...again, ...no })
    await refuses('already_appealed', ana.api.claims.appeal({ id: claim.id, text: 'Please' }))
    const { refusals } = await ana.api.claims.find({ id: claim.id })
    assert.equal(refusals.appeal, 'already_appealed')
  })

  test('after 180 days, or with the money spent elsewhere, there is no appeal', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 150_000 })
    const appeal = () => ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed' })
    await hr.api.review.reject({ ...claim, reason: 'other', text: 'Not this time' })
    await acme.claim(ana, { amount_cents: 100_000 })
    await refuses('fund_exhausted', appeal())
    await scene.sql`update claims set reviewed_at = now() - interval '182 days' where id = ${claim.id}`
    await refuses('appeal_too_late', appeal())
  })

  test('a leaver appeals while their days to file last', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 6000 })
    await hr.api.review.reject({ ...claim, reason: 'other', text: 'Not this time' })
    const leaves = (day: string) =>
      scene.sql`update profiles set left_on = ${day} where id = ${ana.id}`
    await leaves(daysAfter(acme.today, -90))
    assert.equal((await ana.api.claims.find({ id: claim.id })).appeal_ends_on, acme.today)
    await leaves(daysAfter(acme.today, -91))
    const appeal = ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed' })
    await refuses('appeal_too_late', appeal)
    await assert.rejects(appeal, ({ message }) => !/\d/.test(message), 'it is not of the 180 days')
  })

  test('of a plan year that is closed no appeal is offered, and none is taken', async () => {
    const late = await fundedCompany(scene)
    const ana = await late.hire()
    const claim = await late.claim(ana, { amount_cents: 6000 })
    await late.company.admin.api.review.reject({ ...claim, reason: 'other', text: 'Not this time' })
    await scene.sql`update plan_years set closed_at = now() where company_id = ${late.id}`
    const { refusals, appeal_ends_on } = await ana.api.claims.find({ id: claim.id })
    assert.deepEqual([refusals.appeal, appeal_ends_on], ['plan_year_closed', null])
    const appeal = ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed' })
    await refuses('plan_year_closed', appeal)
  })

  test('where there is no other admin the same one decides the appeal', async () => {
    const lone = await fundedCompany(scene)
    const ana = await lone.hire()
    const claim = await lone.claim(ana, { amount_cents: 6000 })
    const { review } = lone.company.admin.api
    await review.reject({ ...claim, reason: 'other', text: 'Not this time' })
    const again = await ana.api.claims.appeal({ id: claim.id, text: 'Please look again' })
    assert.equal((await review.approve(approvalOf(again))).status, 'approved')
  })
})

describe('appealing the rest', () => {
  const part = async (ana: Person, input: { amount_cents: number; receipt_ids?: string[] }) => {
    const claim = await acme.claim(ana, input)
    return hr.api.review.approve({
      ...approvalOf(claim),
      amount_cents: 6250,
      text: 'Frames at one half',
    })
  }

  test('of a claim approved in part is another claim, decided by another admin', async () => {
    const ana = await acme.hire()
    const before_it = (await hr.api.review.summary({})).claimed_cents
    const claimed = async () =>
      (await hr.api.policies.types({})).reduce((sum, { claims }) => sum + claims, 0)
    const so_often = await claimed()
    const receipt_ids = [await acme.receipt(ana, { bytes: 'the frames' })]
    const claim = await part(ana, { amount_cents: 8000, receipt_ids })
    assert.equal((await ana.api.claims.find({ id: claim.id })).refusals.appeal, null)
    const appeal = () => ana.api.claims.appeal({ id: claim.id, text: 'The lenses are in it' })
    const all = await Promise.allSettled([appeal(), appeal(), appeal()])
    assert.equal(won(all).length, 1)
    assert.deepEqual(new Set(lost(all)), new Set(['already_appealed']))
    const rest = won(all)[0]!
    assert.deepEqual([rest.appeal_of, rest.amount_cents, rest.status], [claim.id, 1750, 'pending'])
    const [own, companys] = [await ana.api.claims.my_summary({}), await hr.api.review.summary({})]
    assert.deepEqual([own.claimed_cents, own.pending_cents], [8000, 1750], 'asked for once')
    assert.equal(companys.claimed_cents - before_it, 8000)
    assert.equal((await claimed()) - so_often, 1, 'of its type, one claim')
    assert.deepEqual(
      rest.receipts_list.map(({ id }) => id),
      receipt_ids,
    )
    const first = await ana.api.claims.find({ id: claim.id })
    assert.deepEqual(
      [first.status, first.approved_cents, first.appealed_as, first.refusals.appeal],
      ['approved', 6250, rest.id, 'already_appealed'],
    )
    const review = await second.api.review.find({ id: rest.id })
    assert.deepEqual(review.duplicates, [])
    await refuses('appeal_needs_another', hr.api.review.approve(approvalOf(rest)))
    await second.api.review.approve(approvalOf(rest))
    assert.deepEqual(await acme.balances(ana), { available: 192_000, held: 0, payable: 8000 })
    await refuses('nothing_to_appeal', ana.api.claims.appeal({ id: rest.id, text: 'Once more' }))
    assert.deepEqual(await acme.faults(), [])
  })

  test('needs the approvals of the whole bill, however small it is, in straight SQL as well', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 100_000 })
    const less = { amount_cents: 75_000, text: 'Frames at three quarters' }
    const done = await second.api.review.approve({
      ...(await hr.api.review.approve(approvalOf(claim))),
      ...less,
    })
    assert.equal(done.status, 'approved')
    const rest = await ana.api.claims.appeal({ id: claim.id, text: 'The lenses are in it' })
    const { approvals_needed, amount_cents } = await hr.api.review.find(rest)
    assert.deepEqual([amount_cents, approvals_needed], [25_000, 2])
    await scene.straight(
      hr,
      (tx) => tx`select approve_claim(${rest.id}, ${rest.version}, null, null, null)`,
    )
    const half = await hr.api.review.find(rest)
    assert.deepEqual([half.status, half.stage], ['pending', 'further_review'])
    await refuses('decided_by_you', hr.api.review.approve(approvalOf(half)))
    assert.equal((await second.api.review.approve(approvalOf(half))).status, 'approved')
    assert.deepEqual(await acme.faults(), [])
  })

  test('is refused where nothing was refused, and once the approval is reversed', async () => {
    const ana = await acme.hire()
    const whole = await acme.agreeing(ana, { amount_cents: 4100 })
    const appeal = (id: number) => ana.api.claims.appeal({ id, text: 'It was more than that' })
    await refuses('nothing_to_appeal', appeal(whole.id))
    const claim = await part(ana, { amount_cents: 8100 })
    await hr.api.review.reverse({ ...approvalOf(claim), text: 'The receipt was forged' })
    await refuses('nothing_to_appeal', appeal(claim.id))
    assert.equal((await ana.api.claims.find({ id: claim.id })).refusals.appeal, 'nothing_to_appeal')
  })

  test('rejected, it gives back its own amount and nothing of what was approved', async () => {
    const ana = await acme.hire()
    const claim = await part(ana, { amount_cents: 8200 })
    const rest = await ana.api.claims.appeal({
      id: claim.id,
      text: 'The lenses are in it',
      receipt_ids: [await acme.receipt(ana)],
    })
    assert.equal(rest.receipts_list.length, 2)
    await second.api.review.reject({
      ...approvalOf(rest),
      reason: 'not_covered',
      text: 'One half it is',
    })
    assert.deepEqual(await acme.balances(ana), { available: 193_750, held: 0, payable: 6250 })
    assert.equal((await ana.api.claims.find({ id: rest.id })).refusals.appeal, 'already_appealed')
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('an appeal with documents', () => {
  test('takes them along: no more than five in all, none used already', async () => {
    const ana = await acme.hire()
    await acme.claim(ana, { receipt_ids: [await acme.receipt(ana, { bytes: 'spent' })] })
    const claim = await acme.claim(ana, { amount_cents: 6100 })
    await hr.api.review.reject({ ...claim, reason: 'no_receipt', text: 'A prescription, please' })
    const appeal = (receipt_ids: string[]) =>
      ana.api.claims.appeal({ id: claim.id, text: 'Here is the prescription', receipt_ids })
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => acme.receipt(ana)))
    await refuses('too_many_receipts', appeal(five))
    await refuses('receipt_used', appeal([await acme.receipt(ana, { bytes: 'spent' })]))
    const appealed = await appeal(five.slice(0, 1))
    assert.equal(appealed.status, 'pending')
    assert.equal(appealed.receipts_list.length, 2)
    const appealed_claim = await second.api.review.find({ id: claim.id })
    assert.deepEqual(
      appealed_claim.receipts_list.map(({ id }) => id),
      appealed.receipts_list.map(({ id }) => id),
    )
  })
})

describe('once somebody has looked at a claim', () => {
  /** Sends a claim with a receipt that agrees and is read only a moment later. */
  async function readLater(person: Person, amount_cents: number, send: (id: string) => unknown) {
    const receipt = await acme.receipt(person, { state: 'reading' })
    await send(receipt)
    await scene.sql`update receipts set read_state = 'read', read_amount_cents = ${amount_cents},
      read_on = ${acme.today} where id = ${receipt}`
    await acme.evaluateAgain()
  }
  const stands = async (person: Person, id: number) => {
    const { status, automatic, trace } = await person.api.claims.find({ id })
    const asks = trace.some(({ rule, outcome }) => rule === 'people_decide' && outcome === 'human')
    return { status, automatic, asks }
  }
  const waits = { status: 'pending', automatic: false, asks: true }

  test('no rule approves its appeal, whatever the new receipt says', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 2100 })
    await hr.api.review.reject({ ...claim, reason: 'not_covered', text: 'A sauna' })
    const appeal = { id: claim.id, text: 'It was prescribed' }
    await readLater(ana, 2100, (id) => ana.api.claims.appeal({ ...appeal, receipt_ids: [id] }))
    assert.deepEqual(await stands(ana, claim.id), waits)
    assert.deepEqual(await acme.faults(), [])
  })

  test('nor the rest of what was approved in part', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 2200 })
    const text = 'Half is covered'
    await hr.api.review.approve({ ...approvalOf(claim), amount_cents: 1100, text })
    let rest = 0
    const appeal = { id: claim.id, text: 'All of it is' }
    await readLater(ana, 2200, async (id) => {
      rest = (await ana.api.claims.appeal({ ...appeal, receipt_ids: [id] })).id
    })
    assert.notEqual(rest, claim.id)
    const { status, automatic } = await ana.api.claims.find({ id: rest })
    assert.deepEqual([status, automatic], ['pending', false])
  })

  test('nor what the answer to a question brings', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 2300 })
    await hr.api.review.ask({ ...approvalOf(claim), text: 'Is there a receipt?' })
    const answer = { id: claim.id, text: 'Here it is' }
    await readLater(ana, 2300, (id) => ana.api.claims.answer({ ...answer, receipt_ids: [id] }))
    assert.deepEqual(await stands(ana, claim.id), waits)
  })
})
