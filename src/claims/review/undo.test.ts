// A decision can be undone by its reviewer for some seconds: only the record keeps it, and nobody is notified.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeLog } from '#lib/log.server.ts'
import { notifyDecisions } from '#notifications/jobs.server.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
let second: Person
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  second = await acme.admin('Second')
  ana = await acme.hire('Ana')
})

type ClaimVersion = { id: number; version: number }
const at = ({ id, version }: ClaimVersion) => ({ id, version })
const no = { reason: 'other', text: 'Not covered' } as const

const decisions: [string, number, (claim: ClaimVersion) => Promise<ClaimVersion>][] = [
  ['an approval', 8000, (claim) => hr.api.review.approve(at(claim))],
  [
    'an approval in part',
    8000,
    (claim) => hr.api.review.approve({ ...at(claim), amount_cents: 6250, text: 'One half' }),
  ],
  ['a first approval', 50_000, (claim) => hr.api.review.approve(at(claim))],
  ['a rejection', 8000, (claim) => hr.api.review.reject({ ...at(claim), ...no })],
  ['a question', 8000, (claim) => hr.api.review.ask({ ...at(claim), text: 'For whom?' })],
]

const asItIs = async (id: number) => {
  const [row] = await scene.sql<[Record<string, unknown>]>`
    select to_jsonb(c) - '{version,undone}'::text[] as row from claims c where id = ${id}`
  return row['row']
}
const noticesOf = async (id: number) => {
  const notices = await scene.sql<{ code: string }[]>`
    select code from notifications
    where coalesce(facts ->> 'claim', facts ->> 'number') = ${String(id)} order by id`
  return notices.map(({ code }) => code)
}
const late = (id: number) =>
  scene.sql`update private.decisions set until = now() where subject = ${`claim ${id}`}`

describe('undone', () => {
  for (const [what, amount_cents, decide] of decisions) {
    test(`${what} leaves claim, clock and money as they were, and nobody hears of it`, async () => {
      const claim = await acme.claim(ana, { amount_cents, category: 'treatment' })
      const before = await asItIs(claim.id)
      const balances = await acme.balances(ana, 'treatment')
      await decide(claim)
      assert.notDeepEqual(await asItIs(claim.id), before)
      const back = await hr.api.review.undo({ id: claim.id })
      assert.equal(back.status, 'pending')
      assert.deepEqual(await asItIs(claim.id), before)
      assert.deepEqual(
        { payable: 0, ...(await acme.balances(ana, 'treatment')) },
        { payable: 0, ...balances },
      )
      await scene.notifyDecisions()
      assert.deepEqual(await noticesOf(claim.id), [])
      const story = async ({ api }: Person, side: 'claims' | 'review') =>
        (await api[side].find({ id: claim.id })).events.map(({ undone_at }) => undone_at !== null)
      assert.deepEqual(await story(ana, 'claims'), [false])
      assert.deepEqual(await story(hr, 'review'), [false, true])
      const acts = await scene.sql`
        select from audit_log where table_name = 'claims' and row_id = ${String(claim.id)}
          and actor_id = ${hr.id}`
      assert.equal(acts.length, 2, 'both acts are in the record')
      assert.deepEqual(await acme.faults(), [])
    })
  }

  test('it is decided again, in whatever way, and the money moves once', async () => {
    const claim = await acme.claim(ana, { amount_cents: 7000 })
    await hr.api.review.approve(at(claim))
    const back = await hr.api.review.undo({ id: claim.id })
    await hr.api.review.reject({ ...at(back), ...no })
    const again = await hr.api.review.undo({ id: claim.id })
    const done = await hr.api.review.approve(at(again))
    await scene.notifyDecisions()
    assert.deepEqual([done.status, done.approved_cents], ['approved', 7000])
    assert.deepEqual(await noticesOf(claim.id), ['claim_approved'])
    const { approvals } = await hr.api.review.find({ id: claim.id })
    assert.equal(approvals.length, 1)
    await hr.api.review.reverse({ ...at(done), text: 'The receipt was forged' })
    assert.deepEqual(await acme.faults(), [])
    const { entries } = await ana.api.funds.my_statement({ limit: 200 })
    assert.deepEqual(
      entries.filter(({ claim_id }) => claim_id === claim.id).map(({ event }) => event),
      [
        'claim_reversed',
        'claim_approved',
        'release_undone',
        'claim_released',
        'claim_undone',
        'claim_approved',
        'claim_held',
      ],
    )
  })

  test('of many, each by itself: what is too late for one is not for another', async () => {
    const claims = await Promise.all([5100, 5200].map((cents) => plain(cents)))
    const { done: approved } = await hr.api.review.approve_many({ claims: claims.map(at) })
    assert.equal(approved.length, 2)
    await late(claims[0]!.id)
    const { done: undone, refused } = await hr.api.review.undo_many({
      claims: approved.map((id) => ({ id })),
    })
    assert.deepEqual(undone, [claims[1]!.id])
    assert.deepEqual(
      refused.map(({ id, code }) => [id, code]),
      [[claims[0]!.id, 'undo_over']],
    )
    assert.deepEqual(await acme.faults(), [])
  })
})

const plain = (amount_cents = 6000) => acme.claim(ana, { amount_cents })

