// Payments for claims that were reversed since: withheld, or settled by hand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { needText } from '#notifications/needs.contract.ts'
import { owedBack, payee, payingCompany } from '../../test/world/payouts.ts'
import { lost, refuses } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { reverse } from '../../test/world/claims.ts'

const scene = openedScene()

/** Ana was paid 50.00 for a claim that was reversed afterwards. */
async function overpaid() {
  const stage = await payingCompany(scene)
  const { acme, hr, second, make } = stage
  const ana = await payee(acme, 'Ana')
  const forged = await acme.agreeing(ana, { amount_cents: 5000 })
  const run = await second.api.payouts.release(await make())
  await reverse(hr, forged)
  return { ...stage, ana, run }
}

const settled = { how: 'written_off', reason: 'She left, and it is not worth a letter' } as const

describe('an overpayment', () => {
  test('is shown to HR and to who was overpaid, and to nobody else', async () => {
    const { acme, hr, ana } = await overpaid()
    const ben = await acme.hire('Ben')
    const { people, currency } = await hr.api.payouts.overpayments({})
    const expected = { person_id: ana.id, person_name: 'Ana', has_left: false, cents: 5000 }
    assert.deepEqual(people, [{ ...expected, refusals: { settle_overpayment: null } }])
    assert.deepEqual(await ana.api.payouts.my_overpayment({}), { cents: 5000, currency })
    assert.equal((await ben.api.payouts.my_overpayment({})).cents, 0)
    await refuses('forbidden', ana.api.payouts.overpayments({}))
    const other = (await scene.company({ name: 'Other' })).admin.api.payouts
    assert.deepEqual((await other.overpayments({})).people, [])
    await refuses(
      'not_found',
      other.settle_overpayment({ person_id: ana.id, cents: 5000, ...settled }),
    )
  })

  test('is asked page by page, and of one person; for oneself somebody else settles it', async () => {
    const { acme, hr, second, ana, make } = await overpaid()
    const bea = await payee(acme, 'Bea')
    await giveRights(scene, acme.company, bea, 'finance')
    const claim = await acme.agreeing(bea, { amount_cents: 4000 })
    await second.api.payouts.release(await make())
    const { version } = await hr.api.review.find({ id: claim.id })
    await hr.api.review.reverse({ id: claim.id, version, text: 'Submitted twice' })
    const { overpayments, settle_overpayment } = bea.api.payouts
    const first = await overpayments({ limit: 1 })
    const rest = await overpayments({ limit: 1, after: first.next ?? '' })
    const shownOf = ({ people }: typeof first) =>
      people.map(({ person_id, refusals }) => [person_id, refusals.settle_overpayment])
    assert.deepEqual(shownOf(first), [[ana.id, null]])
    assert.deepEqual([shownOf(rest), rest.next], [[[bea.id, 'yourself']], null])
    assert.deepEqual(shownOf(await overpayments({ limit: 1, person_id: bea.id })), shownOf(rest))
    await refuses('yourself', settle_overpayment({ person_id: bea.id, cents: 4000, ...settled }))
  })

  test('stands among what its category was granted, which adds up on Funds', async () => {
    const { hr } = await overpaid()
    const { categories } = await hr.api.funds.overview({})
    for (const fund of categories) {
      const { used_cents, held_cents, available_cents, overpaid_cents } = fund
      assert.equal(overpaid_cents, fund.category === 'prevention' ? 5000 : 0)
      assert.equal(used_cents + held_cents + available_cents + overpaid_cents, fund.granted_cents)
      assert.equal(fund.granted_cents + fund.free_cents, fund.allocated_cents)
    }
  })

  test('written off it stays paid out; it is in the statement and the audit, with the reason', async () => {
    const { acme, hr, ana } = await overpaid()
    const settle = () =>
      hr.api.payouts.settle_overpayment({ person_id: ana.id, cents: 5000, ...settled })
    const all = await Promise.allSettled([settle(), settle(), settle()])
    assert.deepEqual(lost(all), ['overpayment_changed', 'overpayment_changed'])
    await refuses('overpayment_changed', settle())
    const { available, overpaid: left, paid } = await acme.balances(ana)
    assert.deepEqual([available, left, paid], [195_000, 0, 5000])
    assert.deepEqual((await hr.api.payouts.overpayments({})).people, [])
    assert.equal((await ana.api.payouts.my_overpayment({})).cents, 0)
    const statements = [hr.api.funds.statement({}), ana.api.funds.my_statement({})]
    for (const { entries } of await Promise.all(statements)) {
      const entry = entries.find(({ event }) => event === 'overpaid_written_off')
      assert.equal(entry?.note, settled.reason)
    }
    const { entries } = await hr.api.audit.list({ table: 'settled_overpayments' })
    const [{ how, reason }] = [entries[0]!.after!] as [Record<string, unknown>]
    assert.deepEqual({ how, reason }, settled)
    const moved = await hr.api.audit.list({ table: 'transfers' })
    assert.equal(moved.entries[0]!.after?.['event'], 'overpaid_written_off')
    const { notifications } = await ana.api.notifications.list({})
    assert.equal(notifications[0]!.code, 'overpayment_settled')
    const [{ fault }] = await scene.sql<[{ fault: string | null }]>`
      select fault from verify_ledger(${acme.id})`
    assert.equal(fault, null)
  })

  test('is not settled where another claim is reversed at the same moment: it is more than was decided on', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    const one = await acme.agreeing(ana, { amount_cents: 5000 })
    const other = await acme.agreeing(ana, { amount_cents: 3000 })
    await second.api.payouts.release(await make())
    await reverse(hr, one)
    let refusal: Promise<unknown> | undefined
    await scene.sql.begin(async (tx) => {
      await tx`lock table settled_overpayments in exclusive mode`
      refusal = refuses(
        'overpayment_changed',
        second.api.payouts.settle_overpayment({ person_id: ana.id, cents: 5000, ...settled }),
      )
      await until(async () => {
        const waiting = await scene.sql`select from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and l.relation = 'settled_overpayments'::regclass
            and a.datname = current_database()`
        return waiting.length > 0
      })
      await reverse(hr, other)
    })
    await refusal
    const { overpaid: left, paid } = await acme.balances(ana)
    assert.deepEqual([left, paid], [8000, 0])
    assert.deepEqual(await acme.faults(), [])
  })

  test('paid back it is available again, and the next payout withholds nothing', async () => {
    const { acme, hr, second, make, ana } = await overpaid()
    await hr.api.payouts.settle_overpayment({
      person_id: ana.id,
      cents: 5000,
      how: 'paid_back',
      reason: 'Came by bank transfer',
    })
    assert.equal((await acme.balances(ana))['available'], 200_000)
    await acme.agreeing(ana, { amount_cents: 3000 })
    const run = await second.api.payouts.release(await make())
    assert.deepEqual([run.withheld_cents, run.paid_cents], [0, 3000])
    assert.deepEqual(await acme.faults(), [])
  })

  test('what an open run withholds is that run’s, and only the rest is settled', async () => {
    const { acme, hr, second, make, ana } = await overpaid()
    await acme.agreeing(ana, { amount_cents: 3000 })
    const run = await make()
    await refuses(
      'overpayment_changed',
      hr.api.payouts.settle_overpayment({ person_id: ana.id, cents: 5000, ...settled }),
    )
    assert.equal((await hr.api.payouts.overpayments({})).people[0]!.cents, 2000)
    await hr.api.payouts.settle_overpayment({ person_id: ana.id, cents: 2000, ...settled })
    await second.api.payouts.release(run)
    const { overpaid: left, paid } = await acme.balances(ana)
    assert.deepEqual([left, paid], [0, 5000])
  })

  test('is withheld from what the next payout is said to pay, and does pay', async () => {
    const { acme, hr, ana, make } = await overpaid()
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ana, { amount_cents: 2200 })
    const { people } = await hr.api.payment_blocks.due({})
    assert.partialDeepStrictEqual(people, [{ cents: 6200, withheld_cents: 5000 }])
    const { items } = await hr.api.payouts.items({ id: (await make()).id })
    assert.partialDeepStrictEqual(items, [
      { claims_cents: 6200, withheld_cents: 5000, paid_cents: 1200 },
    ])
  })

  test('is told of one of two coming payments, and no more than is left of it', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    const paid = async (amount_cents: number, in_days: number) => {
      const claim = await acme.agreeing(ana, { amount_cents })
      await second.api.payouts.release(await make(in_days))
      return claim
    }
    for (const claim of [await paid(5000, 3), await paid(3000, 4)]) await reverse(hr, claim)
    const overpaid = async () => {
      const { next, later } = await ana.api.payouts.my_next({})
      return [next, ...later].map((one) => one?.overpaid_cents)
    }
    assert.deepEqual(await overpaid(), [5000, 3000])
    await paid(4500, 5)
    assert.equal((await ana.api.payouts.my_overpayment({})).cents, 3500)
    assert.deepEqual(await overpaid(), [3500, 0])
  })

  test('of a leaver waits for Finance, less what an open run withholds', async () => {
    const { acme, hr, make, ana } = await overpaid()
    await acme.agreeing(ana, { amount_cents: 3000 })
    await scene.sql`update profiles set left_on = ${acme.today}::date - 1 where id = ${ana.id}`
    const needed = async () =>
      (await hr.api.needs.list({})).lines
        .filter(({ kind }) => kind === 'overpayment')
        .map(({ cents }) => cents)
    assert.deepEqual(await needed(), [5000])
    await make()
    assert.deepEqual(await needed(), [2000])
    await hr.api.payouts.settle_overpayment({ person_id: ana.id, cents: 2000, ...settled })
    assert.deepEqual(await needed(), [], 'the rest is the run’s')
  })

  test('of two plan years in one category is withheld by one payout', async () => {
    const { acme, second, make, ana } = await overpaid()
    const year = scene.sql`(${acme.plan_year}::date - interval '1 year')::date`
    await scene.sql`insert into plan_years (company_id, starts_on) values (${acme.id}, ${year})`
    await scene.sql`select transfer_all(${acme.id}, ${year}, 'claim_reversed', array[row(
      account(${acme.id}, ${year}, 'funding'),
      account(${acme.id}, ${year}, 'overpaid', 'prevention', ${ana.id}), 700,
      private.origin('of last year'),
      ${ana.id})::private.posting])`
    await acme.agreeing(ana, { amount_cents: 3000, category: 'treatment' })
    await acme.agreeing(ana, { amount_cents: 4000 })
    const run = await make()
    assert.deepEqual([run.withheld_cents, run.paid_cents], [5700, 1300])
    await second.api.payouts.release(run)
    assert.equal((await ana.api.payouts.my_overpayment({})).cents, 0)
  })

  test('nobody settles their own, and a reason is needed', async () => {
    const { hr, second, ana } = await overpaid()
    await scene.sql`update profiles set role = 'company_admin' where id = ${ana.id}`
    const promoted = await scene.signIn(ana.email)
    const own = { person_id: ana.id, cents: 5000, ...settled }
    await refuses('yourself', promoted.api.payouts.settle_overpayment(own))
    await refuses('invalid_input', hr.api.payouts.settle_overpayment({ ...own, reason: ' ' }))
    await second.api.payouts.settle_overpayment(own)
  })

  test('the bank returns what was written off: the company has it, and owes the person nothing', async () => {
    const { acme, hr, make, ana, run } = await overpaid()
    await hr.api.payouts.settle_overpayment({ person_id: ana.id, cents: 5000, ...settled })
    await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    const { available, paid } = await acme.balances(ana)
    assert.deepEqual([available, paid], [200_000, 0])
    await refuses('nothing_to_pay', make())
    assert.deepEqual(await acme.faults(), [])
  })
})

