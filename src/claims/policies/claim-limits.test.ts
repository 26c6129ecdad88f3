// The limits of a policy, through the front door: written by owners, kept by every claim from then on.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { sealVerdicts } from '#claims/verdicts.server.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, type Person } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { rowsReadBy } from '../../../test/rows-read.ts'
import { until } from '../../../test/until.ts'
import { daysAfter, monthsAfter } from '#lib/days.ts'
import type { Problem } from '#problems.ts'
import type { NewLimit } from './limits.contract.ts'
import type { z } from 'zod'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
})

/** The company has this limit and no other. */
async function only(
  limit: Partial<z.input<typeof NewLimit>> & {
    kind: 'per_year' | 'per_dependent' | 'frequency' | 'waiting'
  },
) {
  for (const { id } of await hr.api.limits.list({})) await hr.api.limits.remove({ id })
  return hr.api.limits.add({ category: null, type_id: null, group_id: null, ...limit })
}
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => assert.fail('not refused'),
    (problem: Problem) => problem,
  )
const ago = (days: number) => daysAfter(acme.today, -days)

test('at most so much in a plan year: what waits and what was approved counts, what was taken back not', async () => {
  const ana = await acme.hire()
  await only({ kind: 'per_year', category: 'prevention', cents: 30_000 })
  const first = await acme.claim(ana, { amount_cents: 20_000 })
  const second = await acme.claim(ana, { amount_cents: 10_000 })
  const problem = await refusal(acme.claim(ana, { amount_cents: 1 }))
  assert.equal(problem.code, 'yearly_limit_reached')
  assert.deepEqual(problem.fields?.['amount_cents'], [
    'Prevention: at most 300.00 EUR in a plan year, nothing left',
  ])
  assert.ok(await acme.claim(ana, { category: 'treatment', amount_cents: 50_000 }))
  await ana.api.claims.withdraw({ id: second.id })
  const part = {
    id: first.id,
    version: first.version,
    text: 'Half of it.',
    reason: 'wrong_amount' as const,
  }
  await hr.api.review.approve({ ...part, amount_cents: 5000 })
  const { problems } = await ana.api.claims.check(await acme.draft({ amount_cents: 26_000 }))
  assert.match(
    problems.find(({ code }) => code === 'yearly_limit_reached')!.sentence,
    /, 250\.00 EUR left$/,
  )
  const { id } = await acme.claim(ana, { amount_cents: 25_000 })
  const { trace } = await ana.api.claims.find({ id })
  assert.deepEqual(trace.find(({ rule }) => rule === 'yearly_limit')?.facts, {
    scope: 'Prevention',
    limit_cents: 30_000,
    used_cents: 5000,
    left_cents: 25_000,
  })
  assert.deepEqual(await acme.faults(), [])
})

test('an amount above what is available and above a limit is told the lower of the two', async () => {
  const ana = await acme.hire()
  await only({ kind: 'per_year', category: 'prevention', cents: 30_000 })
  const draft = await acme.draft({ amount_cents: 900_000, bill_cents: 900_000 })
  const { problems } = await ana.api.claims.check(draft)
  assert.deepEqual(
    problems.filter(({ field }) => field === 'amount_cents').map(({ code }) => code),
    ['yearly_limit_reached', 'fund_exhausted'],
  )
  await refuses('yearly_limit_reached', ana.api.claims.submit(draft))
  await only({ kind: 'per_year', category: 'prevention', cents: 400_000 })
  await refuses('fund_exhausted', ana.api.claims.submit(draft))
})

test('of two claims at the same moment that would pass a limit together one is refused', async () => {
  const ana = await acme.hire()
  await only({ kind: 'frequency', claims: 2, months: 24 })
  await hr.api.limits.add({
    kind: 'per_year',
    category: null,
    type_id: null,
    group_id: null,
    cents: 10_000,
  })
  const drafts = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const receipt_ids = [await acme.receipt(ana, { state: 'unreadable' })]
      return acme.draft({ amount_cents: 6000 + n, receipt_ids })
    }),
  )
  // The account stays locked until all three submissions wait for it, or for each other.
  const sent = await scene.sql.begin(async (tx) => {
    await tx`select from accounts where company_id = ${acme.id} and person_id = ${ana.id} for update`
    const sending = Promise.allSettled(drafts.map((draft) => ana.api.claims.submit(draft)))
    await until(async () => {
      const [{ waiting }] = await scene.sql<[{ waiting: number }]>`select count(*)::int as waiting
        from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'`
      return waiting === 3
    }, 'three that wait')
    return { sending }
  })
  const answers = await sent.sending
  assert.deepEqual(lost(answers), ['yearly_limit_reached', 'yearly_limit_reached'])
})

