// The policy of a company: changed as versions, previewed on what has been, refused where it cannot be done.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fundedCompany, secondAbove, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import type { Problem } from '#problems.ts'
import { reverse } from '../../../test/world/claims.ts'
import { plain_step, type ApprovalStep } from './steps.contract.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  await acme.admin('Second')
})

const terms = {
  auto_approve_cents: 5000,
  auto_approve_per_month: 4,
  spot_check_percent: 0,
  receipt_above_cents: 2500,
  steps: secondAbove(30_000),
  review_days: 3,
  account_wait_days: 0,
}

test('a new company begins with the usual terms and a catalogue for each category', async () => {
  const { api } = (await scene.company({ name: 'New' })).admin
  const { since, by_name, note, ...policy } = await api.policies.current({})
  assert.deepEqual(policy, {
    ...terms,
    spot_check_percent: 5,
    version: 1,
    names: {},
    currency: 'EUR',
  })
  assert.ok(since && by_name === null && note === null)
  const types = await api.policies.types({})
  const named = (category: string) =>
    types.filter((type) => type.category === category).map(({ name }) => name)
  for (const name of [
    'Annual health check',
    'Vaccination',
    'Dental check',
    'Eye test',
    'Fitness',
  ]) {
    assert.ok(named('prevention').includes(name), name)
  }
  assert.ok(named('treatment').includes('Mental health'))
  assert.ok(named('solidarity').includes('Elder care'))
})

test('a change is a version with its name and note; a claim keeps the terms of its day', async () => {
  const ana = await acme.hire()
  const earlier = await acme.claim(ana, { amount_cents: 25_000 })
  const { version } = await hr.api.policies.current({})
  const changed = await hr.api.policies.change({
    ...terms,
    version,
    steps: secondAbove(20_000),
    note: 'Four eyes from 200',
  })
  assert.deepEqual(
    [changed.version, changed.by_name, changed.note],
    [version + 1, 'admin', 'Four eyes from 200'],
  )
  await refuses('changed_meanwhile', hr.api.policies.change({ ...terms, version }))
  const later = await acme.claim(ana, { amount_cents: 25_100 })
  const approve = ({ id, version: claim_version }: { id: number; version: number }) =>
    hr.api.review.approve({ id, version: claim_version })
  assert.equal((await approve(earlier)).status, 'approved')
  assert.equal((await approve(later)).stage, 'further_review')
  const history = await hr.api.policies.history({})
  assert.deepEqual(
    history.map((one) => one.version),
    history.map((_, at) => history.length - at),
  )
  await hr.api.policies.change({ ...terms, version: changed.version })
})

test('of two who change it at the same moment one is told that the other was quicker', async () => {
  const { version } = await hr.api.policies.current({})
  const all = await Promise.allSettled(
    [5, 6, 7].map((review_days) => hr.api.policies.change({ ...terms, version, review_days })),
  )
  assert.deepEqual(lost(all), ['changed_meanwhile', 'changed_meanwhile'])
})

test('one admin keeps the two approvers of the first policy, but asks for no more of them', async () => {
  const { admin } = await scene.company({ name: 'Lone' })
  const { policies } = admin.api
  assert.equal((await policies.preview(terms)).refusal, null)
  const steps = secondAbove(20_000)
  assert.equal((await policies.change({ ...terms, version: 1, steps })).version, 2)
  const more = [...steps, ...secondAbove(40_000)]
  assert.equal((await policies.preview({ ...terms, steps: more })).refusal, 'steps_need_reviewers')
  await refuses('steps_need_reviewers', policies.change({ ...terms, version: 2, steps: more }))
  assert.equal((await policies.change({ ...terms, version: 2, steps: [] })).version, 3)
  await refuses('steps_need_reviewers', policies.change({ ...terms, version: 3 }))
})

test('the preview evaluates the last twelve months again, with the draws that were made', async () => {
  const own = await fundedCompany(scene)
  await own.admin('Second')
  const { policies } = own.company.admin.api
  const ana = await own.hire()
  for (const cents of [1000, 2000, 3000, 4000, 4500])
    await own.agreeing(ana, { amount_cents: cents })
  await own.agreeing(ana, { amount_cents: 9000 })
  await own.claim(ana, { amount_cents: 40_000 })
  await own.claim(ana, { amount_cents: 50_000, category: 'treatment' })
  const preview = await policies.preview({
    ...terms,
    auto_approve_cents: 10_000,
    auto_approve_per_month: 10,
    steps: secondAbove(45_000),
  })
  assert.deepEqual(preview, {
    claims: 8,
    now: { automatic: 4, one_review: 2, more_reviews: 2 },
    instead: { automatic: 6, one_review: 1, more_reviews: 1 },
    refusal: null,
    automatic_cents_now: 10_000,
    automatic_cents_then: 23_500,
    steps: [
      { number: 1, claims: 2, amount_cents: 90_000, days: null },
      { number: 2, claims: 1, amount_cents: 50_000, days: null },
    ],
  })
  const never = await policies.preview({ ...terms, auto_approve_cents: 0 })
  assert.deepEqual([never.instead.automatic, never.automatic_cents_then], [0, 0])
})