describe('until it is too late', () => {
  test('nobody is told; then each once, by a job that comes at that moment', async () => {
    const claim = await plain()
    await hr.api.review.approve(at(claim))
    await notifyDecisions({}, { sql: scene.sql, log: makeLog('silent') })
    assert.deepEqual(await noticesOf(claim.id), [])
    const [job] = await scene.sql<[{ seconds: number; set: boolean }]>`
      select extract(epoch from d.until - c.reviewed_at)::float8 as seconds, exists (
          select from graphile_worker._private_jobs j
            where j.key = 'decisions:notify' and j.run_at <= d.until) as set
        from private.decisions d join claims c on 'claim ' || c.id = d.subject
        where c.id = ${claim.id}`
    assert.ok(job.seconds >= 12 && job.seconds < 14, String(job.seconds))
    assert.equal(job.set, true)
    await Promise.all([scene.notifyDecisions(), scene.notifyDecisions()])
    assert.deepEqual(await noticesOf(claim.id), ['claim_approved'])
    await refuses('undo_over', hr.api.review.undo({ id: claim.id }))
  })

  test('only whoever decided may', async () => {
    const claim = await plain()
    await hr.api.review.approve(at(claim))
    const other = await scene.company({ name: 'Other' })
    await refuses('undo_not_yours', second.api.review.undo({ id: claim.id }))
    await refuses('not_found', other.admin.api.review.undo({ id: claim.id }))
    await refuses('forbidden', ana.api.review.undo({ id: claim.id }))
    await late(claim.id)
    await refuses('undo_over', hr.api.review.undo({ id: claim.id }))
    assert.deepEqual(await acme.faults(), [])
  })

  test('what somebody else does to it ends the time, and is told after it', async () => {
    const claim = await plain()
    const done = await hr.api.review.approve(at(claim))
    await second.api.review.reverse({ ...at(done), text: 'The receipt was forged' })
    assert.deepEqual(await noticesOf(claim.id), ['claim_approved', 'claim_reversed'])
    await refuses('undo_over', hr.api.review.undo({ id: claim.id }))
    const in_question = await plain()
    await hr.api.review.ask({ ...at(in_question), text: 'For whom?' })
    await ana.api.claims.answer({ id: in_question.id, text: 'For me', receipt_ids: [] })
    await refuses('undo_over', hr.api.review.undo({ id: in_question.id }))
    const refused = await plain()
    await hr.api.review.reject({ ...at(refused), ...no })
    await ana.api.claims.appeal({ id: refused.id, text: 'It was prescribed', receipt_ids: [] })
    await refuses('undo_over', hr.api.review.undo({ id: refused.id }))
    assert.deepEqual(await acme.faults(), [])
  })

  test('money that was given back and is used meanwhile keeps a rejection as it is', async () => {
    const eva = await acme.hire('Eva')
    const claim = await acme.claim(eva, { amount_cents: 150_000 })
    await hr.api.review.reject({ ...at(claim), ...no })
    await acme.claim(eva, { amount_cents: 200_000 })
    await refuses('undo_money_used', hr.api.review.undo({ id: claim.id }))
    const { status } = await hr.api.review.find({ id: claim.id })
    assert.equal(status, 'rejected')
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('at one moment exactly one wins:', () => {
  const oneOf = async (acts: (() => Promise<unknown>)[]) => {
    const all = await Promise.allSettled(acts.map((act) => act()))
    assert.deepEqual(await acme.faults(), [])
    assert.equal(lost(all).length, acts.length - 1, lost(all).join(' '))
    return lost(all)
  }

  test('two undos of the same decision', async () => {
    const claim = await plain()
    await hr.api.review.approve(at(claim))
    const undo = () => hr.api.review.undo({ id: claim.id })
    assert.deepEqual(await oneOf([undo, undo, undo]), ['undo_over', 'undo_over'])
  })

  test('an undo and a second approval', async () => {
    const large = await acme.claim(ana, { amount_cents: 50_000, category: 'treatment' })
    const first = await hr.api.review.approve(at(large))
    const [code] = await oneOf([
      () => hr.api.review.undo({ id: large.id }),
      () => second.api.review.approve(at(first)),
    ])
    assert.ok(['undo_not_yours', 'changed_meanwhile'].includes(code!), code)
  })

  test('an undo and a payout: what is in a run is not undone', async () => {
    const claim = await plain()
    await hr.api.review.approve(at(claim))
    const runs = () =>
      second.api.payouts.make(
        { cut_off_on: acme.today, pay_on: acme.today },
        { idempotency_key: 'one run' },
      )
    const [undone, run] = await Promise.allSettled([hr.api.review.undo({ id: claim.id }), runs()])
    const { payment } = await hr.api.review.find({ id: claim.id })
    assert.equal(run.status, 'fulfilled')
    assert.equal(payment, undone.status === 'fulfilled' ? null : 'in_run')
    assert.deepEqual(lost([undone]), payment ? ['claim_in_run'] : [])
    const later = await plain()
    await hr.api.review.approve(at(later))
    await second.api.payouts.make({ cut_off_on: acme.today, pay_on: acme.today })
    await refuses('claim_in_run', hr.api.review.undo({ id: later.id }))
    assert.deepEqual(await acme.faults(), [])
  })
})