test('so often in so many months, by the day of service; each of the family by themselves', async () => {
  const ana = await acme.hire()
  const type_id = await acme.typeOf('prevention')
  await only({ kind: 'frequency', type_id, claims: 1, months: 24 })
  const claim = await acme.claim(ana, { type_id, service_on: ago(40) })
  const problem = await refusal(acme.claim(ana, { type_id, amount_cents: 100, service_on: ago(9) }))
  assert.equal(problem.code, 'claimed_too_often')
  assert.equal(problem.facts?.['again_on'], monthsAfter(ago(40), 24))
  assert.match(
    problem.fields!['service_on']![0]!,
    /^You can’t claim .+ before \d.+: once every 24 months$/,
  )
  // An earlier day lies within the same months.
  await refuses('claimed_too_often', acme.claim(ana, { type_id, service_on: ago(90) }))
  const { limits } = await ana.api.claims.options({})
  assert.deepEqual(
    limits.map((limit) => [limit.kind, limit.type_id, limit.counted.map((one) => one.service_on)]),
    [['frequency', type_id, [ago(40)]]],
  )
  await hr.api.review.reject({
    id: claim.id,
    version: claim.version,
    reason: 'not_covered',
    text: 'The plan does not cover it.',
  })
  const other = await acme.claim(ana, { type_id, amount_cents: 100, service_on: ago(9) })
  assert.equal(other.status, 'pending')
  const text = 'Please look again.'
  await refuses('claimed_too_often', ana.api.claims.appeal({ id: claim.id, text }))
  await assert.rejects(
    scene.straight(ana, async (tx) => {
      const [{ within }] = await tx<[{ within: string }]>`
        select concat_ws(' ', pg_backend_pid(), extract(epoch from now())) as within`
      const sentences = {
        by: ana.id,
        within,
        claim: { appeals: claim.id },
        receipts: '{}',
        decision: {},
      }
      const { verdict, trace, seal } = sealVerdicts(randomBytes(32))(sentences, [])
      await tx`select appeal_claim(${text}, '{}', ${verdict}, ${trace}, ${seal})`
    }),
    { code: '42501' },
  )
  await ana.api.claims.withdraw({ id: other.id })
  assert.equal((await ana.api.claims.appeal({ id: claim.id, text })).status, 'pending')
})

test('at most so much for each dependent: what one has used is nothing to the other', async () => {
  const ana = await acme.hire()
  const [mia, tom] = await Promise.all(
    ['Mia', 'Tom'].map((full_name) =>
      ana.api.dependents.add({ full_name, relationship: 'child', born_on: '2019-05-05' }),
    ),
  )
  await only({ kind: 'per_dependent', cents: 5000 })
  const claim = { category: 'solidarity', amount_cents: 4000 } as const
  await acme.claim(ana, { ...claim, dependent_id: mia!.id })
  await refuses('dependent_limit_reached', acme.claim(ana, { ...claim, dependent_id: mia!.id }))
  assert.ok(await acme.claim(ana, { ...claim, dependent_id: tom!.id }))
})

test('a dependent whose cover ended and who is added again has no limit twice', async () => {
  const ana = await acme.hire('Ana Twice')
  const add = (full_name: string) =>
    ana.api.dependents.add({ full_name, relationship: 'child', born_on: '2019-05-05' })
  const [mia, tom] = [await add('Mia'), await add('Tom')]
  await only({ kind: 'per_dependent', cents: 5000 })
  const claim = { category: 'solidarity', amount_cents: 3000 } as const
  await acme.claim(ana, { ...claim, dependent_id: mia.id })
  await ana.api.dependents.end({ id: mia.id, covered_to: acme.today })
  const again = { ...claim, dependent_id: (await add('mia')).id }
  const { facts } = await refusal(acme.claim(ana, again))
  assert.deepEqual([facts?.['used_cents'], facts?.['left_cents']], [3000, 2000])
  assert.ok(await acme.claim(ana, { ...claim, dependent_id: tom.id }))
  await only({ kind: 'frequency', category: 'solidarity', claims: 1, months: 12 })
  await refuses('claimed_too_often', acme.claim(ana, again))
  await only({ kind: 'per_year', category: 'solidarity', cents: 9000 })
  assert.ok(await acme.claim(ana, again), 'counted once')
})

