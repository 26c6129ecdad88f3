// Refusals of an employee’s claim: the reasons, the sentences, and the warnings before they submit.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Problem } from '#problems.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
let acme: FundedCompany
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
})

/** The refusal itself, with its figures and the sentence beside the field. */
async function refusal(act: Promise<unknown>): Promise<Problem> {
  return act.then(
    () => assert.fail('it was not refused'),
    (problem: Problem) => problem,
  )
}

describe('what a claim is refused for', () => {
  test('more than the bill, beside its field, with the sentence that says what to do', async () => {
    const problem = await refusal(acme.claim(ana, { bill_cents: 5000, amount_cents: 5001 }))
    assert.equal(problem.code, 'amount_over_bill')
    assert.deepEqual(problem.fields, {
      amount_cents: ['The bill is 50.00 EUR. Claim that amount or less'],
    })
  })

  test('nothing and less than nothing', async () => {
    await refuses('invalid_input', acme.claim(ana, { amount_cents: 0 }))
    await refuses('invalid_input', acme.claim(ana, { amount_cents: -100 }))
  })

  test('a day to come, a day before the plan, a day before they joined', async () => {
    await refuses('service_in_future', acme.claim(ana, { service_on: daysAfter(acme.today, 1) }))
    const before_plan = daysAfter(acme.plan_year, -1)
    await refuses('no_plan_year_then', acme.claim(ana, { service_on: before_plan }))
    const late = await acme.company.hire()
    await scene.sql`update profiles set joined_on = ${acme.today} where id = ${late.id}`
    const earlier = daysAfter(acme.today, -1)
    const before_joining = await refusal(acme.claim(late, { service_on: earlier }))
    assert.equal(before_joining.code, 'service_not_covered')
    assert.deepEqual(before_joining.fields, {
      service_on: [
        `Your cover starts on ${acme.today}. Services before that day aren’t covered. ` +
          'If a day is wrong, HR can correct it.',
      ],
    })
  })

  test('a leaver claims for days before the last, until their days to file are over', async () => {
    const leaver = await acme.hire()
    const left_on = daysAfter(acme.today, -10)
    await scene.sql`update profiles set left_on = ${left_on} where id = ${leaver.id}`
    const after_leaving = await refusal(acme.claim(leaver, { service_on: acme.today }))
    assert.equal(after_leaving.code, 'service_not_covered')
    assert.match(
      after_leaving.fields?.['service_on']?.[0] ?? '',
      new RegExp(`ends on ${left_on}\\. Services outside these days aren’t covered\\. If a day is`),
    )
    assert.equal((await acme.claim(leaver, { service_on: left_on })).status, 'pending')
    const long_ago = daysAfter(acme.today, -91)
    await scene.sql`update profiles set left_on = ${long_ago} where id = ${leaver.id}`
    const problem = await refusal(acme.claim(leaver, { service_on: long_ago }))
    assert.equal(problem.code, 'filed_too_late')
    assert.equal(problem.facts?.['filing_ends_on'], daysAfter(acme.today, -1))
  })

  test('more than is left, with what is left to claim instead', async () => {
    const person = await acme.hire()
    await acme.claim(person, { amount_cents: 150_000 })
    const problem = await refusal(acme.claim(person, { amount_cents: 50_001 }))
    assert.equal(problem.code, 'fund_exhausted')
    assert.equal(problem.facts?.['left_cents'], 50_000)
    assert.equal((await acme.claim(person, { amount_cents: 50_000 })).status, 'pending')
  })

  test('two that together are too much: one is made, however close they come', async () => {
    const person = await acme.hire()
    const both = await Promise.allSettled(
      [1, 2, 3, 4].map((n) => acme.claim(person, { amount_cents: 150_000 + n })),
    )
    assert.deepEqual(lost(both), Array(3).fill('fund_exhausted'))
    assert.deepEqual(await acme.faults(), [])
  })

  test('no receipt above what the policy lets pass without one', async () => {
    await refuses('receipt_needed', acme.claim(ana, { amount_cents: 2501, receipt_ids: [] }))
    const person = await acme.hire()
    const small = await acme.claim(person, { amount_cents: 2500, receipt_ids: [] })
    assert.equal(small.status, 'pending') // with nothing to compare a person looks
  })

  test('a receipt that is gone, another’s, or on a claim already', async () => {
    const person = await acme.hire()
    const gone = await acme.receipt(person)
    await scene.sql`delete from receipts where id = ${gone}`
    await refuses('receipt_gone', acme.claim(person, { receipt_ids: [gone] }))
    const others = await acme.receipt(ana)
    await refuses('receipt_gone', acme.claim(person, { receipt_ids: [others] }))
    const one = await acme.receipt(person, { bytes: 'the same' })
    const claim = await acme.claim(person, { receipt_ids: [one] })
    const problem = await refusal(acme.claim(person, { receipt_ids: [one] }))
    assert.equal(problem.code, 'receipt_used')
    const copy = await acme.receipt(person, { bytes: 'the same' })
    const again = await refusal(acme.claim(person, { receipt_ids: [copy] }))
    assert.equal(again.code, 'receipt_used')
    assert.equal(again.facts?.['claim_id'], claim.id)
    const offered = async () => (await person.api.receipts.list({})).map(({ id }) => id)
    assert.deepEqual(await offered(), [])
    await person.api.claims.withdraw({ id: claim.id })
    assert.deepEqual(await offered(), [copy])
    assert.equal((await acme.claim(person, { receipt_ids: [copy] })).status, 'pending')
  })

  test('the same file in a colleague’s hands is no refusal, but never approved by itself', async () => {
    const [one, other] = [await acme.hire(), await acme.hire()]
    const read = { amount_cents: 4000, on: acme.today, bytes: 'one bill for two' }
    const first = await acme.claim(one, { receipt_ids: [await acme.receipt(one, read)] })
    const second = await acme.claim(other, { receipt_ids: [await acme.receipt(other, read)] })
    assert.deepEqual([first.status, second.status], ['approved', 'pending'])
    const { duplicates, suspicion } = {
      ...(await acme.company.admin.api.review.find({ id: second.id })),
      suspicion: (await acme.company.admin.api.review.queue({ person_id: other.id })).claims[0]!
        .suspicion,
    }
    assert.deepEqual(duplicates, [{ kind: 'same_file', score: 100, claim_id: null, other: null }])
    assert.equal(suspicion, 100)
    const answer_text = JSON.stringify(await other.api.claims.find({ id: second.id }))
    assert.ok(!answer_text.includes(`"claim_id":${first.id}`))
    // A later claim marks a waiting one.
    const claim_input = { category: 'treatment', amount_cents: 7000 } as const
    for (const _ of [1, 2]) await acme.claim(one, claim_input)
    const waiting = await acme.company.admin.api.review.queue({
      person_id: one.id,
      status: 'pending',
    })
    assert.deepEqual(
      waiting.claims.map((claim) => claim.suspicion),
      [90, 90],
    )
  })

  test('a bill like one claimed before is told before it is sent, and refused by nothing', async () => {
    const person = await acme.hire()
    const claim_input = { category: 'treatment', amount_cents: 7000 } as const
    const checked = async (draft = {}) => {
      const all = await acme.draft({ ...claim_input, ...draft })
      const receipt_ids = [await acme.receipt(person)]
      return person.api.claims.check({ ...all, receipt_ids })
    }
    assert.deepEqual((await checked()).looks_like, [])
    const { id } = await acme.claim(person, claim_input)
    const { looks_like, problems, would } = await checked()
    assert.deepEqual([looks_like, problems, would], [[id], [], 'one_review'])
    assert.deepEqual((await checked({ amount_cents: 7100 })).looks_like, [])
    await person.api.claims.withdraw({ id })
    assert.deepEqual((await checked()).looks_like, [])
  })

  test('six receipts, and a type of another category or switched off', async () => {
    const six = await Promise.all([1, 2, 3, 4, 5, 6].map(() => acme.receipt(ana)))
    await refuses('invalid_input', acme.claim(ana, { receipt_ids: six }))
    const type_id = await acme.typeOf('treatment')
    await refuses('type_inactive', acme.claim(ana, { category: 'prevention', type_id }))
    const { policies } = acme.company.admin.api
    const added = await policies.add_type({ category: 'prevention', name: 'Sauna' })
    await policies.change_type({ id: added.id, active: false })
    await refuses('type_inactive', acme.claim(ana, { type_id: added.id }))
  })
})

