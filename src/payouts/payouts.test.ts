// Approved claims become money: once, by two people, with nothing withheld in silence.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter, weekdayOf } from '#lib/days.ts'
import type { Problem } from '#problems.ts'
import { payee, payingCompany, payments } from '../../test/world/payouts.ts'
import { lost, refuses, won, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

/** A person's open screen; each call waits until it is told to read again. */
async function listening(person: Person) {
  const stream = await person.api.live.open({})
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  return async () => {
    for (;;) {
      const { value, done } = await reader.read()
      assert.ok(!done, 'the stream goes on')
      if (decoder.decode(value).includes(`"person:${person.id}"`)) return
    }
  }
}

test('the payments of a payout stand by name, and are found by it', async () => {
  const { acme, hr, make } = await payingCompany(scene)
  for (const name of ['Zora', 'Ozan', 'Ana', 'Mia', 'Ben'])
    await acme.agreeing(await acme.hire(name))
  const { id } = await make()
  const names = async (search?: string) =>
    (await hr.api.payouts.items({ id, search })).items.map((item) => item.person_name)
  assert.deepEqual(await names(), ['Ana', 'Ben', 'Mia', 'Ozan', 'Zora'])
  assert.deepEqual(await names('Oza'), ['Ozan'])
  assert.deepEqual(await names('nobody'), [])
})

test('whoever can release a payout, or confirm an adjustment, is named to the others', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await acme.hire('Ana')
  await acme.agreeing(ana)
  const run = await make()
  assert.deepEqual(run.releasers, ['Second'])
  const { lines } = await second.api.needs.list({})
  assert.ok(lines.some(({ kind }) => kind === 'pay_run_made'))
  const adjustment = {
    person_id: ana.id,
    category: 'prevention' as const,
    cents: 500,
    reason: 'Moved',
  }
  const proposed = await hr.api.adjustments.propose(adjustment)
  assert.deepEqual(proposed.confirmers, ['Second'])
  const { notifications } = await second.api.notifications.list({})
  const codes = notifications.map(({ code }) => code)
  for (const code of ['pay_run_made', 'adjustment_waits']) assert.ok(codes.includes(code), code)
  assert.deepEqual((await second.api.payouts.release(run)).releasers, [])
})