test('some months after joining, for one group alone; a group that a limit is for stays', async () => {
  const [ana, ben] = [await acme.hire(), await acme.hire()]
  const group = await hr.api.groups.add({ name: 'Trainees', departments: null })
  await hr.api.groups.put_person({ id: group.id, person_id: ana.id })
  const limit = await only({
    kind: 'waiting',
    category: 'treatment',
    months: 12,
    group_id: group.id,
  })
  const claim = { category: 'treatment' } as const
  const problem = await refusal(acme.claim(ana, claim))
  assert.equal(problem.code, 'claimed_too_soon')
  assert.equal(problem.facts?.['begins_on'], monthsAfter(acme.plan_year, 12))
  assert.ok(await acme.claim(ben, claim))
  assert.deepEqual((await ben.api.claims.options({})).limits, [])
  const is_limited = async ({ api }: Person) => (await api.funds.mine({})).limited
  assert.deepEqual([await is_limited(ana), await is_limited(ben)], [true, false])
  await refuses('group_in_use', hr.api.groups.remove({ id: group.id }))
  const named = (await hr.api.groups.list({})).find(({ id }) => id === group.id)
  assert.deepEqual(named?.in_use, { steps: [], limits: 1, plans: 0 })
  assert.equal(named.refusals.remove, 'group_in_use')
  const { entries } = await hr.api.audit.list({ table: 'claim_limits', limit: 1 })
  assert.equal(entries[0]?.subject, 'treatment, first months')
  await hr.api.limits.change({ ...limit, months: 1 })
  assert.ok(await acme.claim(ana, claim))
  await hr.api.limits.remove({ id: limit.id })
  await hr.api.groups.remove({ id: group.id })
})

test('whether there is a limit is told without a look at any claim', async () => {
  const ana = await acme.hire()
  await only({ kind: 'per_year', cents: 30_000 })
  await acme.claim(ana, { amount_cents: 1000 })
  const ask = async () => assert.ok((await ana.api.funds.mine({})).limited)
  assert.equal(await rowsReadBy(scene, ['claims'], [ask]), 0)
})

test('a changed limit touches nothing that is submitted, and a second look keeps what it said', async () => {
  const ana = await acme.hire()
  await only({ kind: 'per_year', cents: 20_000 })
  const receipt = await acme.receipt(ana, { state: 'reading' })
  const claim = await acme.claim(ana, { amount_cents: 3000, receipt_ids: [receipt] })
  await only({ kind: 'per_year', cents: 100 })
  await scene.sql`update receipts set read_state = 'read', read_amount_cents = 3000,
    read_on = ${acme.today} where id = ${receipt}`
  await acme.evaluateAgain()
  const { status, trace } = await ana.api.claims.find({ id: claim.id })
  assert.equal(status, 'approved')
  assert.equal(trace.find(({ rule }) => rule === 'yearly_limit')?.facts['limit_cents'], 20_000)
  await refuses('yearly_limit_reached', acme.claim(ana, { amount_cents: 1000 }))
})

test('owners write them, of their own types and groups; the record has each; of two changes one holds', async () => {
  const limit = await only({ kind: 'per_year', cents: 5000 })
  const finance = await withRights(scene, acme.company, 'finance', 'reviewer', 'people')
  const claim = {
    kind: 'per_year',
    category: null,
    type_id: null,
    group_id: null,
    cents: 100,
  } as const
  await refuses('forbidden', finance.api.limits.add(claim))
  await refuses('limit_incomplete', hr.api.limits.add({ ...claim, kind: 'waiting' }))
  const for_dependents = { ...claim, kind: 'per_dependent', category: 'treatment' } as const
  await refuses('limit_without_dependents', hr.api.limits.add(for_dependents))
  const other = await fundedCompany(scene)
  const theirs = other.company.admin.api
  const { id: group_id } = await theirs.groups.add({ name: 'Theirs', departments: ['Sales'] })
  const type_id = await other.typeOf('treatment')
  await refuses('not_found', hr.api.limits.add({ ...claim, type_id }))
  await refuses('not_found', hr.api.limits.add({ ...claim, group_id }))
  await refuses('not_found', theirs.limits.change({ ...limit, cents: 1 }))
  await refuses('not_found', theirs.limits.remove({ id: limit.id }))
  assert.deepEqual(await theirs.limits.list({}), [])
  const pressed = await Promise.allSettled(
    [6000, 7000].map((cents) => hr.api.limits.change({ ...limit, cents })),
  )
  const refused = lost(pressed)
  assert.deepEqual(refused, ['changed_meanwhile'])
  const { entries } = await hr.api.audit.list({ table: 'claim_limits' })
  assert.equal(entries[0]?.before?.['cents'], 5000)
})
