// Acts of many people at once, in any order: the ledger verifies, the claims' sums are the ledger's, the counts agree, and
// no claim is paid twice.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { approvalOf, fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { randomBy, randomSeed, type Random } from '../../test/random.ts'
import { openedScene } from '../../test/world/scene.ts'
import { isProblemCode } from '#problems.ts'
import { rollUpAll, keepClaims } from './jobs.server.ts'

const clients = 16
const seed = randomSeed()
const acts_each = Number(process.env['RANDOM_ACTS'] ?? 100)

const scene = openedScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
let acme: FundedCompany
let people: Person[]
let admins: Person[]
before(async () => {
  acme = await fundedCompany(scene)
  admins = [acme.company.admin, await acme.admin('Second'), await acme.admin('Third')]
  people = []
  for (let n = 0; n < 6; n += 1) people.push(await acme.hire())
  for (const person of people) {
    await scene.confirm(person)
    await person.api.payouts.set_my_account({ holder: 'Somebody', iban: 'DE89370400440532013000' })
  }
})

const refusals = new Map<string, number>()

/** A refusal is an answer; anything else is a fault. */
async function tried(act: Promise<unknown>) {
  try {
    await act
    refusals.set('done', (refusals.get('done') ?? 0) + 1)
  } catch (error) {
    const { code } = error as { code?: string }
    assert.ok(isProblemCode(code) && code !== 'internal', String(error))
    refusals.set(code, (refusals.get(code) ?? 0) + 1)
  }
}

async function anyAct(random: Random): Promise<void> {
  const { whole, pick } = random
  const person = pick(people)
  const { api } = pick(admins)
  const dice = whole(100)
  if (dice < 25) return tried(acme.claim(person, someDraft(random)))
  if (dice < 35) return tried(acme.agreeing(person, { amount_cents: 100 + whole(4000) }))
  if (dice < 42) return tried(runAct(random, api))
  if (dice < 48) return tried(moneyAct(random, api, person))
  const status = pick(['pending', 'pending', 'approved', 'rejected'] as const)
  if (dice < 55) {
    const { claims } = await person.api.claims.mine({ status, limit: 100 })
    const id = pick(claims)?.id
    if (id === undefined) return undefined
    return tried(
      pick([
        () => person.api.claims.withdraw({ id }),
        () => person.api.claims.answer({ id, text: 'The left one' }),
        () => person.api.claims.appeal({ id, text: 'Please look again' }),
      ])(),
    )
  }
  const { claims } = await api.review.queue({ status, sort: pick(['oldest', 'newest', '-amount']) })
  const claim = pick(claims)
  if (!claim) return undefined
  const { id, version, amount_cents } = claim
  return tried(
    pick([
      () => api.review.approve({ id, version }),
      () => api.review.approve({ id, version }),
      () =>
        api.review.approve({
          id,
          version,
          amount_cents: Math.ceil(amount_cents / 2),
          text: 'One half is covered',
        }),
      () => api.review.reject({ id, version, reason: 'other', text: 'Not covered' }),
      () => api.review.ask({ id, version, text: 'Which tooth was it?' }),
      () => api.review.reverse({ id, version, text: 'It was forged' }),
      () => api.review.approve_many({ claims: claims.slice(0, 5).map(approvalOf) }),
      () => api.review.undo({ id }),
    ])(),
  )
}

const someDraft = ({ whole, pick }: Random) => ({
  category: pick(['prevention', 'treatment'] as const),
  amount_cents: 1 + whole(60_000),
})

async function runAct({ whole, pick }: Random, api: Person['api']) {
  const { runs } = await api.payouts.runs({})
  const run = pick(runs)
  const dice = whole(100)
  if (!run || dice < 30) {
    return api.payouts.make({ cut_off_on: acme.today, pay_on: acme.today })
  }
  if (dice < 75)
    return api.payouts.release(approvalOf(runs.find((r) => r.status === 'made') ?? run))
  if (dice < 85) return api.payouts.cancel(approvalOf(run))
  const { items } = await api.payouts.items({ id: run.id })
  const person_id = pick(items)?.person_id ?? pick(people).id
  return api.payouts.return_item({ id: run.id, person_id, reason: 'Account closed' })
}

/** Payments are blocked and let go, balances adjusted by two. */
async function moneyAct(random: Random, api: Person['api'], { id }: Person) {
  const { payment_blocks, adjustments } = api
  const { whole, pick } = random
  if (whole(10) < 3) {
    const { people: due } = await payment_blocks.due({})
    const one = pick(due)
    if (!one) return undefined
    const claim_id = pick([null, ...one.claims.map((claim) => claim.id)])
    return payment_blocks.add({ person_id: one.person_id, claim_id, reason: 'A doubt' })
  }
  if (whole(2) < 1) {
    const block = pick((await payment_blocks.list({})).blocks)
    return block && payment_blocks.remove({ id: block.id })
  }
  const waiting = pick((await adjustments.list({})).adjustments)
  if (!waiting || waiting.status !== 'waiting' || whole(4) < 1) {
    const category = pick(['prevention', 'treatment'] as const)
    const cents = whole(40_000) - 20_000 || 1
    return adjustments.propose({ person_id: id, category, cents, reason: 'At random' })
  }
  const { confirm, decline, withdraw } = adjustments
  return pick([confirm, confirm, confirm, decline, withdraw])({ id: waiting.id })
}

test('thousands of random acts by sixteen at once leave the books in order', async () => {
  const client = async (_: unknown, nth: number) => {
    const random = randomBy(seed + nth)
    for (let n = 0; n < acts_each; n += 1) await anyAct(random)
  }
  const keeping = (async () => {
    for (let n = 0; n < 5; n += 1) {
      await rollUpAll(scene.sql)
      await keepClaims({}, scene.tools)
    }
  })()
  await Promise.all([...Array.from({ length: clients }, client), keeping])
  assert.ok((refusals.get('done') ?? 0) > (clients * acts_each) / 4, JSON.stringify([...refusals]))
  assert.deepEqual(await acme.faults(), [])
  await rollUpAll(scene.sql)
  assert.deepEqual(await acme.faults(), [])
  const paid_twice = await scene.sql`
    select c.id from claims c
    join transfers t on t.company_id = c.company_id and t.event in ('claim_paid', 'payment_returned')
      and t.claim_id = c.id
    where c.company_id = ${acme.id}
    group by c.id having sum(case t.event when 'claim_paid' then 1 else -1 end) > 1`
  assert.deepEqual([...paid_twice], [])
  const unlike_their_claims = await scene.sql`
    select i.run_id from pay_items i join pay_claims p using (company_id, run_id, person_id)
    where i.company_id = ${acme.id} group by i.run_id, i.person_id, i.claims_cents
    having sum(p.cents) <> i.claims_cents`
  assert.deepEqual([...unlike_their_claims], [])
  const paid_in_spite = await scene.sql`
    select c.id from payment_blocks b join claims c on c.company_id = b.company_id
        and c.person_id = b.person_id and coalesce(b.claim_id, c.id) = c.id
      join pay_runs r on r.company_id = c.company_id and r.id = c.run_id
    where b.company_id = ${acme.id} and b.removed_at is null
      and (r.status = 'made' or b.claim_id is not null)`
  assert.deepEqual([...paid_in_spite], [])
})
