// The entries of a statement: the claim each is about, and the balance after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { reverse } from '../../../test/world/claims.ts'
import { payee, payingCompany } from '../../../test/world/payouts.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

/** Ana was paid 50.00 for a claim; then it was reversed, and the bank sent the payment back. */
async function paidAndReturned() {
  const stage = await payingCompany(scene)
  const { acme, hr, second, make } = stage
  const ana = await payee(acme, 'Ana')
  const { id } = await acme.agreeing(ana, { amount_cents: 5000 })
  const run = await second.api.payouts.release(await make())
  await reverse(hr, { id })
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'No account' })
  return { ...stage, ana, id }
}

test('a statement names the claim of each entry and both balances after it, and so does its file', async () => {
  const { acme, hr, ana, id } = await paidAndReturned()
  const filter = { person_id: ana.id, limit: 200 }
  const { entries } = await hr.api.funds.statement(filter)
  const texts = entries
    .filter(({ event }) => !event.startsWith('grant'))
    .map(({ event, claim_id, claim_opens, from, to }) => [
      event,
      claim_id === id && claim_opens,
      ...[from, to].map(({ kind, balance_cents }) => `${kind} ${balance_cents}`),
    ])
  assert.deepEqual(texts, [
    ['overpaid_recovered', true, 'overpaid 0', 'available 200000'],
    ['claim_reversed', true, 'paid 0', 'overpaid 5000'],
    ['claim_paid', true, 'payable 0', 'paid 5000'],
    ['claim_approved', true, 'held 0', 'payable 5000'],
    ['claim_held', true, 'available 195000', 'held 5000'],
  ])
  const of_grants = entries.filter(({ event }) => event === 'grant')
  assert.ok(of_grants.every(({ claim_id, claim_opens }) => claim_id === null && !claim_opens))

  const available = entries.at(0)!.to.id
  const of_one = await hr.api.funds.statement({ ...filter, account_id: available })
  for (const { amount_cents, balance_cents, from, to } of of_one.entries) {
    assert.equal(balance_cents, (amount_cents < 0 ? from : to).balance_cents)
  }
  assert.equal(of_one.entries[0]!.claim_id, id)

  const csv = await (await hr.api.funds.export_statement({ person_id: ana.id })).text()
  const [columns, newest] = csv.replace('\uFEFF', '').split('\r\n')
  assert.match(columns!, /,event,claim,from,from balance,to,to balance,/)
  const sides = 'overpaid prevention,0.00,available prevention,2000.00'
  assert.ok(newest!.includes(`,overpaid_recovered,${id},${sides},`), newest)
  assert.deepEqual(await acme.faults(), [])
})

test('a contribution whose reference reads like a claim is about none', async () => {
  const { acme, hr, id } = await paidAndReturned()
  await acme.provider.api.funds.contribute({
    company_id: acme.id,
    amount_cents: 100,
    occurred_on: acme.plan_year,
    reference: `claim ${id} 1`,
  })
  const { entries } = await hr.api.funds.statement({ limit: 1 })
  assert.deepEqual([entries[0]!.event, entries[0]!.claim_id], ['contribution', null])
})

test('a statement of a kind of account, a category and a time has their entries, sums and file name', async () => {
  const { acme, hr } = await paidAndReturned()
  const { api } = hr
  const of_paid = { kind: 'paid', category: 'prevention' } as const
  const { entries } = await api.funds.statement({ ...of_paid, limit: 200 })
  assert.deepEqual(
    entries.map(({ event, amount_cents }) => [event, amount_cents]),
    [
      ['claim_reversed', -5000],
      ['claim_paid', 5000],
    ],
  )
  const none = await api.funds.statement({ ...of_paid, category: 'solidarity' })
  assert.deepEqual(none.entries, [])

  const file = await api.funds.export_statement({ ...of_paid, from: acme.today, to: acme.today })
  assert.equal(file.name, `statement-prevention-paid-${acme.today}-to-${acme.today}.csv`)
  assert.equal((await file.text()).trim().split('\r\n').length, 1 + 2)
})

test('what was used and paid in a time is approved less reversed, and paid less what came back', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme, 'Ana')
  const sums = async (filter = {}) => {
    const [prevention] = await hr.api.funds.used_and_paid(filter)
    return [prevention!.category, prevention!.used_cents, prevention!.paid_cents]
  }
  const { id } = await acme.agreeing(ana, { amount_cents: 5000 })
  assert.deepEqual(await sums(), ['prevention', 5000, 0])
  const run = await second.api.payouts.release(await make())
  assert.deepEqual(await sums({ from: acme.today }), ['prevention', 5000, 5000])
  assert.deepEqual(await sums({ to: daysAfter(acme.today, -1) }), ['prevention', 0, 0])
  assert.deepEqual(await sums({ from: daysAfter(acme.today, 1) }), ['prevention', 0, 0])
  await reverse(hr, { id })
  assert.deepEqual(await sums(), ['prevention', 0, 5000])
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'No account' })
  assert.deepEqual(await sums(), ['prevention', 0, 0])
})
