// What a company's admins do with claims, and what they may not.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fundedCompany, type ClaimsStage } from '../../test/claims-stage.ts'
import { openScene, refuses, type Person, type Scene } from '../../test/scene.ts'
import { foldAll, keepClaims } from './jobs.server.ts'

let scene: Scene
let acme: ClaimsStage
let hr: Person
let second: Person
let third: Person
before(async () => {
  scene = await openScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  second = await acme.admin('Second')
  third = await acme.admin('Third')
})
after(() => scene.close())

const won = <T>(all: PromiseSettledResult<T>[]) =>
  all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
const lost = (all: PromiseSettledResult<unknown>[]) =>
  all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code as string] : []))
/** What an approval names: a claim's own amount is what was asked. */
const at = ({ id, version }: { id: number; version: number }) => ({ id, version })
const tools = () => ({ sql: scene.sql, log: scene.house.log })

describe('approving', () => {
  test('all of it: the money is payable, the employee is told, the trace says who', async () => {
    const ana = await acme.hire('Ana')
    const claim = await acme.claim(ana, { amount_cents: 8000 })
    const done = await hr.api.review.approve(at(claim))
    assert.deepEqual([done.status, done.approved_cents, done.payment], ['approved', 8000, 'unpaid'])
    assert.deepEqual(await acme.balances(ana), { available: 192_000, held: 0, payable: 8000 })
    const { events, trace, waits_for } = await ana.api.claims.find({ id: claim.id })
    assert.equal(events.at(-1)!.event, 'approved')
    assert.equal(trace.at(-1)!.says, 'admin approved 80.00 EUR')
    assert.equal(waits_for, null)
    const told = await scene.sql`select title, path from notifications where person_id = ${ana.id}`
    assert.deepEqual(
      { ...told[0] },
      {
        title: `Claim #${claim.id} was approved`,
        path: `/dashboard/my-claims?claim=${claim.id}`,
      },
    )
  })

  test('in part, with the reason: the rest is available again', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 8000 })
    await refuses('reason_needed', hr.api.review.approve({ ...at(claim), amount_cents: 6250 }))
    await refuses(
      'approved_more_than_asked',
      hr.api.review.approve({ ...at(claim), amount_cents: 8001 }),
    )
    await hr.api.review.approve({ ...at(claim), amount_cents: 6250, text: 'The rest is a tip' })
    assert.deepEqual(await acme.balances(ana), { available: 193_750, held: 0, payable: 6250 })
    const { trace } = await ana.api.claims.find({ id: claim.id })
    assert.equal(trace.at(-1)!.outcome, 'lowers')
    assert.equal(
      trace.at(-1)!.says,
      '80.00 EUR asked, 62.50 EUR approved by admin: The rest is a tip',
    )
    assert.deepEqual(await acme.faults(), [])
  })

  test('a claim is approved once, however many admins press at the same moment', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 9000 })
    const presses = [hr, second, third, hr, second, third].map((admin) =>
      admin.api.review.approve(at(claim)),
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
        hr.api.review.approve(at(claim)),
        second.api.review.reject({ ...claim, reason: 'other', text: 'No, thank you' }),
        ana.api.claims.withdraw({ id: claim.id }),
      ])
      assert.equal(won(all as PromiseSettledResult<unknown>[]).length, 1)
    }
    assert.deepEqual(await acme.faults(), [])
  })

  test('what was changed since it was looked at is looked at again', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 7000 })
    await hr.api.review.ask({ ...claim, text: 'Which tooth was it?' })
    await ana.api.claims.answer({ id: claim.id, text: 'The left one' })
    await refuses('changed_meanwhile', hr.api.review.approve(at(claim)))
  })

  test('nobody decides on their own claim, nor another company’s admin on ours', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 7000 })
    const other = await scene.company({ name: 'Other' })
    await refuses('not_found', other.admin.api.review.approve(at(claim)))
    await refuses('forbidden', ana.api.review.approve(at(claim)))
    await scene.sql`update profiles set role = 'company_admin' where id = ${ana.id}`
    const promoted = await scene.signIn(ana.email)
    await refuses('own_claim', promoted.api.review.approve(at(claim)))
    const { claims } = await promoted.api.review.queue({ person_id: ana.id })
    assert.deepEqual([claims[0]!.mine_to_decide, claims[0]!.refusal], [false, 'own_claim'])
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
    assert.deepEqual([first.status, first.stage], ['pending', 'second_review'])
    await refuses('decided_by_you', hr.api.review.approve(at(first)))
    await refuses(
      'decided_by_you',
      hr.api.review.reject({ ...first, reason: 'other', text: 'No!' }),
    )
    await refuses(
      'approved_more_than_first',
      second.api.review.approve({ ...first, amount_cents: 50_001, text: 'All of it' }),
    )
    const queued = await hr.api.review.queue({ search: `#${claim.id}` })
    assert.equal(queued.claims[0]!.refusal, 'decided_by_you')
    const seen = await second.api.review.find({ id: claim.id })
    assert.deepEqual([seen.approvals_needed, seen.approvals.length], [2, 1])
    assert.equal(seen.waits_for, 'HR, second of two approvals')
    const done = await second.api.review.approve(at(first))
    assert.deepEqual([done.status, done.approved_cents], ['approved', 50_000])
    assert.deepEqual(await acme.balances(ana, 'treatment'), {
      available: 650_000,
      held: 0,
      payable: 50_000,
    })
    const { trace } = await ana.api.claims.find({ id: claim.id })
    assert.deepEqual(
      trace.slice(-2).map(({ rule }) => rule),
      ['First of two approvals', 'Decision'],
    )
  })

  test('two admins who press together are first and second, never twice the first', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const all = await Promise.allSettled(
      [hr, second].map((who) => who.api.review.approve(at(claim))),
    )
    assert.equal(won(all).length, 1)
    assert.deepEqual(lost(all), ['changed_meanwhile'])
  })

  test('with one admin it waits for a second, who is never made up for', async () => {
    const lone = await fundedCompany(scene)
    const ana = await lone.hire()
    const claim = await lone.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const first = await lone.company.admin.api.review.approve(at(claim))
    assert.equal(first.stage, 'second_review')
    await refuses('decided_by_you', lone.company.admin.api.review.approve(at(first)))
    const told = await scene.sql`
      select title from notifications where person_id = ${lone.company.admin.id}`
    assert.equal(told.at(-1)!['title'], `Claim #${claim.id} needs a second admin`)
    const another = await lone.admin('Another')
    assert.equal((await another.api.review.approve(at(first))).status, 'approved')
  })
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
    assert.equal(whole.can.appeal, true)
    await refuses('claim_already_decided', hr.api.review.approve(at(done)))
  })

  test('an appeal holds the money again and goes to another admin, once', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 6000 })
    const appeal = () => ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed' })
    await refuses('not_rejected', appeal())
    await hr.api.review.reject({ ...claim, reason: 'not_covered', text: 'A sauna' })
    const appealed = won(await Promise.allSettled([appeal(), appeal(), appeal()]))
    assert.equal(appealed.length, 1)
    assert.equal(appealed[0]!.status, 'pending')
    assert.deepEqual(await acme.balances(ana), { available: 194_000, held: 6000 })
    await refuses('appeal_needs_another', hr.api.review.approve(at(appealed[0]!)))
    const { claims } = await hr.api.review.queue({ search: String(claim.id) })
    assert.equal(claims[0]!.refusal, 'appeal_needs_another')
    const overturned = await second.api.review.approve(at(appealed[0]!))
    assert.equal(overturned.status, 'approved')
    assert.deepEqual(await acme.balances(ana), { available: 194_000, held: 0, payable: 6000 })
    assert.deepEqual(await acme.faults(), [])
  })

  test('rejected twice it stays so', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 6000 })
    const no = { reason: 'not_covered', text: 'A sauna' } as const
    await hr.api.review.reject({ ...claim, ...no })
    const again = await ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed' })
    await second.api.review.reject({ ...again, ...no })
    await refuses('appealed_already', ana.api.claims.appeal({ id: claim.id, text: 'Please' }))
    assert.equal((await ana.api.claims.find({ id: claim.id })).can.appeal, false)
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

  test('where there is no other admin the same one decides the appeal', async () => {
    const lone = await fundedCompany(scene)
    const ana = await lone.hire()
    const claim = await lone.claim(ana, { amount_cents: 6000 })
    const { review } = lone.company.admin.api
    await review.reject({ ...claim, reason: 'other', text: 'Not this time' })
    const again = await ana.api.claims.appeal({ id: claim.id, text: 'Please look again' })
    assert.equal((await review.approve(at(again))).status, 'approved')
  })
})

