// Events to a company's systems: each one in its order, signed, and nothing of what health care was for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { isSignedBy } from '../../../test/webhook-receiver.ts'
import { payee, payingCompany } from '../../../test/world/payouts.ts'
import { hookOf, openedWebhooks } from '../../../test/world/webhooks.ts'
import { event_names, type EventName } from './events.ts'

const { scene, receiver, sender } = openedWebhooks()

let paths = 0
/** Told of these at an address of its own; answers what came there since. */
async function listening(admin: Parameters<typeof hookOf>[1], events: EventName[], more = {}) {
  const path = `/${(paths += 1)}`
  const hook = await hookOf(scene, admin, { url: receiver.url + path, events, ...more })
  const received = async () => {
    await scene.notifyDecisions()
    await scene.seal()
    await sender.drain()
    const came = receiver.at(path)
    for (const one of came) assert.ok(isSignedBy(hook.secret, one), one.type)
    return came
  }
  return { hook, path, received }
}
const of = (group: string) => event_names.filter((name) => name.startsWith(`${group}.`))

test('a claim’s life, asked, answered, rejected, appealed, approved, paid and returned, in order', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme, 'Ana')
  const { received } = await listening(hr, [...of('claim'), ...of('payout')])
  const { id } = await acme.claim(ana, { amount_cents: 5100, note: 'My knee', provider: 'Spa' })
  const version = async () => (await hr.api.review.find({ id })).version
  await hr.api.review.ask({ id, version: await version(), text: 'Which clinic was it?' })
  await ana.api.claims.answer({ id, text: 'The one at the harbour', receipt_ids: [] })
  await hr.api.review.ask({ id, version: await version(), text: 'And when?' })
  await hr.api.review.withdraw_question({ id, version: await version() })
  const why = { reason: 'not_covered', text: 'Not in the plan.' } as const
  await hr.api.review.reject({ id, version: await version(), ...why })
  await ana.api.claims.appeal({ id, text: 'Please look again', receipt_ids: [] })
  await second.api.review.approve({ id, version: await version() })
  const run = await make()
  await second.api.payouts.release(run)
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
  const other = await acme.claim(ana, { amount_cents: 2100 })
  await ana.api.claims.withdraw({ id: other.id })
  const came = await received()
  assert.deepEqual(
    came.map(({ type, data }) => `${type} ${String(data['id'])}`),
    [
      `claim.submitted ${id}`,
      `claim.question ${id}`,
      `claim.answered ${id}`,
      `claim.question ${id}`,
      `claim.question_withdrawn ${id}`,
      `claim.rejected ${id}`,
      `claim.appealed ${id}`,
      `claim.approved ${id}`,
      `payout.made ${run.id}`,
      `claim.paid ${id}`,
      `payout.released ${run.id}`,
      `claim.payment_returned ${id}`,
      `claim.submitted ${other.id}`,
      `claim.withdrawn ${other.id}`,
    ],
  )
  assert.equal(new Set(came.map((one) => one.id)).size, came.length)
  assert.deepEqual(came[0]!.data, {
    id,
    person_id: ana.id,
    category: 'prevention',
    plan_year: acme.plan_year,
    amount_cents: 5100,
    currency: 'EUR',
  })
  const paid = came.find(({ type }) => type === 'claim.paid')!
  assert.deepEqual([paid.data['approved_cents'], paid.data['paid_on']], [5100, acme.today])
  const bodies = JSON.stringify(came.map(({ body }) => body))
  for (const secret of ['knee', 'Spa', 'clinic', 'harbour', 'plan.', 'Ana', 'closed', 'type_'])
    assert.ok(!bodies.includes(secret), secret)
})

test('a decision that is undone is told by nobody; one that stands once its undo is over', async () => {
  const { acme, hr } = await payingCompany(scene)
  const ana = await acme.hire('Ana')
  const { received, path } = await listening(hr, of('claim'))
  const claim = await acme.claim(ana, { amount_cents: 5100 })
  const other = await acme.claim(ana, { amount_cents: 5200 })
  const version = async () => (await hr.api.review.find({ id: claim.id })).version
  await hr.api.review.approve({ id: claim.id, version: await version() })
  await ana.api.claims.withdraw({ id: other.id })
  await scene.seal()
  await sender.drain()
  // Nor what came after it: it would be out of order.
  assert.deepEqual(receiver.types(path), ['claim.submitted', 'claim.submitted'])
  await hr.api.review.undo({ id: claim.id })
  await hr.api.review.approve({ id: claim.id, version: await version() })
  const types = (await received()).map(({ type }) => type)
  assert.deepEqual(types.slice(2), ['claim.withdrawn', 'claim.approved'])
})

