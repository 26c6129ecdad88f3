// Automatic approval: the rules, the database where it writes, and the preview of other terms say the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import type { Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { plain_step } from '#claims/policies/steps.contract.ts'

const scene = openedScene()

const terms = {
  auto_approve_cents: 5000,
  auto_approve_per_month: 4,
  spot_check_percent: 0,
  receipt_above_cents: 2500,
  steps: [],
  review_days: 3,
  account_wait_days: 0,
}
type Terms = Omit<typeof terms, 'steps'>

async function companyUnder(changed: Partial<Terms>) {
  const acme = await fundedCompany(scene)
  await acme.company.admin.api.policies.change({ ...terms, ...changed, version: 1 })
  return acme
}

const previewOf = ({ company }: FundedCompany, changed: Partial<Terms>) =>
  company.admin.api.policies.preview({ ...terms, ...changed })

/** A claim whose receipt is still being read. */
async function waiting(acme: FundedCompany, person: Person, amount_cents: number) {
  const receipt = await acme.receipt(person, { state: 'reading' })
  const { id } = await acme.claim(person, { amount_cents, receipt_ids: [receipt] })
  const read = async () => {
    await scene.sql`update receipts set read_state = 'read', read_amount_cents = ${amount_cents},
      read_on = ${acme.today} where id = ${receipt}`
    await acme.evaluateAgain()
    const { status, automatic } = await person.api.claims.find({ id })
    return automatic ? 'automatic' : status
  }
  return { id, read }
}

test('claims of one month whose receipts are read in the next are still that month’s', async () => {
  const acme = await companyUnder({ auto_approve_per_month: 1 })
  const ana = await acme.hire()
  const [one, other] = [await waiting(acme, ana, 1000), await waiting(acme, ana, 2000)]
  await scene.sql`update claims c set submitted_at
    = date_trunc('month', now() at time zone o.time_zone) at time zone o.time_zone - interval '1 hour'
    from companies o where c.company_id = ${acme.id} and o.id = c.company_id`
  assert.equal(await one.read(), 'automatic')
  assert.equal(await other.read(), 'pending')
  assert.equal((await acme.agreeing(ana, { amount_cents: 3000 })).status, 'approved')
})

test('a day that is covered no more once the receipt is read goes to a person, and the trace says so', async () => {
  const acme = await companyUnder({})
  const { employees, review } = acme.company.admin.api
  const ana = await acme.hire('Ana')
  const service_on = daysAfter(acme.today, -5)
  const covered_to = daysAfter(service_on, -1)
  const mia = await ana.api.dependents.add({
    full_name: 'Mia',
    relationship: 'child',
    born_on: '2019-04-12',
    covered_from: daysAfter(acme.today, -30),
  })
  const reading = () => acme.receipt(ana, { state: 'reading' })
  const [hers, own] = [await reading(), await reading()]
  const of_mia = { category: 'solidarity', dependent_id: mia.id, amount_cents: 3000 } as const
  const claims = [
    await acme.claim(ana, { service_on, receipt_ids: [hers], ...of_mia }),
    await acme.claim(ana, { service_on, receipt_ids: [own] }),
  ]
  await ana.api.dependents.end({ id: mia.id, covered_to })
  const { id, version } = await employees.find({ id: ana.id })
  await employees.leave({ id, version, left_on: covered_to })
  await scene.sql`update receipts r set read_state = 'read', read_amount_cents = c.bill_cents,
      read_on = c.service_on
    from claims c where c.company_id = r.company_id and c.id = r.claim_id
      and r.id in (${hers}, ${own})`
  await acme.evaluateAgain()
  const found = await Promise.all(claims.map((claim) => review.find({ id: claim.id })))
  assert.deepEqual(
    found.map(({ status }) => status),
    ['pending', 'pending'],
  )
  const doubts = found.map(({ trace }) =>
    trace.filter(({ outcome }) => outcome === 'human').map(({ rule }) => rule),
  )
  assert.deepEqual(doubts, [
    ['dependent_covered', 'employment', 'approvals_needed'],
    ['employment', 'approvals_needed'],
  ])
})

test('the draw of a later claim about the same is none of the one before it', async () => {
  const acme = await companyUnder({ spot_check_percent: 50 })
  const ana = await acme.hire()
  const { id, read } = await waiting(acme, ana, 1000)
  const later = await acme.claim(ana, { amount_cents: 1000 })
  await ana.api.claims.withdraw({ id: later.id })
  await scene.sql`update claims set spot_check_draw = case id when ${id} then 99 else 0 end
    where company_id = ${acme.id}`
  assert.equal(await read(), 'automatic')
})

test('the draw of an earlier claim counts as well where only the reading shows that they are alike', async () => {
  const acme = await companyUnder({ spot_check_percent: 50 })
  const ana = await acme.hire()
  const first = await acme.claim(ana, { amount_cents: 9000 })
  await ana.api.claims.withdraw({ id: first.id })
  const { id, read } = await waiting(acme, ana, 1000)
  await scene.sql`update claims set spot_check_draw = case id when ${id} then 99 else 0 end,
    bill_cents = case id when ${id} then bill_cents else 1000 end, amount_cents = 1000
    where company_id = ${acme.id}`
  assert.equal(await read(), 'pending')
  const { trace } = await ana.api.claims.find({ id })
  assert.equal(trace.find(({ rule }) => rule === 'spot_check')?.facts['spot_check_draw'], 0)
  assert.equal((await previewOf(acme, { spot_check_percent: 50 })).instead.automatic, 0)
})

