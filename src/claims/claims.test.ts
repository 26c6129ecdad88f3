// Claims of an employee and their decisions, through the front door.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { aKey, lost, refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
let acme: FundedCompany
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
})

describe('submitting', () => {
  test('a claim holds its amount and waits for HR, who see it at once', async () => {
    const ben = await acme.hire('Ben')
    const claim = await acme.claim(ben, { amount_cents: 12_000, category: 'treatment' })
    assert.equal(claim.status, 'pending')
    assert.equal(claim.stage, 'first_review')
    assert.equal(claim.currency, 'EUR')
    assert.deepEqual(await acme.balances(ben, 'treatment'), { available: 688_000, held: 12_000 })
    assert.deepEqual((await ben.api.claims.mine({})).claims, [claim])
    const { claims: queued, total } = await acme.company.admin.api.review.queue({
      person_id: ben.id,
    })
    assert.equal(total, 1)
    assert.equal(queued[0]!.id, claim.id)
    assert.equal(queued[0]!.person_name, 'Ben')
    assert.equal(queued[0]!.refusals.approve, null)
    assert.deepEqual(await acme.faults(), [])
  })

  test('a small one whose receipt says the same is approved by itself, and says why', async () => {
    const cem = await acme.hire('Cem')
    const claim = await acme.agreeing(cem, { amount_cents: 5000 })
    assert.deepEqual([claim.status, claim.automatic, claim.payment], ['approved', true, 'unpaid'])
    assert.deepEqual(await acme.balances(cem), { available: 195_000, held: 0, payable: 5000 })
    const whole = await cem.api.claims.find({ id: claim.id })
    assert.deepEqual(
      whole.events.map(({ event, by_role, by_name }) => [event, by_role, by_name]),
      [
        ['submitted', 'employee', 'Cem'],
        ['approved_by_policy', 'system', null],
      ],
    )
    assert.ok(whole.trace.every(({ outcome }) => outcome === 'fine'))
    assert.deepEqual(whole.trace.at(-1), {
      rule: 'automatic_approval',
      outcome: 'fine',
      facts: { amount_cents: 5000 },
    })
    assert.equal(whole.waits_for, null)
    assert.equal(whole.receipts_list.length, 1)
  })

  test('the fifth of a month goes to a person, however well its receipt agrees', async () => {
    const person = await acme.hire()
    const statuses = []
    for (let n = 1; n <= 5; n += 1) {
      const { status } = await acme.agreeing(person, { amount_cents: 1000 + n })
      statuses.push(status)
    }
    assert.deepEqual(statuses, ['approved', 'approved', 'approved', 'approved', 'pending'])
  })

  test('of many at the same moment no more than the policy lets are approved by themselves', async () => {
    const person = await acme.hire()
    const sent = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => acme.agreeing(person, { amount_cents: 2000 + n })),
    )
    assert.equal(sent.filter(({ automatic }) => automatic).length, 4)
    assert.deepEqual(await acme.faults(), [])
  })

  test('who is drawn for a spot check is looked at by a person, and the draw is recorded', async () => {
    const drawing = await fundedCompany(scene, { spot_check: 100 })
    const person = await drawing.hire()
    const claim = await drawing.agreeing(person)
    assert.equal(claim.status, 'pending')
    const { trace } = await person.api.claims.find({ id: claim.id })
    const drawn = trace.find(({ rule }) => rule === 'spot_check')
    assert.equal(drawn?.outcome, 'human')
    assert.ok(Number(drawn.facts['spot_check_draw']) < 100)
  })

  test('the draw is made once: a claim that is withdrawn and made again keeps it', async () => {
    const drawing = await fundedCompany(scene, { spot_check: 100 })
    const person = await drawing.hire()
    const drawOf = async ({ id }: { id: number }) => {
      const { trace } = await person.api.claims.find({ id })
      return trace.find(({ rule }) => rule === 'spot_check')?.facts['spot_check_draw']
    }
    let last = await drawing.agreeing(person)
    const draw = await drawOf(last)
    const draws = []
    // Other figures with the same file do not help, nor does another picture of the same bill.
    for (const more of [1, 1, 2, 2]) {
      await person.api.claims.withdraw({ id: last.id })
      const kept = await scene.sql<{ id: string }[]>`select id from receipts
        where company_id = ${drawing.id} and claim_id = ${last.id}`
      const copies = await person.api.receipts.reuse({ ids: kept.map(({ id }) => id) })
      const others = [await drawing.receipt(person, { state: 'unreadable' })]
      last = await drawing.claim(person, {
        amount_cents: 4000 + more,
        receipt_ids: draws.length % 2 === 0 ? copies.map(({ id }) => id) : others,
      })
      draws.push(await drawOf(last))
    }
    assert.deepEqual(draws, [draw, draw, draw, draw])
  })

  test('a receipt that says something else, or is like another, brings a person in', async () => {
    const person = await acme.hire()
    const draft = await acme.draft({ amount_cents: 3000, provider: 'Dr. Müller GmbH' })
    const submit = async (read: Parameters<typeof acme.receipt>[1], more = {}) => {
      const receipt_ids = [await acme.receipt(person, read)]
      return person.api.claims.submit({ ...draft, ...more, receipt_ids })
    }
    const agreeing = { amount_cents: 3000, on: acme.today, provider: 'DR MULLER' }
    assert.equal((await submit({ ...agreeing, amount_cents: 3001 })).status, 'pending')
    const wrong_day = await submit({ ...agreeing, on: daysAfter(acme.today, -1) })
    assert.equal(wrong_day.status, 'pending')
    const [reviewed] = [await acme.company.admin.api.review.find({ id: wrong_day.id })]
    assert.deepEqual(
      reviewed.duplicates.map(({ kind, score }) => [kind, score]),
      [['same_facts', 90]],
    )
    const other = { bill_cents: 3100, amount_cents: 3000 }
    const elsewhere = { ...agreeing, amount_cents: 3100, provider: 'Corner Bakery' }
    assert.equal((await submit(elsewhere, other)).status, 'pending')
    const another = { bill_cents: 3200, amount_cents: 3000 }
    const right = await submit({ ...agreeing, amount_cents: 3200 }, another)
    assert.equal(right.status, 'approved')
  })

  test('a receipt still being read lets the claim wait; once it is read the rules look again', async () => {
    const person = await acme.hire()
    const draft = await acme.draft({ amount_cents: 2500 })
    const receipt = await acme.receipt(person, { state: 'reading' })
    const claim = await person.api.claims.submit({ ...draft, receipt_ids: [receipt] })
    assert.equal(claim.status, 'pending')
    await scene.sql`update receipts set read_state = 'read', read_amount_cents = 2500,
      read_on = ${acme.today} where id = ${receipt}`
    await acme.evaluateAgain()
    const { status, automatic, events, trace } = await person.api.claims.find({ id: claim.id })
    assert.deepEqual([status, automatic], ['approved', true])
    assert.deepEqual(
      events.map(({ event }) => event),
      ['submitted', 'approved_by_policy'],
    )
    assert.ok(trace.every(({ outcome }) => outcome === 'fine'))
    assert.deepEqual(await acme.faults(), [])
  })

  test('what a receipt says is told once it is read, also where a person decides anyway', async () => {
    const person = await acme.hire()
    const draft = await acme.draft({ amount_cents: 90_000, category: 'treatment' })
    const receipt = await acme.receipt(person, { state: 'reading' })
    const claim = await person.api.claims.submit({ ...draft, receipt_ids: [receipt] })
    const matchOf = async () => {
      const { trace } = await person.api.claims.find({ id: claim.id })
      return trace.find(({ rule }) => rule === 'receipt_match')?.facts['found']
    }
    assert.equal(await matchOf(), 'being_read')
    await scene.sql`update receipts set read_state = 'read', read_amount_cents = 80000,
      read_on = ${acme.today} where id = ${receipt}`
    await acme.evaluateAgain()
    assert.equal(await matchOf(), 'other_amount')
    const found = await person.api.claims.find({ id: claim.id })
    assert.deepEqual([found.status, found.version], ['pending', claim.version])
  })

  test('a receipt that could not be read after all leaves the claim to a person', async () => {
    const person = await acme.hire()
    const draft = await acme.draft({ amount_cents: 2600 })
    const receipt = await acme.receipt(person, { state: 'waiting' })
    const claim = await person.api.claims.submit({ ...draft, receipt_ids: [receipt] })
    await scene.sql`update receipts set read_state = 'unreadable' where id = ${receipt}`
    await acme.evaluateAgain()
    const found = await person.api.claims.find({ id: claim.id })
    assert.equal(found.status, 'pending')
    assert.ok(found.trace.some(({ facts }) => facts['found'] === 'unreadable'))
  })
})