describe('a payout', () => {
  test('takes what is approved and unpaid, pays it once released by another, and says when', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    const ben = await acme.hire('Ben')
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ana, { amount_cents: 3000 })
    await acme.agreeing(ben, { amount_cents: 2000 })
    const waiting = await acme.claim(ben, { amount_cents: 9000 })
    const preview = await hr.api.payouts.preview({})
    assert.deepEqual(
      [
        preview.claims,
        preview.people,
        preview.paid_cents,
        preview.without_account,
        preview.has_second_person,
      ],
      [3, 2, 9000, 1, true],
    )
    const run = await make(3)
    assert.deepEqual(
      [run.status, run.claims, run.people, run.claims_cents, run.withheld_cents, run.paid_cents],
      ['made', 3, 2, 9000, 0, 9000],
    )
    const { release, cancel } = run.refusals
    assert.deepEqual([release, cancel], ['release_needs_another', null])
    assert.deepEqual(await payments(ana), ['in_run', 'in_run'])
    const before_it = await hr.api.payouts.items({ id: run.id })
    assert.deepEqual(
      new Map(before_it.items.map((item) => [item.person_id, item.iban_end])),
      new Map([
        [ana.id, '3000'],
        [ben.id, null],
      ]),
    )
    await refuses('release_needs_another', hr.api.payouts.release(run))
    const done = await second.api.payouts.release(run)
    assert.deepEqual([done.status, done.released_by], ['released', 'Second'])
    const { claims } = await ana.api.claims.mine({})
    assert.deepEqual(
      claims.map(({ payment, paid_on }) => [payment, paid_on]),
      claims.map(() => ['paid', daysAfter(acme.today, 3)]),
    )
    assert.deepEqual(await acme.balances(ana), {
      available: 193_000,
      held: 0,
      payable: 0,
      paid: 7000,
    })
    assert.equal((await ben.api.claims.find({ id: waiting.id })).payment, null)
    const { items } = await hr.api.payouts.items({ id: run.id })
    const of_ana = items.find(({ person_id }) => person_id === ana.id)
    assert.deepEqual(
      [of_ana?.iban_end, of_ana?.claim_ids.length, of_ana?.paid_cents],
      ['3000', 2, 7000],
    )
    const story = await ana.api.claims.find({ id: claims[0]!.id })
    assert.deepEqual(
      story.events.slice(-2).map(({ event }) => event),
      ['put_in_run', 'paid'],
    )
    assert.deepEqual(await acme.faults(), [])
  })

  test('a claim is paid once, however many make and release at the same moment', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    for (const cents of [1000, 2000, 3000]) await acme.agreeing(ana, { amount_cents: cents })
    const made = await Promise.allSettled([make(), make(), make()])
    const runs = won(made)
    assert.deepEqual(lost(made), ['nothing_to_pay', 'nothing_to_pay'])
    const released = await Promise.allSettled(
      [second, second, second, second].map((who) => who.api.payouts.release(runs[0]!)),
    )
    assert.deepEqual(lost(released), ['run_released', 'run_released', 'run_released'])
    await refuses('nothing_to_pay', make())
    await refuses('run_released', hr.api.payouts.cancel(runs[0]!))
    assert.deepEqual(await acme.balances(ana), {
      available: 194_000,
      held: 0,
      payable: 0,
      paid: 6000,
    })
    const paid = await scene.sql`
      select cause from transfers where company_id = ${acme.id} and event = 'claim_paid'`
    assert.equal(paid.length, 3)
  })

  test('release and cancel at the same moment: one of them happens, to all of it', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    for (let round = 0; round < 4; round += 1) {
      await scene.sql`update claims set submitted_at = submitted_at - interval '40 days'
        where company_id = ${acme.id}` // for the month's limit
      await acme.agreeing(ana, { amount_cents: 1000 + round })
      const run = await make()
      const both = await Promise.allSettled([
        second.api.payouts.release(run),
        hr.api.payouts.cancel(run),
      ])
      const [release] = both
      const refused = release.status === 'fulfilled' ? 'run_released' : 'run_cancelled'
      assert.deepEqual(lost(both), [refused])
      assert.deepEqual(await acme.faults(), [])
    }
  })

  test('cancelled, its claims wait for the next one; what is in a run is not reversed', async () => {
    const { acme, hr, make } = await payingCompany(scene)
    const ana = await payee(acme)
    const claim = await acme.agreeing(ana)
    const run = await make()
    const { version } = await hr.api.review.find({ id: claim.id })
    const reversal = { id: claim.id, version, text: 'It was forged' }
    await refuses('claim_in_run', hr.api.review.reverse(reversal))
    assert.equal((await hr.api.payouts.cancel(run)).status, 'cancelled')
    assert.deepEqual(await payments(ana), ['unpaid'])
    await refuses('run_cancelled', hr.api.payouts.release(run))
    assert.equal((await make()).claims, 1)
  })

  test('is seen at once by those whose claims it takes, gives back or pays', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana)
    const hears = await listening(ana)
    const run = await make()
    await hears()
    await hr.api.payouts.cancel(run)
    await hears()
    const again = await make()
    await hears()
    await second.api.payouts.release(again)
    await hears()
  })

  test('takes what was decided up to its cut-off, by the company’s own days', async () => {
    const { acme, hr } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana)
    const yesterday = daysAfter(acme.today, -1)
    const pay_on = acme.today
    await refuses('nothing_to_pay', hr.api.payouts.make({ cut_off_on: yesterday, pay_on }))
    await assert.rejects(
      hr.api.payouts.make({ cut_off_on: yesterday, pay_on: yesterday }),
      (problem: Problem) =>
        problem.code === 'pay_day_past' && problem.fields?.['pay_on'] !== undefined,
    )
    const tomorrow = daysAfter(acme.today, 1)
    await refuses('cut_off_to_come', hr.api.payouts.make({ cut_off_on: tomorrow, pay_on }))
    await scene.sql`update claims set reviewed_at = reviewed_at - interval '1 day'
      where company_id = ${acme.id}`
    assert.equal((await hr.api.payouts.make({ cut_off_on: yesterday, pay_on })).claims, 1)
  })

  test('whose pay day went by says that it is paid today, to HR as to its people', async () => {
    const { acme, hr, make } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana)
    const { id } = await make()
    await scene.sql`update pay_runs set pay_on = pay_on - 5 where company_id = ${acme.id}`
    const payDays = async () => [
      (await hr.api.payouts.find({ id })).pay_on,
      (await hr.api.payouts.runs({})).runs[0]?.pay_on,
      (await ana.api.payouts.my_next({})).next?.pay_on,
    ]
    assert.deepEqual(await payDays(), [acme.today, acme.today, acme.today])
  })

  test('is for any day to come: on a Saturday payroll pays, and a bank on its next working day', async () => {
    const { acme, hr, second } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana)
    const pay_on = daysAfter(acme.today, (13 - weekdayOf(acme.today)) % 7)
    assert.equal(weekdayOf(pay_on), 6)
    const made = await hr.api.payouts.make({ cut_off_on: acme.today, pay_on })
    const { id, pay_on: kept } = await second.api.payouts.release(made)
    assert.equal(kept, pay_on)
    const xml = await (await hr.api.payouts.bank_file({ id })).text()
    assert.ok(xml.includes(`<ReqdExctnDt><Dt>${pay_on}</Dt></ReqdExctnDt>`))
  })

  test('the only admin releases what they made: there is no second person', async () => {
    const { acme, hr, make } = await payingCompany(scene, { lone: true })
    await acme.agreeing(await payee(acme))
    const run = await make()
    assert.equal(run.refusals.release, null)
    assert.equal((await hr.api.payouts.release(run)).status, 'released')
  })

  test('a transaction that dies in the middle pays nobody', async () => {
    const { acme, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    const claim = await acme.agreeing(ana)
    const run = await make()
    await scene.sql`update claims set approved_cents = approved_cents - 1 where id = ${claim.id}`
    await scene.sql`update accounts set balance_cents = 0
      where company_id = ${acme.id} and person_id = ${ana.id} and kind = 'payable'`
    await refuses('amount_not_there', second.api.payouts.release(run))
    assert.deepEqual(await payments(ana), ['in_run'])
    assert.equal((await second.api.payouts.find({ id: run.id })).status, 'made')
  })

  test('belongs to its company and its admins', async () => {
    const { acme, hr, make } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana)
    const run = await make()
    const other = (await scene.company({ name: 'Other' })).admin.api.payouts
    await refuses('not_found', other.find({ id: run.id }))
    await refuses('not_found', other.items({ id: run.id }))
    await refuses('not_found', other.release(run))
    await refuses('not_found', other.cancel(run))
    await refuses('not_found', other.payroll_file({ id: run.id }))
    await refuses('not_found', other.bank_file({ id: run.id }))
    const item = { id: run.id, person_id: ana.id, reason: 'Account closed' }
    await refuses('not_found', other.return_item(item))
    await refuses('forbidden', ana.api.payouts.find({ id: run.id }))
    await refuses('run_not_released', hr.api.payouts.return_item(item))
    await refuses('run_not_released', hr.api.payouts.bank_file({ id: run.id }))
    await refuses('run_not_released', hr.api.payouts.payroll_file({ id: run.id }))
    assert.deepEqual((await other.runs({})).runs, [])
    assert.equal((await hr.api.payouts.runs({})).runs[0]!.id, run.id)
  })
})
