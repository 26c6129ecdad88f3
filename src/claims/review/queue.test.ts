// The queue that admins work through: its order, its filters, its counts and its clock.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approvalOf, fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { rollUpAll, keepClaims } from '#claims/jobs.server.ts'

const scene = openedScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
let acme: FundedCompany
before(async () => {
  acme = await fundedCompany(scene)
  await acme.admin('Second')
  await acme.admin('Third')
})

describe('the queue', () => {
  test('counts and finds reversed claims by themselves: what its states have adds up', async () => {
    const own = await fundedCompany(scene)
    const { review } = own.company.admin.api
    const ana = await own.hire('Ana')
    const [first, second, third] = [
      await own.claim(ana, { amount_cents: 100 }),
      await own.claim(ana, { amount_cents: 200 }),
      await own.claim(ana, { amount_cents: 300, category: 'treatment' }),
    ]
    for (const claim of [first, second, third]) {
      const done = await review.approve(approvalOf(claim))
      if (claim !== first)
        await review.reverse({ ...approvalOf(done), text: 'Approved by mistake' })
    }
    await own.claim(ana, { amount_cents: 400 })
    const found = async (filter: Parameters<typeof review.queue>[0]) => {
      const { claims, total } = await review.queue({ sort: 'newest', ...filter })
      assert.equal(total, claims.length)
      return claims.map(({ id }) => id)
    }
    assert.deepEqual(await found({ status: 'approved' }), [first.id])
    assert.deepEqual(await found({ status: 'reversed' }), [third.id, second.id])
    assert.deepEqual(await found({ status: 'reversed', sort: 'amount' }), [second.id, third.id])
    assert.deepEqual(await found({ status: 'reversed', category: 'treatment' }), [third.id])
    assert.deepEqual(await found({ status: 'reversed', search: 'Ana' }), [third.id, second.id])
    const { total, pending, approved, rejected, reversed, withdrawn } = await review.summary({})
    assert.equal(pending + approved + rejected + reversed + withdrawn, total)
    const mine = await ana.api.claims.mine({ status: 'reversed' })
    assert.equal(mine.claims.length, 2)
    assert.equal((await ana.api.claims.mine({ status: 'approved' })).claims.length, 1)
  })

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
    await review.approve(approvalOf(oldest[0]!))
    assert.equal((await walk('oldest', { status: 'approved' })).length, 1)
    assert.equal((await walk('amount', { status: 'pending', category: 'treatment' })).length, 2)
    await rollUpAll(scene.sql)
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
    const in_question = await own.claim(ana, { amount_cents: 200 })
    await review.ask({ ...in_question, text: 'Which tooth was it?' })
    await scene.sql`update claims set due_at = now() - interval '1 minute',
      submitted_at = now() - interval '9 days' where id = ${late.id}`
    await scene.sql`update claims set submitted_at = now() - interval '9 days',
      asked_at = now() - interval '9 days' where id = ${in_question.id}`
    await keepClaims({}, scene.tools)
    await keepClaims({}, scene.tools)
    const { claims, total } = await review.queue({ overdue: 'true' })
    assert.deepEqual(
      claims.map(({ id, overdue }) => [id, overdue]),
      [[late.id, true]],
    )
    assert.equal(total, 1)
    assert.equal((await review.summary({})).overdue, 1)
    assert.ok(claims[0]!.days_left! <= 0 && claims[0]!.days_left! >= -1)
    const waiting = await review.find({ id: in_question.id })
    assert.equal(waiting.days_left, null)
    const notices = await scene.sql`
      select code from notifications where person_id = ${own.company.admin.id}
        and code = 'claims_overdue'`
    assert.equal(notices.length, 1)
    await ana.api.claims.answer({ id: in_question.id, text: 'The left one' })
    const [clock] = await scene.sql`
      select due_at > now() + interval '2 days' as full_time from claims where id = ${in_question.id}`
    assert.equal(clock!['full_time'], true)
    await review.approve(approvalOf((await review.queue({ overdue: 'true' })).claims[0]!))
    assert.equal((await review.summary({})).overdue, 0)
    assert.deepEqual(await own.faults(), [])
  })

  test('working days are Mondays to Fridays of the company’s own time', async () => {
    const between = async (from: string, to: string, zone: string) => {
      const [row] = await scene.sql<[{ days: number }]>`
        select working_days(${to}, ${zone}, '{}')
          - working_days(${from}, ${zone}, '{}') as days`
      return row.days
    }
    assert.equal(await between('2026-11-20T12:00Z', '2026-11-23T12:00Z', 'UTC'), 1) // over a weekend
    assert.equal(await between('2026-11-21T01:00Z', '2026-11-22T23:00Z', 'UTC'), 0)
    assert.equal(await between('2026-11-23T00:00Z', '2026-11-30T00:00Z', 'UTC'), 5)
    assert.equal(await between('2026-11-20T12:00Z', '2026-11-20T18:00Z', 'Asia/Tokyo'), 0.125)
    const [due] = await scene.sql<[{ at: string }]>`
      select private.after_working_days('2026-11-20T15:00Z', 3, 'Europe/Zagreb', '{}') as at`
    assert.equal(due.at, '2026-11-25T15:00:00.000Z')
  })
})
