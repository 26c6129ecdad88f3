// The deadline of a review: the days of the policy, and those that its reviewers did not have the claim.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { keepClaims } from '#claims/jobs.server.ts'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { plain_step } from '#claims/policies/steps.contract.ts'
import { approvalOf, fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import type { Person } from '../../../test/world/people.ts'
import { randomBy } from '../../../test/random.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()
let acme: FundedCompany
let second: Person
let third: Person
before(async () => {
  acme = await fundedCompany(scene)
  second = await acme.admin('Second')
  third = await acme.admin('Third')
  await firstHas(1)
})

/** Two approvals, the first of which has days of its own. */
async function firstHas(days: number | null) {
  const { policies } = acme.company.admin.api
  const { version, ...found } = await policies.current({})
  const steps = [{ ...plain_step, days }, plain_step]
  await policies.change({ ...PolicyTerms.parse(found), version, steps })
}

type Happening = 'asked' | 'answered' | 'question_withdrawn' | 'appealed' | 'passed' | 'weeks'

/** Sequences of what can happen to a claim, over and again from this number. */
function* sequences(seed: number): Generator<Happening[]> {
  const { whole } = randomBy(seed)
  for (let at = 0; at < 12; at += 1) {
    yield Array.from({ length: 2 + whole(3) }, (): Happening[] => [
      ...(whole(10) < 6 ? (['weeks'] as const) : []),
      ...(whole(10) < 4 ? (['passed'] as const) : []),
      ...(whole(10) < 7
        ? (['asked', 'weeks', whole(2) < 1 ? 'answered' : 'question_withdrawn'] as const)
        : (['appealed'] as const)),
    ]).flat()
  }
}

test('whatever happens to a claim, early or late, its deadline is that of the calendar', async () => {
  for (const acts of sequences(20_281)) {
    const ana = await acme.hire()
    const { id } = await acme.claim(ana, { amount_cents: 6000 })
    const text = 'A sentence'
    let [appealed, passed] = [false, false]
    const currentVersion = async () => ({
      id,
      version: (await second.api.review.find({ id })).version,
    })
    const play: Record<Happening, () => Promise<unknown>> = {
      asked: async () => second.api.review.ask({ ...(await currentVersion()), text }),
      answered: () => ana.api.claims.answer({ id, text }),
      question_withdrawn: async () => second.api.review.withdraw_question(await currentVersion()),
      weeks: () => scene.sql`update claims set submitted_at = submitted_at - interval '7 days',
          asked_at = asked_at - interval '7 days', due_at = due_at - interval '7 days'
        where id = ${id}`,
      async passed() {
        if (passed) return
        passed = true
        await third.api.review.approve(await currentVersion())
      },
      async appealed() {
        if (appealed) return
        ;[appealed, passed] = [true, false]
        const { company } = acme
        const no = { ...(await currentVersion()), reason: 'other', text } as const
        await company.admin.api.review.reject(no)
        await ana.api.claims.appeal({ id, text })
      },
    }
    for (const act of acts) {
      await play[act]()
      const [found] = await scene.sql<[{ renewed: number }]>`
        select private.renew_deadlines(${acme.id}) as renewed`
      assert.equal(found.renewed, 0, `${act} of ${acts.join(', ')}`)
    }
  }
})

describe('a step’s days', () => {
  const clockOf = async (id: number) => {
    const [row] = await scene.sql<[{ due_at: string; overdue: boolean; reminded: number }]>`
      select due_at, overdue, reminded from claims where company_id = ${acme.id} and id = ${id}`
    return row
  }

  test('end with the step: a next step without days of its own is due by the policy', async () => {
    const ana = await acme.hire()
    await firstHas(null)
    const by_policy = (await clockOf((await acme.claim(ana)).id)).due_at
    for (const days of [1, 20]) {
      await firstHas(days)
      const claim = await acme.claim(ana)
      await scene.sql`update claims set overdue = true, reminded = 2,
          due_at = case when ${days} = 1 then now() - interval '1 hour' else due_at end
        where company_id = ${acme.id} and id = ${claim.id}`
      await third.api.review.approve(approvalOf(claim))
      const { due_at, overdue, reminded } = await clockOf(claim.id)
      assert.ok(Math.abs(Date.parse(due_at) - Date.parse(by_policy)) < 60_000, `${days} days`)
      assert.deepEqual([overdue, reminded], [false, 0])
    }
  })

  test('are back when the step is undone, with the reminders sent in them', async () => {
    await firstHas(1)
    const claim = await acme.claim(await acme.hire())
    await scene.sql`update claims set reminded = 1
      where company_id = ${acme.id} and id = ${claim.id}`
    const before = await clockOf(claim.id)
    await third.api.review.approve(approvalOf(claim))
    assert.equal((await clockOf(claim.id)).reminded, 0)
    await third.api.review.undo({ id: claim.id })
    assert.deepEqual(await clockOf(claim.id), before)
  })

  for (const days of [1, 10])
    test(`${days} of its own: reminders come at half and at twice of these days, not of the policy’s`, async () => {
      await firstHas(days)
      const claim = await acme.claim(await acme.hire())
      const remindedAfter = async (share: number) => {
        await scene.sql`update claims c
          set due_at = private.after_working_days(now(), ${days * (1 - share)}, o.time_zone, '{}')
          from companies o where o.id = c.company_id and c.company_id = ${acme.id} and c.id = ${claim.id}`
        await keepClaims({}, scene.tools)
        const { overdue, reminded } = await clockOf(claim.id)
        return [reminded, overdue]
      }
      assert.deepEqual(await remindedAfter(0.45), [0, false])
      assert.deepEqual(await remindedAfter(0.55), [1, false])
      assert.deepEqual(await remindedAfter(1.9), [1, true])
      assert.deepEqual(await remindedAfter(2.1), [2, true])
    })
})

test('reviewers are told once that a claim is overdue, however often its employee is asked', async () => {
  const own = await fundedCompany(scene)
  const { api } = own.company.admin
  const ana = await own.hire()
  const claim = await own.claim(ana)
  await scene.sql`update claims set due_at = now() - interval '1 minute',
    submitted_at = now() - interval '9 days' where company_id = ${own.id} and id = ${claim.id}`
  await keepClaims({}, scene.tools)
  const { version } = await api.review.find({ id: claim.id })
  await api.review.ask({ id: claim.id, version, text: 'For whom was it?' })
  assert.equal((await api.review.summary({})).overdue, 0)
  await ana.api.claims.answer({ id: claim.id, text: 'For me' })
  assert.equal((await api.review.summary({})).overdue, 1)
  await keepClaims({}, scene.tools)
  const notices = await scene.sql`select from notifications
    where person_id = ${own.company.admin.id} and code = 'claims_overdue'`
  assert.equal(notices.length, 1)
})

test('a claim that was overdue before its first approval waits since it was submitted', async () => {
  const claim = await acme.claim(await acme.hire(), { amount_cents: 6000 })
  await second.api.review.approve(approvalOf(claim))
  const sinceOf = async () => (await third.api.needs.list({})).lines[0]!.since!
  const fresh = await sinceOf()
  const [{ submitted_at }] = await scene.sql<[{ submitted_at: string }]>`
    update claims set due_at = due_at - interval '90 days', overdue = true,
        submitted_at = submitted_at - interval '90 days'
      where company_id = ${acme.id} and id = ${claim.id} returning submitted_at`
  assert.ok(fresh > submitted_at, 'it waits since the approval before')
  assert.equal(await sinceOf(), submitted_at)
})