describe('one request, one claim', () => {
  test('a double press, a retry and a lost answer make one claim', async () => {
    const person = await acme.hire()
    const draft = await acme.draft({ amount_cents: 2000 })
    const idempotency_key = aKey()
    const send = () => person.api.claims.submit(draft, { idempotency_key })
    const answers = await Promise.all([send(), send(), send()])
    answers.push(await send())
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
    assert.equal((await person.api.claims.mine({})).claims.length, 1)
    const other = { ...draft, amount_cents: 1999 }
    await assert.rejects(person.api.claims.submit(other, { idempotency_key }), {
      code: 'idempotency_key_reused',
      facts: { id: answers[0].id },
    })
  })

  test('a refused request can be fixed and sent again under its key', async () => {
    const person = await acme.hire()
    const idempotency_key = aKey()
    const draft = await acme.draft({ amount_cents: 2000, service_on: daysAfter(acme.today, 1) })
    await refuses('service_in_future', person.api.claims.submit(draft, { idempotency_key }))
    const fixed = { ...draft, service_on: acme.today }
    assert.ok(await person.api.claims.submit(fixed, { idempotency_key }))
  })
})

describe('one’s own claims', () => {
  test('are listed newest first, a page at a time, by status and category', async () => {
    const person = await acme.hire()
    for (let n = 1; n <= 5; n += 1) await acme.claim(person, { amount_cents: 1000 + n })
    await acme.claim(person, { category: 'treatment', amount_cents: 900 })
    const first = await person.api.claims.mine({ limit: 4 })
    const rest = await person.api.claims.mine({ limit: 4, after: first.next! })
    assert.deepEqual(
      [...first.claims, ...rest.claims].map(({ amount_cents }) => amount_cents),
      [900, 1005, 1004, 1003, 1002, 1001],
    )
    assert.equal(rest.next, null)
    await person.api.claims.withdraw({ id: first.claims[0]!.id })
    const { claims } = await person.api.claims.mine({ status: 'withdrawn', category: 'treatment' })
    assert.equal(claims.length, 1)
    const found = async (search: string) =>
      (await person.api.claims.mine({ search })).claims.map(({ amount_cents }) => amount_cents)
    const { provider, type_name } = claims[0]!
    assert.equal((await found(provider.slice(1, 5).toUpperCase())).length, 6)
    assert.deepEqual(await found(`${type_name} ${provider}`), [900])
    assert.deepEqual(await found('50%'), [])
    const sums = await person.api.claims.my_summary({})
    assert.deepEqual(
      [sums.total, sums.pending, sums.withdrawn, sums.claimed_cents, sums.pending_cents],
      [6, 5, 1, 5915, 5015],
    )
    await refuses('invalid_input', person.api.claims.mine({ after: 'nonsense' }))
  })

  test('nobody else sees them: not a colleague, not another company, not the provider', async () => {
    const claim = await acme.claim(ana, { amount_cents: 1111 })
    const colleague = await acme.hire()
    await refuses('not_found', colleague.api.claims.find({ id: claim.id }))
    await refuses('not_found', colleague.api.claims.withdraw({ id: claim.id }))
    const other = await scene.company({ name: 'Other' })
    const stranger = await other.hire()
    await refuses('not_found', stranger.api.claims.find({ id: claim.id }))
    await refuses('not_found', other.admin.api.review.find({ id: claim.id }))
    await refuses('forbidden', acme.provider.api.claims.find({ id: claim.id }))
    await refuses('forbidden', acme.provider.api.review.find({ id: claim.id }))
    const { claims } = await other.admin.api.review.queue({ person_id: ana.id })
    assert.deepEqual(claims, [])
  })

  test('withdrawing gives the money back, once, and only while nothing is decided', async () => {
    const person = await acme.hire()
    const claim = await acme.claim(person, { amount_cents: 7000 })
    const both = await Promise.allSettled(
      [1, 2, 3].map(() => person.api.claims.withdraw({ id: claim.id })),
    )
    assert.deepEqual(lost(both), ['claim_already_decided', 'claim_already_decided'])
    assert.deepEqual(await acme.balances(person), { available: 200_000, held: 0 })
    await refuses('claim_already_decided', person.api.claims.withdraw({ id: claim.id }))
    const done = await acme.agreeing(person)
    await refuses('claim_already_decided', person.api.claims.withdraw({ id: done.id }))
    assert.deepEqual(await acme.faults(), [])
  })

  test('no type, provider, note or sentence is in the record of changes or in what people are told', async () => {
    const person = await acme.hire('Zita')
    const secret = 'Clinic of Silence'
    const claim = await acme.claim(person, { provider: secret, note: 'my back hurts' })
    await acme.company.admin.api.review.reject({
      id: claim.id,
      version: claim.version,
      reason: 'other',
      text: 'a secret sentence',
    })
    await scene.notifyDecisions()
    const kept = await scene.sql`
      select to_jsonb(a)::text as content from audit_log a
      where company_id = ${acme.id} and table_name <> 'claim_types'
      union all select to_jsonb(n)::text from notifications n where person_id = ${person.id}`
    const audit_text = kept.map((row) => String(row['content'])).join('\n')
    assert.ok(audit_text.includes(`"row_id": "${claim.id}"`))
    assert.ok(audit_text.includes('"code": "claim_rejected"'))
    for (const word of [secret, 'my back hurts', 'a secret sentence', claim.type_name]) {
      assert.ok(!audit_text.includes(word), word)
    }
  })
})
