// Payments that are undone: reversed by HR, or returned by the bank.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Tx } from '#lib/db.server.ts'
import { in_mails } from '#lib/writing.ts'
import { nameOfOwnEntry } from '#funds/words.ts'
import { inWords } from '#notifications/words.contract.ts'
import { another_iban, payee, iban, payingCompany, payments } from '../../test/world/payouts.ts'
import { lost, refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { reverse } from '../../test/world/claims.ts'

const scene = openedScene()

test('a payment that came back twice is one amount to be paid', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme)
  await acme.agreeing(ana, { amount_cents: 4000 })
  for (const _ of ['once', 'twice']) {
    const { id } = await second.api.payouts.release(await make())
    await hr.api.payouts.return_item({ id, person_id: ana.id, reason: 'Account closed' })
  }
  const { lines } = await ana.api.needs.list({})
  assert.deepEqual(
    lines.map(({ kind, cents }) => [kind, cents]),
    [['payment_returned', 4000]],
  )
})

/** Why the only payment of a run can't be marked as returned, as its list says. */
const refusalOf = async ({ api }: Person, id: number) =>
  (await api.payouts.items({ id })).items[0]!.refusals.return_item

describe('reversed after payment', () => {
  test('what was overpaid is withheld from the next runs, across categories, and told', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    const forged = await acme.agreeing(ana, { amount_cents: 5000 })
    await second.api.payouts.release(await make())
    await reverse(hr, forged)
    assert.equal((await acme.balances(ana))['overpaid'], 5000)
    await acme.agreeing(ana, { amount_cents: 3000, category: 'treatment' })
    const run = await make()
    assert.deepEqual([run.claims_cents, run.withheld_cents, run.paid_cents], [3000, 3000, 0])
    const preview = await hr.api.payouts.preview({})
    assert.equal(preview.claims, 0)
    await second.api.payouts.release(run)
    assert.deepEqual(await acme.balances(ana), {
      available: 198_000,
      held: 0,
      payable: 0,
      paid: 0,
      overpaid: 2000,
    })
    const notices = await scene.sql`
      select facts from notifications where person_id = ${ana.id} and code = 'settled'`
    assert.partialDeepStrictEqual(notices[0]!['facts'], {
      cents: 0,
      claims: 1,
      withheld_cents: 3000,
    })
    assert.equal(await refusalOf(hr, run.id), 'nothing_was_paid')
    await refuses(
      'nothing_was_paid',
      hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' }),
    )
    await acme.agreeing(ana, { amount_cents: 4500, category: 'treatment' })
    const last = await make()
    assert.deepEqual([last.withheld_cents, last.paid_cents], [2000, 2500])
    await second.api.payouts.release(last)
    assert.equal((await acme.balances(ana))['overpaid'], 0)
    assert.deepEqual(await acme.faults(), [])
  })

  test('two open runs never withhold the same overpayment twice', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    const forged = await acme.agreeing(ana, { amount_cents: 5000 })
    await second.api.payouts.release(await make())
    await reverse(hr, forged)
    await acme.agreeing(ana, { amount_cents: 3000 })
    const first = await make()
    await acme.agreeing(ana, { amount_cents: 4000 })
    const next = await make()
    assert.deepEqual([first.withheld_cents, next.withheld_cents], [3000, 2000])
    await hr.api.payouts.cancel(first)
    await second.api.payouts.release(next)
    const again = await make()
    assert.deepEqual([again.claims_cents, again.withheld_cents], [3000, 3000])
    await second.api.payouts.release(again)
    assert.equal((await acme.balances(ana))['overpaid'], 0)
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('a payment that comes back', () => {
  test('makes its claims unpaid again, once, and the next run pays them', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    const ben = await payee(acme)
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ben, { amount_cents: 2000 })
    const run = await second.api.payouts.release(await make())
    const back = () =>
      hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    const all = await Promise.allSettled([back(), back(), back()])
    assert.deepEqual(lost(all), ['already_returned', 'already_returned'])
    assert.deepEqual(await payments(ana), ['returned'])
    assert.deepEqual(await payments(ben), ['paid'])
    const { items } = await hr.api.payouts.items({ id: run.id })
    const returned = items.find(({ person_id }) => person_id === ana.id)
    assert.equal(returned?.returned_because, 'Account closed')
    assert.equal(returned.claim_ids.length, 1)
    assert.equal(returned.refusals.return_item, 'already_returned')
    await refuses('already_returned', back())
    const next = await make()
    assert.deepEqual([next.claims, next.paid_cents], [1, 4000])
    await second.api.payouts.release(next)
    assert.deepEqual(await payments(ana), ['paid'])
    assert.deepEqual(await acme.faults(), [])
  })

  test('is marked where it is due again, with the reason, and counted in its payout', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    const ben = await acme.hire('Ben')
    const { id: claim } = await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ben, { amount_cents: 2000 })
    const made = await make()
    assert.equal(made.returned_cents, 0)
    const { id } = await second.api.payouts.release(made)
    await scene.sql`update claims set reviewed_at = now() - interval '30 days'
      where company_id = ${acme.id}`
    const run = await hr.api.payouts.return_item({
      id,
      person_id: ana.id,
      reason: 'Account closed',
    })
    assert.deepEqual([run.paid_cents, run.returned_cents], [6000, 4000])
    const due = async () => (await hr.api.payment_blocks.due({})).people.map((one) => one.returned)
    const [back] = await due()
    const { at, ...rest } = back!
    assert.ok(Date.parse(at) > Date.now() - 3_600_000)
    assert.deepEqual(rest, { because: 'Account closed', by_bank: true, same_account: true })
    // The reason stays when the next payout is cancelled, or the claim was blocked in it for a while.
    await hr.api.payouts.cancel(await make())
    assert.equal((await due())[0]?.because, 'Account closed')
    assert.deepEqual(await payments(ana), ['returned'])
    await make()
    const block = await hr.api.payment_blocks.add({
      person_id: ana.id,
      claim_id: null,
      reason: 'Which account?',
    })
    assert.deepEqual(await payments(ana), ['returned'])
    await hr.api.payment_blocks.remove({ id: block.id })
    await scene.confirm(ana)
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban: another_iban })
    assert.equal((await due())[0]?.same_account, false)
    const needs = async () =>
      (await hr.api.needs.list({})).lines.filter(({ kind }) => kind === 'payout_to_make')
    assert.deepEqual(await needs(), [], 'it has waited since it came back')
    await scene.sql`update pay_items set returned_at = now() - interval '8 days'
      where company_id = ${acme.id} and person_id = ${ana.id}`
    const [need] = await needs()
    assert.ok(Date.parse(need!.since!) > Date.now() - 9 * 86_400_000, `claim ${claim}`)
  })

  test('that payroll could not make says so, and of no bank', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ben = await acme.hire('Ben')
    await acme.agreeing(ben, { amount_cents: 2000 })
    const made = await make()
    assert.equal(await refusalOf(hr, made.id), 'run_not_released')
    const way = async () => (await hr.api.payouts.items({ id: made.id })).items[0]?.by_bank
    assert.equal(await way(), null, 'not known before the release')
    await second.api.payouts.release(made)
    assert.equal(await way(), false)
    assert.equal(await refusalOf(hr, made.id), null)
    await scene.confirm(ben)
    await ben.api.payouts.set_my_account({ holder: 'Ben Novak', iban })
    const input = { id: made.id, person_id: ben.id, reason: 'Left before the pay day' }
    await hr.api.payouts.return_item(input)
    const [due] = (await hr.api.payment_blocks.due({})).people
    assert.partialDeepStrictEqual(due?.returned, { by_bank: false, same_account: false })
    assert.deepEqual((await ben.api.needs.list({})).lines, [])
    const { notifications } = await ben.api.notifications.list({})
    assert.match(inWords(notifications[0]!, in_mails).title, /^Payroll could not make a payment/)
    const next = await make()
    assert.equal(next.without_account, 0)
    const { items } = await hr.api.payouts.items({ id: next.id })
    assert.equal(items[0]?.account_failed, false, 'the account took no payment yet')
  })

  test('takes its accounts in the order of the ledger, so that it and a reversal never wait in a ring', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana, { amount_cents: 2000 })
    const forged = await acme.agreeing(ana, { amount_cents: 1000 })
    const run = await second.api.payouts.release(await make())
    await reverse(hr, forged)
    const held = (tx: Tx, kind: string) => tx`select from accounts where company_id = ${acme.id}
      and person_id = ${ana.id} and category = 'prevention' and kind = ${kind} for no key update nowait`
    let back: Promise<unknown> | undefined
    await scene.sql.begin(async (tx) => {
      // Locks in the order of a reversal of what is not paid yet, by the accounts’ ids: available first, then payable.
      await held(tx, 'available')
      back = hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Closed' })
      back.catch(() => {}) // looked at below
      await until(async () => {
        const waiting = await scene.sql`select from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database()`
        return waiting.length > 0
      })
      await held(tx, 'payable')
    })
    await back
    assert.deepEqual(new Set(await payments(ana)), new Set(['returned', 'reversed']))
    assert.deepEqual(await acme.faults(), [])
  })

  test('what had been withheld from it is withheld again, and no cent more', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    const forged = await acme.agreeing(ana, { amount_cents: 1000 })
    await second.api.payouts.release(await make())
    await reverse(hr, forged)
    await acme.agreeing(ana, { amount_cents: 4000 })
    const run = await second.api.payouts.release(await make())
    assert.equal(run.paid_cents, 3000)
    await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    const again = await make()
    assert.deepEqual(
      [again.claims_cents, again.withheld_cents, again.paid_cents],
      [4000, 1000, 3000],
    )
    await second.api.payouts.release(again)
    await acme.agreeing(ana, { amount_cents: 2000 })
    assert.equal((await make()).withheld_cents, 0)
    assert.deepEqual(await acme.faults(), [])
  })

  test('a claim reversed between payment and return owes nothing any more', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    const forged = await acme.agreeing(ana, { amount_cents: 1000 })
    const run = await second.api.payouts.release(await make())
    await reverse(hr, forged)
    await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    const { available, overpaid, paid } = await acme.balances(ana)
    assert.deepEqual([available, overpaid, paid], [200_000, 0, 0])
    await refuses('nothing_to_pay', make())
    assert.deepEqual(await acme.faults(), [])
    const { events } = await ana.api.claims.find(forged)
    assert.deepEqual(events.map(({ event }) => event).slice(-2), ['reversed', 'payment_returned'])
    const { entries } = await ana.api.funds.my_statement({ limit: 1 })
    assert.equal(nameOfOwnEntry(entries[0]!), 'Payment returned: reversed claim')
  })

  test('what another run withheld for it meanwhile is given back, with a claim or without', async () => {
    for (const open of [false, true]) {
      const { acme, hr, second, make } = await payingCompany(scene)
      const ana = await payee(acme)
      const forged = await acme.agreeing(ana, { amount_cents: 1000 })
      const first = await second.api.payouts.release(await make())
      await reverse(hr, forged)
      await acme.agreeing(ana, { amount_cents: 1500 })
      let next = await make()
      assert.deepEqual([next.withheld_cents, next.paid_cents], [1000, 500])
      const back = { person_id: ana.id, reason: 'Account closed' }
      if (!open) next = await second.api.payouts.release(next)
      // The first payment never arrived: nothing was owed, and 1000 too much are withheld.
      await hr.api.payouts.return_item({ id: first.id, ...back })
      if (open) next = await second.api.payouts.release(next)
      const { erasure: _, blockers } = await ana.api.privacy.erasure({})
      assert.deepEqual(
        blockers.map(({ code, cents }) => [code, cents]),
        [['erasure_unpaid_claims', 1000]],
      )
      const preview = await hr.api.payouts.preview({})
      assert.deepEqual([preview.claims, preview.people, preview.paid_cents], [0, 1, 1000])
      const alone = await second.api.payouts.release(await make())
      assert.deepEqual([alone.claims, alone.withheld_cents, alone.paid_cents], [0, -1000, 1000])
      const [notice] = await scene.sql<[{ facts: object }]>`select facts from notifications
        where person_id = ${ana.id} order by id desc limit 1`
      assert.partialDeepStrictEqual(notice.facts, { cents: 1000, withheld_cents: -1000 })
      await refuses('nothing_to_pay', make())
      // The payment comes back, too: it is still owed, and goes with the next claim.
      await hr.api.payouts.return_item({ id: alone.id, ...back })
      await acme.agreeing(ana, { amount_cents: 700 })
      const last = await second.api.payouts.release(await make())
      assert.deepEqual([last.claims, last.withheld_cents, last.paid_cents], [1, -1000, 1700])
      await refuses('nothing_to_pay', make())
      // All that arrived is all that is approved.
      assert.equal(next.paid_cents + last.paid_cents, 1500 + 700)
      assert.deepEqual(await acme.faults(), [])
    }
  })
})