test('the preview says how much each step would have decided, and how long its people take', async () => {
  const own = await fundedCompany(scene)
  const second = await own.admin('Second')
  const ana = await own.hire()
  const decided = await own.claim(ana, { amount_cents: 6000 })
  await scene.sql`update claims set submitted_at = now() - interval '3 days'
    where company_id = ${own.id} and id = ${decided.id}`
  await second.api.review.approve({ id: decided.id, version: decided.version })
  await own.claim(ana, { amount_cents: 40_000, provider: 'Other' })
  const { steps, instead } = await own.company.admin.api.policies.preview({
    ...terms,
    steps: [
      { ...plain_step, who: 'people', person_ids: [second.id] },
      {
        ...plain_step,
        above_cents: 20_000,
        who: 'people',
        person_ids: [own.company.admin.id],
      },
    ],
  })
  assert.deepEqual(
    steps.map(({ claims, amount_cents, days }) => [claims, amount_cents, days && Math.round(days)]),
    [
      [2, 46_000, 3],
      [1, 40_000, null],
    ],
  )
  assert.deepEqual(instead, { automatic: 0, one_review: 1, more_reviews: 1 })
  const any = await own.company.admin.api.policies.preview({ ...terms, steps: secondAbove(20_000) })
  assert.deepEqual(
    any.steps.map(({ days }) => days && Math.round(days)),
    [3, null],
    'no claim took a second approval',
  )
})

test('types are added, renamed and switched off; their claims are counted', async () => {
  const { policies } = hr.api
  const added = await policies.add_type({ category: 'prevention', name: 'Yoga' })
  await refuses('type_exists', policies.add_type({ category: 'prevention', name: 'yoga' }))
  await assert.rejects(policies.add_type({ category: 'prevention', name: 'yoga' }), (error) => {
    assert.deepEqual(Object.keys((error as Problem).fields ?? {}), ['name'])
    return true
  })
  const ana = await acme.hire()
  await acme.claim(ana, { type_id: added.id, amount_cents: 300 })
  const renamed = await policies.change_type({ id: added.id, name: 'Yoga class' })
  assert.deepEqual([renamed.name, renamed.claims], ['Yoga class', 1])
  const off = await policies.change_type({ id: added.id, active: false })
  assert.equal(off.active, false)
  const offered = (await ana.api.claims.options({})).types.map(({ name }) => name)
  assert.ok(!offered.includes('Yoga class'))
  const other = (await scene.company({ name: 'Other' })).admin
  await refuses('not_found', other.api.policies.change_type({ id: added.id, name: 'Mine' }))
  await refuses('forbidden', ana.api.policies.types({}))
})

test('a provider is known by an approval however long ago, in the preview as for a claim, but not by one reversed', async () => {
  const own = await fundedCompany(scene)
  const { admin } = own.company
  const second = await own.admin('Second')
  const steps: ApprovalStep[] = [
    { ...plain_step, new_provider: true, who: 'people', person_ids: [second.id] },
  ]
  await admin.api.policies.change({ ...terms, version: 1, steps })
  const ana = await own.hire()
  const claimed = (provider: string) => own.claim(ana, { provider, amount_cents: 1000 })
  /** How many claims the step would decide if they had been made under this policy, and how many it does decide. */
  const firstClaims = async () => {
    const preview = await admin.api.policies.preview({ ...terms, steps })
    const [{ passing }] = await scene.sql<[{ passing: number }]>`
      select count(*)::integer as passing from claims where company_id = ${own.id}
        and by_name and submitted_at > now() - interval '1 year'`
    return [preview.steps[0]?.claims, passing]
  }
  const old = await second.api.review.approve(await claimed('Old Clinic'))
  await scene.sql`update claims set submitted_at = submitted_at - interval '2 years',
      reviewed_at = reviewed_at - interval '2 years' where company_id = ${own.id} and id = ${old.id}`
  await claimed('OLD clinic')
  assert.deepEqual(await firstClaims(), [0, 0], 'known by a claim of two years ago')

  const forged = await second.api.review.approve(await claimed('Forged Ltd'))
  await claimed('Forged Ltd')
  assert.deepEqual(await firstClaims(), [1, 1], 'known by now')
  await reverse(second, forged)
  assert.deepEqual(await firstClaims(), [1, 1], 'as it was when they claimed, before the reversal')
  await claimed('Forged Ltd')
  assert.deepEqual(await firstClaims(), [2, 2], 'nobody is known by what was reversed')
  await scene.sql`update claims set reviewed_at = reviewed_at + interval '1 hour'
    where company_id = ${own.id} and id = ${forged.id}`
  assert.deepEqual(
    await firstClaims(),
    [3, 2],
    'never known: the clock was set back before the reversal',
  )
})

test('the preview leaves out appealed rests, which pass the steps of their bill', async () => {
  const own = await fundedCompany(scene)
  const { admin } = own.company
  const second = await own.admin('Second')
  const ana = await own.hire()
  const claim = await own.claim(ana, { amount_cents: 20_000 })
  const { version } = await admin.api.review.find({ id: claim.id })
  await admin.api.review.approve({ id: claim.id, version, amount_cents: 15_000, text: 'A part' })
  const shown = async () => {
    const { claims, steps } = await second.api.policies.preview({
      ...terms,
      steps: secondAbove(10_000),
    })
    return [claims, steps.map((step) => step.claims)]
  }
  const before = await shown()
  assert.deepEqual(before, [1, [1, 1]])
  await ana.api.claims.appeal({ id: claim.id, text: 'All of it was prescribed' })
  assert.deepEqual(await shown(), before)
})