test('money owed back to a person is a payment of the next payout, without any claim', async () => {
  const paying = await payingCompany(scene)
  const { acme, hr } = paying
  const ana = await payee(acme, 'Ana')
  await owedBack(paying, ana)
  const due = async () => (await hr.api.payment_blocks.due({})).people
  const [payment, ...others] = await due()
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(payment, { person_name: 'Ana', cents: 0, withheld_cents: -1000 })
  assert.deepEqual(payment!.claims, [])
  const needs = async () =>
    (await hr.api.needs.list({})).lines.flatMap((line) =>
      needText(line).does === 'Make payout' ? [needText(line).title] : [],
    )
  assert.deepEqual(await needs(), [], 'it has waited since the payment came back')
  await scene.sql`update pay_items set returned_at = now() - interval '8 days'
    where company_id = ${acme.id} and returned_at is not null`
  assert.deepEqual(await needs(), ['Withheld money to give back to a person'])
  await acme.agreeing(ana, { amount_cents: 700 })
  assert.deepEqual(await needs(), ['An approved claim to pay out'], 'one payout pays both')
  assert.deepEqual(
    (await due()).map(({ cents, withheld_cents }) => [cents, withheld_cents]),
    [[700, -1000]],
  )
  await hr.api.payment_blocks.add({ person_id: ana.id, claim_id: null, reason: 'Which account?' })
  assert.deepEqual(await needs(), [])
  assert.deepEqual(
    (await due()).map(({ blocked }) => blocked),
    [true],
  )
})