describe('for whom', () => {
  test('Solidarity is for a dependent who was covered that day, the rest for oneself', async () => {
    const person = await acme.hire()
    const mia = await person.api.dependents.add({
      full_name: 'Mia',
      relationship: 'child',
      born_on: daysAfter(acme.today, -2000),
      covered_from: daysAfter(acme.today, -30),
    })
    await refuses('dependent_needed', acme.claim(person, { category: 'solidarity' }))
    await refuses('only_for_yourself', acme.claim(person, { dependent_id: mia.id }))
    const long_ago = { category: 'solidarity', dependent_id: mia.id } as const
    const problem = await refusal(
      acme.claim(person, { ...long_ago, service_on: daysAfter(acme.today, -31) }),
    )
    assert.equal(problem.code, 'dependent_not_covered')
    assert.ok(problem.fields?.['service_on']?.[0]?.startsWith('Mia was not covered'))
    const claim = await acme.claim(person, long_ago)
    assert.equal(claim.for_whom, 'Mia')
    const stranger = await acme.hire()
    await refuses('not_your_dependent', acme.claim(stranger, long_ago))
  })
})

describe('before submitting', () => {
  test('the form is told each problem of what is filled in so far, and what would happen', async () => {
    const person = await acme.hire()
    const { check } = person.api.claims
    const type_id = await acme.typeOf('prevention')
    assert.deepEqual(await check({}), {
      problems: [],
      left_cents: null,
      looks_like: [],
      would: null,
      trace: [],
    })
    const early = await check({ category: 'prevention', service_on: daysAfter(acme.today, 2) })
    assert.deepEqual(
      early.problems.map(({ code, field }) => [code, field]),
      [['service_in_future', 'service_on']],
    )
    const draft = { ...(await acme.draft({ amount_cents: 250_000 })), type_id }
    const much = await check({ ...draft, receipt_ids: [await acme.receipt(person)] })
    assert.deepEqual(
      much.problems.map(({ code, facts }) => [code, facts['left_cents']]),
      [['fund_exhausted', 200_000]],
    )
    assert.equal(much.left_cents, 200_000)
    const would = async (amount_cents: number) =>
      (
        await check({
          ...draft,
          bill_cents: amount_cents,
          amount_cents,
          receipt_ids: [await acme.receipt(person, { amount_cents, on: acme.today })],
        })
      ).would
    assert.equal(await would(5000), 'be_approved')
    assert.equal(await would(5001), 'one_review')
    assert.equal(await would(30_001), 'more_reviews')
    assert.equal((await person.api.claims.mine({})).claims.length, 0)
  })

  test('the form offers types, family, and the years that can still be claimed from', async () => {
    const person = await acme.hire()
    const options = await person.api.claims.options({})
    assert.equal(options.today, acme.today)
    assert.equal(options.earliest, acme.plan_year)
    assert.equal(options.currency, 'EUR')
    assert.deepEqual(options.dependents, [])
    assert.ok(options.types.some(({ name }) => name === 'GP visit'))
    const [year] = options.years
    assert.equal(year?.plan_year, acme.plan_year)
    assert.deepEqual(year?.available, {
      prevention: 200_000,
      treatment: 700_000,
      solidarity: 100_000,
    })
  })
})