test('the preview asks of a claim what was known when it was made, not what came after it', async () => {
  const acme = await companyUnder({ auto_approve_cents: 500 })
  const ana = await acme.hire()
  await acme.agreeing(ana, { amount_cents: 1000 })
  await acme.agreeing(ana, { amount_cents: 1000 })
  assert.equal((await previewOf(acme, {})).instead.automatic, 1)
})

for (const then of ['answered', 'appealed'] as const)
  test(`a receipt that comes once a claim is ${then} changes nothing of what the preview says of it`, async () => {
    const acme = await companyUnder({ auto_approve_cents: 0 })
    const { review } = acme.company.admin.api
    const ana = await acme.hire()
    const bytes = 'drawn'
    const drawn = await acme.claim(ana, { receipt_ids: [await acme.receipt(ana, { bytes })] })
    await ana.api.claims.withdraw({ id: drawn.id })
    /** Sends a receipt after a person has decided. Answers what the rules then find of all receipts. */
    const sendLater = async ({ id, version }: { id: number; version: number }, cents: number) => {
      await scene.sql`update claims set spot_check_draw = case id when ${drawn.id} then 0 else 80 end
        where company_id = ${acme.id}`
      const text = 'Please send the receipt'
      if (then === 'answered') await review.ask({ id, version, text })
      else await review.reject({ id, version, reason: 'no_receipt', text })
      await scene.notifyDecisions()
      const read = { on: acme.today, provider: 'Harbour Clinic', amount_cents: cents, bytes }
      const sent = { id, text: 'Here it is', receipt_ids: [await acme.receipt(ana, read)] }
      await (then === 'answered' ? ana.api.claims.answer(sent) : ana.api.claims.appeal(sent))
      await acme.evaluateAgain()
      const { trace } = await review.find({ id })
      await ana.api.claims.withdraw({ id })
      return trace.find(({ rule }) => rule === 'receipt_match')?.outcome
    }
    const without = await acme.claim(ana, { amount_cents: 1000, receipt_ids: [] })
    assert.equal(await sendLater(without, 1000), 'fine')
    assert.equal(await sendLater(await acme.agreeing(ana, { amount_cents: 2000 }), 999), 'human')

    const there = await companyUnder({})
    const ben = await there.hire()
    await there.claim(ben, { amount_cents: 1000, receipt_ids: [] })
    await there.agreeing(ben, { amount_cents: 2000 })
    assert.deepEqual(await previewed(there, {}), [1, 2000])
    assert.deepEqual(await previewed(acme, {}), [1, 2000], 'what was read then')
    assert.deepEqual(await previewed(acme, { spot_check_percent: 50 }), [1, 2000], 'and drawn')
  })

test('a provider is new in the preview until a claim of theirs is approved, however it is written', async () => {
  const acme = await companyUnder({ auto_approve_cents: 0 })
  const ana = await acme.hire()
  const { company } = acme
  const of = (provider: string, amount_cents: number) => acme.claim(ana, { provider, amount_cents })
  const first = await of('Klinik Müller', 1000)
  await of('Klinik Müller', 2000)
  await company.admin.api.review.approve({ id: first.id, version: first.version })
  await of('KLINIK MULLER', 3000)
  const preview = await company.admin.api.policies.preview({
    ...terms,
    steps: [{ ...plain_step, new_provider: true }],
  })
  assert.deepEqual(
    preview.steps.map(({ claims, amount_cents }) => [claims, amount_cents]),
    [[2, 3000]],
  )
})

const cents = fc.integer({ min: 1, max: 5 }).map((n) => n * 1000)
const some_terms = fc.record({
  auto_approve_cents: cents,
  auto_approve_per_month: fc.integer({ min: 0, max: 4 }),
})
const some_drafts = fc.array(
  fc.record({ person: fc.nat(1), amount_cents: cents, days_ago: fc.nat(2), agrees: fc.boolean() }),
  { minLength: 8, maxLength: 14 },
)

/** How many of these were approved automatically, and what they come to. */
async function made(
  acme: FundedCompany,
  drafts: typeof some_drafts extends fc.Arbitrary<infer T> ? T : never,
) {
  const people = [await acme.hire(), await acme.hire()]
  let [claims, amount] = [0, 0]
  for (const { person, amount_cents, days_ago, agrees } of drafts) {
    const claim_input = { amount_cents, service_on: daysAfter(acme.today, -days_ago) }
    const claim = await acme[agrees ? 'agreeing' : 'claim'](people[person]!, claim_input)
    if (claim.status === 'approved') [claims, amount] = [claims + 1, amount + amount_cents]
  }
  return [claims, amount]
}

async function previewed(acme: FundedCompany, changed: Partial<Terms>) {
  const { instead, automatic_cents_then } = await previewOf(acme, changed)
  return [instead.automatic, automatic_cents_then]
}

test('of random claims the preview of any terms is what happens under them', async () => {
  await fc.assert(
    fc.asyncProperty(some_terms, some_terms, some_drafts, async (one, other, drafts) => {
      const [first_company, there] = [await companyUnder(one), await companyUnder(other)]
      const [now, instead] = [await made(first_company, drafts), await made(there, drafts)]
      assert.deepEqual(await previewed(first_company, one), now)
      assert.deepEqual(await previewed(first_company, other), instead)
      assert.deepEqual(await previewed(there, one), now)
      const checked = { ...one, spot_check_percent: 40 }
      const drawing = await companyUnder(checked)
      assert.deepEqual(await previewed(drawing, checked), [0, 0])
      const drawn = await made(drawing, drafts)
      assert.deepEqual(await previewed(drawing, checked), drawn)
    }),
    { numRuns: 4, endOnFailure: true },
  )
})