describe('asking', () => {
  test('a question waits for its answer, and goes back to the same admin’s stage', async () => {
    const ana = await acme.hire()
    const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    const first = await hr.api.review.approve(at(claim))
    const asked = await second.api.review.ask({ ...first, text: 'Where is page two?' })
    assert.equal(asked.stage, 'information_asked')
    const seen = await ana.api.claims.find({ id: claim.id })
    assert.equal(seen.question, 'Where is page two?')
    assert.equal(seen.can.answer, true)
    await refuses('information_awaited', second.api.review.approve(at(asked)))
    const receipt_ids = [await acme.receipt(ana)]
    const answered = await ana.api.claims.answer({ id: claim.id, text: 'Here it is', receipt_ids })
    assert.equal(answered.stage, 'second_review')
    assert.equal(answered.receipts_list.length, 2)
    assert.equal(answered.question, null)
    await refuses('nothing_asked', ana.api.claims.answer({ id: claim.id, text: 'And again' }))
    assert.equal((await second.api.review.approve(at(answered))).status, 'approved')
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
    await keepClaims({}, tools())
    await keepClaims({}, tools())
    const found = await ana.api.claims.find({ id: claim.id })
    assert.equal(found.status, 'withdrawn')
    assert.equal(found.events.at(-1)!.event, 'expired')
    assert.equal((await ana.api.claims.find({ id: patient.id })).status, 'pending')
    assert.deepEqual(await acme.balances(ana), { available: 192_900, held: 7100 })
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('reversing', () => {
  test('an unpaid approval is taken back once: the money is available again', async () => {
    const ana = await acme.hire()
    const claim = await acme.agreeing(ana, { amount_cents: 5000 })
    const reverse = (who: Person) =>
      who.api.review.reverse({ ...claim, text: 'The receipt was forged' })
    await refuses('forbidden', reverse(ana))
    const all = await Promise.allSettled([reverse(hr), reverse(second), reverse(third)])
    assert.equal(won(all).length, 1)
    assert.deepEqual(new Set(lost(all)), new Set(['reversed_already']))
    assert.deepEqual(await acme.balances(ana), { available: 200_000, held: 0, payable: 0 })
    const pending = await acme.claim(ana, { amount_cents: 6000 })
    await refuses('not_approved', hr.api.review.reverse({ ...pending, text: 'Too soon' }))
    assert.deepEqual(await acme.faults(), [])
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
    const done = await hr.api.review.approve_many({
      claims: [...easy, large, gone, { id: 999_999_999, version: 1 }],
    })
    assert.deepEqual(
      done.approved.toSorted((a, b) => a - b),
      easy.map(({ id }) => id),
    )
    assert.deepEqual(Object.fromEntries(done.refused.map(({ id, code }) => [id, code])), {
      [large.id]: 'two_approvals_needed',
      [gone.id]: 'claim_already_decided',
      999_999_999: 'not_found',
    })
    assert.ok(done.refused.every(({ sentence }) => sentence.length > 8))
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
    assert.equal(done.flatMap(({ approved }) => approved).length, made.length)
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('the queue', () => {
  test('pages in each order with each filter, and its counts agree at every moment', async () => {
    const own = await fundedCompany(scene)
    const { review } = own.company.admin.api
    const ana = await own.hire('Ana-Horvat')
    const ben = await own.hire('Ben')
    for (const n of [5, 1, 4, 2, 3]) await own.claim(ana, { amount_cents: n * 100 })
    for (const n of [5, 1]) await own.claim(ben, { amount_cents: n * 100, category: 'treatment' })
    const walk = async (sort: 'oldest' | 'newest' | 'amount' | '-amount', more = {}) => {
      const found = []
      let after: string | undefined
      do {
        const page = await review.queue({ sort, limit: 2, ...more, ...(after && { after }) })
        found.push(...page.claims)
        assert.equal(page.total, (await review.queue({ ...more, limit: 200 })).claims.length)
        after = page.next ?? undefined
      } while (after)
      return found
    }
    const oldest = await walk('oldest')
    assert.deepEqual(
      oldest.map(({ id }) => id),
      oldest.map(({ id }) => id).toSorted((a, b) => a - b),
    )
    assert.deepEqual(
      (await walk('newest')).map(({ id }) => id),
      oldest.map(({ id }) => id).toReversed(),
    )
    const amounts = [100, 100, 200, 300, 400, 500, 500]
    assert.deepEqual(
      (await walk('amount')).map((c) => c.amount_cents),
      amounts,
    )
    assert.deepEqual(
      (await walk('-amount')).map((c) => c.amount_cents),
      amounts.toReversed(),
    )
    await review.approve(at(oldest[0]!))
    assert.equal((await walk('oldest', { status: 'approved' })).length, 1)
    assert.equal((await walk('amount', { status: 'pending', category: 'treatment' })).length, 2)
    await foldAll(scene.sql)
    assert.equal((await walk('newest', { status: 'pending' })).length, 6)
    const summary = await review.summary({})
    assert.deepEqual(
      [summary.total, summary.pending, summary.approved, summary.overdue, summary.approved_cents],
      [7, 6, 1, 0, 500],
    )
    assert.equal(summary.claimed_cents, 2100)
  })

  test('is searched by name, e-mail and number', async () => {
    const own = await fundedCompany(scene)
    const { review } = own.company.admin.api
    const ana = await own.hire('Ana-Horvat')
    const ben = await own.hire('Ben')
    const one = await own.claim(ana, { amount_cents: 100 })
    await own.claim(ben, { amount_cents: 200 })
    const found = async (search: string) =>
      (await review.queue({ search })).claims.map(({ person_name }) => person_name)
    assert.deepEqual(await found('horvat'), ['Ana-Horvat'])
    assert.deepEqual(await found(ben.email), ['Ben'])
    assert.deepEqual(await found('an'), ['Ana-Horvat']) // too short for the index: recognised on the way
    assert.deepEqual(await found(`#${one.id}`), ['Ana-Horvat'])
    assert.deepEqual(await found(String(one.id)), ['Ana-Horvat'])
    assert.deepEqual(await found('#999999999'), [])
    assert.deepEqual(await found('nobody at all'), [])
    assert.deepEqual(await found('100%_'), [])
    assert.equal((await review.queue({ search: 'horvat', status: 'approved' })).total, 0)
  })

  test('past its target a claim is marked and the admins are told once; a question stops the clock', async () => {
    const own = await fundedCompany(scene)
    const { review } = own.company.admin.api
    const ana = await own.hire()
    const late = await own.claim(ana, { amount_cents: 100 })
    const asked = await own.claim(ana, { amount_cents: 200 })
    await review.ask({ ...asked, text: 'Which tooth was it?' })
    await scene.sql`update claims set due_at = now() - interval '1 minute',
      submitted_at = now() - interval '9 days' where id = ${late.id}`
    await scene.sql`update claims set submitted_at = now() - interval '9 days',
      asked_at = now() - interval '9 days' where id = ${asked.id}`
    await keepClaims({}, tools())
    await keepClaims({}, tools())
    const { claims, total } = await review.queue({ overdue: 'true' })
    assert.deepEqual(
      claims.map(({ id, overdue }) => [id, overdue]),
      [[late.id, true]],
    )
    assert.equal(total, 1)
    assert.equal((await review.summary({})).overdue, 1)
    assert.ok(claims[0]!.age_days >= 5 && claims[0]!.age_days <= 7)
    const waiting = await review.find({ id: asked.id })
    assert.ok(waiting.age_days < 0.01, `${waiting.age_days}`)
    const told = await scene.sql`
      select title from notifications where person_id = ${own.company.admin.id} and title like '%overdue%'`
    assert.equal(told.length, 1)
    await ana.api.claims.answer({ id: asked.id, text: 'The left one' })
    const [clock] = await scene.sql`
      select due_at > now() + interval '2 days' as full_time from claims where id = ${asked.id}`
    assert.equal(clock!['full_time'], true)
    await review.approve(at((await review.queue({ overdue: 'true' })).claims[0]!))
    assert.equal((await review.summary({})).overdue, 0)
    assert.deepEqual(await own.faults(), [])
  })

  test('working days are Mondays to Fridays of the company’s own time', async () => {
    const between = async (from: string, to: string, zone: string) => {
      const [row] = await scene.sql<[{ days: number }]>`
        select wall.working_days(${to}, ${zone}) - wall.working_days(${from}, ${zone}) as days`
      return row.days
    }
    assert.equal(await between('2026-11-20T12:00Z', '2026-11-23T12:00Z', 'UTC'), 1) // over a weekend
    assert.equal(await between('2026-11-21T01:00Z', '2026-11-22T23:00Z', 'UTC'), 0)
    assert.equal(await between('2026-11-23T00:00Z', '2026-11-30T00:00Z', 'UTC'), 5)
    assert.equal(await between('2026-11-20T12:00Z', '2026-11-20T18:00Z', 'Asia/Tokyo'), 0.125)
    const [due] = await scene.sql<[{ at: string }]>`
      select wall.after_working_days('2026-11-20T15:00Z', 3, 'Europe/Zagreb') as at`
    assert.equal(due.at, '2026-11-25T15:00:00.000Z')
  })
})
