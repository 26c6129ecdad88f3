// Blocked payments stay out of payouts until the block is removed; and are paid once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { about_a_person } from '#privacy/about-a-person.ts'
import { reverse } from '../../test/world/claims.ts'
import { payee, payingCompany, payments } from '../../test/world/payouts.ts'
import { aKey, lost, refuses, type Person } from '../../test/world/people.ts'
import { giveRights, withRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { codesOf } from '../../test/world/notices.ts'

const scene = openedScene()

const reason = 'The account looks like somebody else’s'
const all = (person: Person) => ({ person_id: person.id, claim_id: null, reason })
const one = (person: Person, claim: { id: number }) => ({ ...all(person), claim_id: claim.id })

/** A person with the right Finance and no other. */
async function paying() {
  const stage = await payingCompany(scene)
  const finance = await withRights(scene, stage.acme.company, 'finance')
  return { ...stage, finance, blocks: finance.api.payment_blocks }
}

test('of one’s own payments another blocks and removes, and the rows say so', async () => {
  const { acme, make, blocks } = await paying()
  const bea = await payee(acme, 'Bea')
  await giveRights(scene, acme.company, bea, 'finance')
  const claim = await acme.agreeing(bea, { amount_cents: 4000 })
  const refusals = { block: 'yourself' }
  const { due, list } = bea.api.payment_blocks
  assert.deepEqual((await due({})).people[0]?.refusals, refusals)
  assert.deepEqual((await blocks.due({})).people[0]?.refusals, { block: null })
  assert.deepEqual((await list({ person_id: bea.id })).refusals, refusals)
  await refuses('yourself', bea.api.payment_blocks.add(one(bea, claim)))
  const run = await make()
  const { items } = await bea.api.payouts.items({ id: run.id })
  assert.equal(items[0]?.refusals.block, 'yourself')
  const { id } = await blocks.add(one(bea, claim))
  assert.deepEqual((await list({})).blocks[0]?.refusals, { remove: 'yourself' })
  assert.deepEqual((await blocks.list({})).blocks[0]?.refusals, { remove: null })
  await refuses('yourself', bea.api.payment_blocks.remove({ id }))
})

test('a blocked claim is left out, with why; its person knows that it waits; then it is paid', async () => {
  const { acme, hr, second, make, finance, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const held = await acme.agreeing(ana, { amount_cents: 4000 })
  const paid = await acme.agreeing(ana, { amount_cents: 3000 })
  const { id } = await blocks.add(one(ana, held))
  const preview = await hr.api.payouts.preview({})
  assert.partialDeepStrictEqual(preview, { claims: 1, blocked_claims: 1, blocked_cents: 4000 })
  const [listed] = (await blocks.list({})).blocks
  assert.partialDeepStrictEqual(listed, { id, person_name: 'Ana', cents: 4000, reason })
  const of = async (claim: { id: number }) =>
    (await blocks.list({ person_id: ana.id, claim_id: claim.id })).blocks.map((block) => block.id)
  assert.deepEqual([await of(held), await of(paid)], [[id], []])
  assert.deepEqual((await blocks.list({ claim_id: paid.id })).blocks, [])
  const { people } = await blocks.due({ search: 'an' })
  assert.deepEqual(people[0]?.claims, [
    { id: held.id, cents: 4000, blocked: true },
    { id: paid.id, cents: 3000, blocked: false },
  ])
  assert.deepEqual((await blocks.due({ search: 'nobody of this name' })).people, [])
  assert.deepEqual((await blocks.due({ cut_off_on: acme.plan_year })).people, [])
  const mine = await ana.api.payouts.my_blocks({})
  assert.deepEqual(mine, { everything: false, claim_ids: [held.id] })
  const next = await ana.api.payouts.my_next({})
  assert.deepEqual([next.waiting_cents, next.blocked_cents], [3000, 4000])
  const list = await ana.api.notifications.list({})
  assert.equal(list.notifications[0]!.code, 'payment_blocked')
  assert.doesNotMatch(JSON.stringify([list, next, mine]), /somebody else/)
  const run = await second.api.payouts.release(await make())
  assert.equal(run.paid_cents, 3000)
  await blocks.remove({ id })
  await refuses('block_already_removed', blocks.remove({ id }))
  assert.equal((await codesOf(ana))[0], 'payment_unblocked')
  assert.deepEqual((await blocks.list({})).blocks, [])
  const last = await second.api.payouts.release(await make())
  assert.deepEqual([last.claims, last.paid_cents], [1, 4000])
  await refuses('claim_already_paid', blocks.add(one(ana, held)))
  const { entries } = await hr.api.audit.list({ table: 'payment_blocks' })
  assert.deepEqual(
    entries.map(({ act, actor_id, after }) => [act, actor_id, after?.['reason'] ?? null]),
    [
      ['update', finance.id, null],
      ['insert', finance.id, reason],
    ],
  )
  assert.deepEqual(await acme.faults(), [])
})

test('an approval that was blocked can’t be undone under the block, only reversed with it', async () => {
  const { acme, hr, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const claim = await acme.claim(ana, { amount_cents: 4000 })
  const approved = await hr.api.review.approve({ id: claim.id, version: claim.version })
  await blocks.add(one(ana, claim))
  await refuses('undo_over', hr.api.review.undo({ id: claim.id }))
  assert.deepEqual((await codesOf(ana)).slice(0, 2), ['payment_blocked', 'claim_approved'])
  const { version } = approved
  await hr.api.review.reverse({ id: claim.id, version, text: 'The wrong claim' })
  assert.deepEqual((await blocks.list({})).blocks, [])
  const undone = await acme.claim(ana, { amount_cents: 4000 })
  await hr.api.review.approve({ id: undone.id, version: undone.version })
  await hr.api.review.undo({ id: undone.id })
  await refuses('not_found', blocks.add(one(ana, undone)))
  assert.deepEqual(await acme.faults(), [])
})

test('a blocked person is left out whole: what they owe, are owed and are sent again, too', async () => {
  const { acme, hr, second, make, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const forged = await acme.agreeing(ana, { amount_cents: 3000 })
  await second.api.payouts.release(await make())
  await reverse(hr, forged)
  await acme.agreeing(ana, { amount_cents: 4500 })
  const run = await second.api.payouts.release(await make())
  assert.deepEqual([run.withheld_cents, run.paid_cents], [3000, 1500])
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
  const { id } = await blocks.add(all(ana))
  await acme.agreeing(ana, { amount_cents: 1000 })
  await refuses('nothing_to_pay', make())
  assert.deepEqual(await payments(ana), ['unpaid', 'returned', 'reversed'])
  assert.equal((await blocks.list({})).blocks[0]!.cents, 5500)
  assert.equal((await ana.api.payouts.my_next({})).withheld_cents, 0)
  await blocks.remove({ id })
  const last = await second.api.payouts.release(await make())
  assert.deepEqual([last.claims_cents, last.withheld_cents, last.paid_cents], [5500, 3000, 2500])
  assert.deepEqual(await acme.faults(), [])
})

test('what is given back to somebody waits with their block, too', async () => {
  const { acme, hr, second, make, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const forged = await acme.agreeing(ana, { amount_cents: 1000 })
  const first = await second.api.payouts.release(await make())
  await reverse(hr, forged)
  await acme.agreeing(ana, { amount_cents: 1500 })
  await second.api.payouts.release(await make())
  // The first payment never arrived, so what was withheld for it is owed to her.
  await hr.api.payouts.return_item({ id: first.id, person_id: ana.id, reason: 'Account closed' })
  const run = await make()
  assert.deepEqual([run.claims, run.paid_cents], [0, 1000])
  const { id } = await blocks.add(all(ana))
  assert.equal((await second.api.payouts.find({ id: run.id })).status, 'cancelled')
  await refuses('nothing_to_pay', make())
  await blocks.remove({ id })
  assert.equal((await make()).paid_cents, 1000)
})

test('what an open payout has of it leaves that payout, whose releaser looks again', async () => {
  const { acme, hr, second, make, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const ben = await payee(acme, 'Ben')
  const forged = await acme.agreeing(ana, { amount_cents: 900 })
  await second.api.payouts.release(await make())
  await reverse(hr, forged)
  const first = await acme.agreeing(ana, { amount_cents: 4000 })
  await acme.agreeing(ana, { amount_cents: 500 })
  await acme.agreeing(ben, { amount_cents: 2000 })
  const run = await make()
  assert.deepEqual([run.claims, run.withheld_cents, run.paid_cents], [3, 900, 5600])
  await blocks.add(one(ana, first))
  await refuses('changed_meanwhile', second.api.payouts.release(run))
  const less = await second.api.payouts.find({ id: run.id })
  // No more of the overpayment is withheld than the rest comes to.
  assert.deepEqual([less.claims, less.withheld_cents, less.paid_cents], [2, 500, 2000])
  await blocks.add(all(ana))
  const bens = await second.api.payouts.find({ id: run.id })
  assert.deepEqual([bens.people, bens.withheld_cents, bens.paid_cents], [1, 0, 2000])
  await second.api.payouts.release(bens)
  assert.deepEqual(await payments(ben), ['paid'])
  assert.deepEqual(await payments(ana), ['unpaid', 'unpaid', 'reversed'])
  const story = await ana.api.claims.find({ id: first.id })
  assert.equal(story.events.at(-1)?.event, 'taken_from_run')
  assert.deepEqual(await acme.faults(), [])
})

test('a payout that nothing is left of is over', async () => {
  const { acme, second, make, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  await acme.agreeing(ana)
  const run = await make()
  await blocks.add(all(ana))
  const over = await second.api.payouts.find({ id: run.id })
  assert.deepEqual([over.status, over.people, over.paid_cents], ['cancelled', 0, 0])
  assert.equal((await second.api.needs.list({})).lines.length, 0)
})

test('a transaction that dies in the middle blocks nothing, and leaves the payout as it was', async () => {
  const { acme, second, make, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  await acme.agreeing(ana)
  const run = await make()
  await scene.sql`alter table notifications add constraint storage_full
    check (code <> 'payment_blocked') not valid`
  try {
    await refuses('storage_full', blocks.add(all(ana)))
  } finally {
    await scene.sql`alter table notifications drop constraint storage_full`
  }
  assert.deepEqual((await blocks.list({})).blocks, [])
  assert.deepEqual(await payments(ana), ['in_run'])
  assert.equal((await second.api.payouts.release(run)).status, 'released')
})

test('blocked or released at the same moment: one of them, and one block of many', async () => {
  const { acme, second, make, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const claim = await acme.agreeing(ana)
  const run = await make()
  const [released, blocked] = await Promise.allSettled([
    second.api.payouts.release(run),
    blocks.add(one(ana, claim)),
  ])
  const was_released = released.status === 'fulfilled'
  assert.deepEqual(lost([released, blocked]), [
    was_released ? 'claim_already_paid' : 'run_cancelled',
  ])
  assert.deepEqual(await payments(ana), [was_released ? 'paid' : 'unpaid'])
  const many = await Promise.allSettled([1, 2, 3].map(() => blocks.add(all(ana))))
  assert.deepEqual(lost(many), ['payment_already_blocked', 'payment_already_blocked'])
  await refuses('payment_already_blocked', blocks.add(all(ana)))
  const key = { idempotency_key: aKey() }
  const ben = await payee(acme, 'Ben')
  const twice = await Promise.all([blocks.add(all(ben), key), blocks.add(all(ben), key)])
  assert.equal(twice[0].id, twice[1].id)
  assert.deepEqual(await acme.faults(), [])
})

test('is Finance’s, of one’s own company, about others, and about what can be paid', async () => {
  const { acme, hr, finance, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const ben = await acme.hire('Ben')
  const claim = await acme.agreeing(ana)
  const pending = await acme.claim(ana, { amount_cents: 9000 })
  const { id } = await blocks.add(one(ana, claim))
  for (const right of ['owner', 'people', 'reviewer', 'auditor'] as const) {
    const other = await withRights(scene, acme.company, right)
    await refuses('forbidden', other.api.payment_blocks.add(all(ana)))
    await refuses('forbidden', other.api.payment_blocks.remove({ id }))
  }
  await refuses('forbidden', ana.api.payment_blocks.list({}))
  const strangers = (await scene.company({ name: 'Other' })).admin.api.payment_blocks
  await refuses('not_found', strangers.add(all(ana)))
  await refuses('not_found', strangers.remove({ id }))
  assert.deepEqual((await strangers.list({})).blocks, [])
  await refuses('yourself', blocks.add(all(finance)))
  await refuses('not_found', blocks.add(one(ana, pending)))
  await refuses('not_found', blocks.add(one(ben, claim)))
  await refuses('invalid_input', blocks.add({ ...all(ben), reason: ' ' }))
  // A reversed claim has no payment to block.
  await reverse(hr, claim, 'It was forged')
  assert.deepEqual((await blocks.list({})).blocks, [])
})

type Changed = Record<string, unknown>
test('why is told to its person once it is over, and goes with their erasure', async () => {
  const { acme, hr, finance, blocks } = await paying()
  const ana = await payee(acme, 'Ana')
  const [by] = finance.email.split('@')
  const { query } = about_a_person.find(({ name }) => name === 'payment_blocks')!
  const changes = about_a_person.find(({ name }) => name === 'changes_about_you')!
  const changed = async () =>
    (await scene.sql.unsafe(changes.query, [ana.id]))
      .filter((row) => row['table_name'] === 'payment_blocks')
      .map((row) => [row['act'], row['changed_by'], (row['after'] as Changed)['reason']])
  const { id } = await blocks.add(all(ana))
  const exported = async () => (await scene.sql.unsafe(query, [ana.id])).map((row) => row['reason'])
  assert.deepEqual(await exported(), [null])
  assert.deepEqual(await changed(), [['insert', by, undefined]])
  await blocks.remove({ id })
  assert.deepEqual(await exported(), [reason])
  assert.deepEqual(await changed(), [
    ['insert', by, reason],
    ['update', by, undefined],
  ])
  const { entries } = await hr.api.audit.list({ about: ana.id, table: 'payment_blocks' })
  assert.deepEqual(
    entries.map(({ actor_name }) => actor_name),
    [by, by],
  )
  await scene.sql`select private.erase_claims(${acme.id}, ${ana.id})`
  assert.deepEqual(await exported(), ['Erased'])
  const [about] = await scene.sql`select count(*)::int as n from private.entries_about(${ana.id}) e
    join audit_log l on l.id = e where l.table_name = 'payment_blocks'`
  assert.equal(about!['n'], 3)
})