test('a decision on a dependent that is undone is told by nobody, either', async () => {
  const { acme, hr } = await payingCompany(scene)
  const ana = await acme.hire('Ana')
  await hr.api.dependents.set_approval({ needed: true })
  const { received } = await listening(hr, of('dependent'))
  const { id } = await ana.api.dependents.add({
    full_name: 'Mia',
    relationship: 'child',
    born_on: daysAfter(acme.today, -900),
  })
  const version = async () => (await hr.api.dependents.of({ person_id: ana.id }))[0]!.version
  await hr.api.dependents.approve({ id, version: await version() })
  await hr.api.dependents.undo({ id })
  await hr.api.dependents.decline({ id, version: await version(), reason: 'Not family.' })
  assert.deepEqual(
    (await received()).map(({ type, data }) => [type, data['status']]),
    [
      ['dependent.added', 'requested'],
      ['dependent.declined', 'declined'],
    ],
  )
})

test('people, families, funds: each with its ids and days; the audit entry by entry', async () => {
  const { acme, hr } = await payingCompany(scene)
  const chosen = event_names.filter((name) => name !== 'audit.entry')
  const { received } = await listening(hr, chosen)
  const audit = await listening(hr, ['audit.entry'])
  await hr.api.employees.add({
    full_name: 'Nora Novak',
    email: `nora@${acme.company.domain}`,
    department: 'Sales',
  })
  const ana = await acme.company.hire('Ana')
  const { version } = await hr.api.employees.find({ id: ana.id })
  const change = { id: ana.id, version, full_name: 'Ana Horvat', department: 'Finance' }
  const edited = await hr.api.employees.edit(change)
  const left_on = daysAfter(acme.today, 20)
  const leaving = await hr.api.employees.leave({ id: ana.id, version: edited.version, left_on })
  await hr.api.employees.stay({ id: ana.id, version: leaving.version })
  await hr.api.employees.suspend({ id: ana.id })
  await hr.api.employees.reactivate({ id: ana.id })
  const { api } = await scene.signIn(ana.email)
  const { id } = await api.dependents.add({
    full_name: 'Mia',
    relationship: 'child',
    born_on: daysAfter(acme.today, -900),
  })
  await api.dependents.end({ id, covered_to: left_on })
  await acme.provider.api.funds.contribute({
    company_id: acme.id,
    amount_cents: 1234,
    confirmed: true,
    occurred_on: acme.plan_year,
    reference: 'INV-2',
  })
  const came = await received()
  const types = came.map(({ type }) => type)
  const expected = [
    'person.added',
    'person.added',
    'person.changed',
    'person.leaving',
    'person.staying',
    'person.suspended',
    'person.reactivated',
    'dependent.added',
    'dependent.ended',
    'fund.contributed',
  ]
  assert.deepEqual(
    types.filter((type) => type !== 'person.activated'),
    expected,
  )
  const by = (type: string) => came.find((one) => one.type === type)!.data
  assert.deepEqual(by('person.changed')['changed'], ['full_name', 'department'])
  assert.equal(by('person.leaving')['left_on'], left_on)
  assert.deepEqual(by('dependent.ended'), {
    id,
    person_id: ana.id,
    status: 'active',
    covered_from: acme.today,
    covered_to: left_on,
  })
  assert.equal(by('fund.contributed')['amount_cents'], 1234)
  const bodies = JSON.stringify(came.map(({ body }) => body))
  assert.doesNotMatch(bodies, /Nora|Novak|Horvat|Mia|INV-2|Sales|Finance/)
  const entries = await audit.received()
  const [sealed] = await scene.sql<[{ ids: number[] }]>`
    select array_agg(s.audit_id order by s.number) as ids from audit_seals s, webhooks w
    where w.id = ${audit.hook.id} and s.company_id = w.company_id
      and s.audit_id >= ${Number(entries[0]!.data['id'])}`
  assert.deepEqual(
    entries.map(({ data }) => data['id']),
    sealed.ids,
  )
  assert.doesNotMatch(JSON.stringify(entries.map(({ body }) => body)), /Nora|Horvat|Mia|INV-2/)
})

test('somebody who is erased is told of as erased, once', async () => {
  const { acme, hr } = await payingCompany(scene)
  const ana = await acme.hire('Ana')
  const { received } = await listening(hr, of('person'))
  await scene.sql`select private.erase_person(${ana.id}, null)`
  const came = await received()
  assert.deepEqual(
    came.map(({ type, data }) => [type, data]),
    [['person.erased', { id: ana.id }]],
  )
})
