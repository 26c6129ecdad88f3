// Changed accounts in payouts: they are shown at the release, and wait where the policy asks for it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { reverse } from '../../test/world/claims.ts'
import {
  another_iban,
  payee,
  iban,
  setAccountWait,
  payingCompany,
  payments,
} from '../../test/world/payouts.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

/** Makes the account one that was given some days ago. */
const accountGiven = (person: Person, days: number) =>
  scene.sql`update bank_accounts set changed_at = now() - make_interval(days => ${days})
    where person_id = ${person.id}`

async function change(person: Person, to: string) {
  await scene.confirm(person)
  return person.api.payouts.set_my_account({ holder: 'Somebody', iban: to })
}

describe('an account that was changed', () => {
  test('is shown to whoever releases, and so is one of two people; what is paid is past', async () => {
    const { acme, second, make } = await payingCompany(scene)
    const other = await payingCompany(scene)
    const [old, changed, shared] = [await acme.hire(), await acme.hire(), await acme.hire()]
    await change(old, 'NL91ABNA0417164300')
    await change(changed, 'GB82WEST12345698765432')
    await change(shared, another_iban)
    await change(await other.acme.hire(), another_iban)
    for (const person of [old, shared]) await accountGiven(person, 31)
    for (const person of [old, changed, shared]) await acme.agreeing(person)
    const run = await make()
    assert.equal(run.accounts_to_check, 2)
    const accountsShown = async (show: 'all' | 'to_check') => {
      const { items } = await second.api.payouts.items({ id: run.id, show })
      return new Map(
        items.map((item) => [
          item.person_id,
          [item.account_changed_at !== null, item.account_shared],
        ]),
      )
    }
    const to_check: [string, boolean[]][] = [
      [changed.id, [true, false]],
      [shared.id, [false, true]],
    ]
    assert.deepEqual(await accountsShown('all'), new Map([[old.id, [false, false]], ...to_check]))
    assert.deepEqual(await accountsShown('to_check'), new Map(to_check))
    const done = await second.api.payouts.release(run)
    assert.equal(done.accounts_to_check, 0)
    assert.deepEqual(
      [...(await accountsShown('all')).values()],
      Array.from({ length: 3 }, () => [false, false]),
    )
    assert.deepEqual(await accountsShown('to_check'), new Map())
  })

  test('that a payment came back from is to be checked, until it is given again', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    await accountGiven(ana, 31)
    await acme.agreeing(ana)
    const first = await make()
    await second.api.payouts.release(first)
    await hr.api.payouts.return_item({ id: first.id, person_id: ana.id, reason: 'Account closed' })
    const toCheck = async (id: number) => {
      const { accounts_to_check } = await hr.api.payouts.find({ id })
      const { items } = await hr.api.payouts.items({ id })
      return [accounts_to_check, items.map(({ account_failed }) => account_failed)]
    }
    const again = await make()
    assert.deepEqual(await toCheck(again.id), [1, [true]])
    await change(ana, another_iban)
    assert.deepEqual((await toCheck(again.id))[1], [false])
  })

  test('waits as the policy asks: left out of runs, HR and its owner told, then paid', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const [ana, ben] = [await payee(acme, 'Ana'), await payee(acme, 'Ben')]
    const alone = await acme.hire('Noaccount')
    await accountGiven(ben, 4)
    for (const person of [ana, ben, alone]) await acme.agreeing(person)
    assert.equal((await hr.api.payouts.preview({})).accounts_waiting, 0)
    await setAccountWait(hr, 3)
    const preview = await hr.api.payouts.preview({})
    assert.deepEqual([preview.people, preview.accounts_waiting], [2, 1])
    assert.equal((await ana.api.payouts.my_account({}))?.pays_from_on, daysAfter(acme.today, 3))
    assert.equal((await ben.api.payouts.my_account({}))?.pays_from_on, null)
    const run = await make()
    assert.deepEqual([run.people, run.claims], [2, 2])
    await second.api.payouts.release(run)
    assert.deepEqual(await payments(ana), ['unpaid'])
    assert.deepEqual(await payments(ben), ['paid'])
    assert.deepEqual(await payments(alone), ['paid'])
    await refuses('nothing_to_pay', make())
    await accountGiven(ana, 4)
    await second.api.payouts.release(await make())
    assert.deepEqual(await payments(ana), ['paid'])
    assert.deepEqual(await acme.faults(), [])
  })

  test('is left out alike by what is shown beforehand, by the list of it, and by the payout', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const [ana, ben] = [await payee(acme, 'Ana'), await payee(acme, 'Ben')]
    const [early, late] = [await acme.hire('Early'), await acme.hire('Late')]
    await accountGiven(ben, 9)
    const forged = await acme.agreeing(ben, { amount_cents: 1000 })
    await second.api.payouts.release(await make())
    await reverse(hr, forged)
    const blocked = await acme.agreeing(ben, { amount_cents: 2000 })
    for (const person of [ana, ben, early]) await acme.agreeing(person, { amount_cents: 3000 })
    await scene.sql`update claims set reviewed_at = reviewed_at - interval '1 day'
      where company_id = ${acme.id}`
    await acme.agreeing(late, { amount_cents: 3000 })
    await hr.api.payment_blocks.add({ person_id: ben.id, claim_id: blocked.id, reason: 'Whose?' })
    await setAccountWait(hr, 3)
    const cut_off_on = daysAfter(acme.today, -1)
    const preview = await hr.api.payouts.preview({ cut_off_on })
    const { people } = await hr.api.payment_blocks.due({ cut_off_on })
    assert.deepEqual(
      people.map((one) => [one.person_name, one.cents, one.withheld_cents, one.waits]),
      [
        ['Ana', 3000, 0, true],
        ['Ben', 5000, 1000, false],
        ['Early', 3000, 0, false],
      ],
    )
    const own = async (person: Person) => {
      const { waiting_cents, withheld_cents, blocked_cents } = await person.api.payouts.my_next({})
      return [waiting_cents, withheld_cents, blocked_cents]
    }
    assert.deepEqual(
      [await own(ana), await own(ben)],
      [
        [3000, 0, 0],
        [2000, 1000, 2000],
      ],
    )
    const run = await hr.api.payouts.make({ cut_off_on, pay_on: acme.today })
    const sums = ({ claims, people, withheld_cents, paid_cents }: typeof run | typeof preview) => [
      claims,
      people,
      withheld_cents,
      paid_cents,
    ]
    assert.deepEqual(
      [sums(run), sums(preview)],
      [
        [2, 2, 1000, 5000],
        [2, 2, 1000, 5000],
      ],
    )
    assert.deepEqual([preview.accounts_waiting, preview.blocked_claims], [1, 1])
    assert.deepEqual([await payments(ana), await payments(late)], [['unpaid'], ['unpaid']])
  })

  test('is counted as waiting, too, where money is owed back and nothing else is due', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    await accountGiven(ana, 9)
    const first = await acme.agreeing(ana, { amount_cents: 4000 })
    const came_back = await second.api.payouts.release(await make())
    await reverse(hr, first)
    await acme.agreeing(ana, { amount_cents: 4000 })
    await second.api.payouts.release(await make())
    const reason = 'Account closed'
    await hr.api.payouts.return_item({ id: came_back.id, person_id: ana.id, reason })
    const next = async () => {
      const { people, paid_cents, accounts_waiting } = await hr.api.payouts.preview({})
      return [people, paid_cents, accounts_waiting]
    }
    assert.deepEqual(await next(), [1, 4000, 0])
    await accountGiven(ana, 1)
    await setAccountWait(hr, 3)
    assert.deepEqual(await next(), [0, 0, 1])
  })

  test('waits also when it is changed between making a run and releasing it', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const [ana, ben] = [await payee(acme, 'Ana'), await payee(acme, 'Ben')]
    for (const person of [ana, ben]) {
      await accountGiven(person, 9)
      await acme.agreeing(person)
    }
    await setAccountWait(hr, 7)
    const run = await make()
    assert.equal(run.people, 2)
    await change(ana, iban)
    assert.equal(
      (await second.api.payouts.find({ id: run.id })).refusals.release,
      null,
      'it is the same',
    )
    await change(ana, another_iban)
    const found = await second.api.payouts.find({ id: run.id })
    assert.equal(found.refusals.release, 'account_waits')
    await refuses('account_waits', second.api.payouts.release(run))
    assert.deepEqual(await payments(ana), ['in_run'])
    await second.api.payouts.cancel(run)
    const [claim] = (await ana.api.claims.mine({})).claims
    const { events } = await ana.api.claims.find({ id: claim?.id ?? 0 })
    assert.deepEqual(
      events.slice(-2).map(({ event }) => event),
      ['put_in_run', 'taken_from_run'],
      'the claim’s story says that its payout was cancelled',
    )
    const next = await make()
    assert.equal(next.people, 1)
    await second.api.payouts.release(next)
    assert.deepEqual([await payments(ana), await payments(ben)], [['unpaid'], ['paid']])
    assert.deepEqual(await acme.faults(), [])
  })
})
