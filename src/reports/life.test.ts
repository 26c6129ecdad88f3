// The figures of screens and reports, computed again from the rows of claims, payouts and accounts.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { decimal } from '#lib/money.ts'
import { isProblemCode } from '#problems.ts'
import { sealAll } from '#funds/jobs.server.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { randomBy, randomSeed } from '../../test/random.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { cellOf, csvTables, reportMaker, type Tables } from '../../test/report-files.ts'
import type { ReportKind } from './reports.contract.ts'

const scene = openedScene()
const { whole, pick } = randomBy(randomSeed())
const makeNow = reportMaker(scene)
let stage: Awaited<ReturnType<typeof payingCompany>>
let people: Person[]
let month: string

before(async () => {
  stage = await payingCompany(scene)
  month = stage.acme.today.slice(0, 7)
  people = []
  for (let at = 0; at < 7; at += 1) people.push(await payee(stage.acme))
  for (const person of people) await ownLife(person)
  await returnOne()
  await sealAll(scene.sql)
  await liveOn(40)
  people.push(await overpaidOne())
})

const no = { reason: 'not_covered', text: 'This is not covered by the plan' } as const
const figuresOf = async (id: number) => ({
  id,
  version: (await stage.hr.api.review.find({ id })).version,
})

/**
 * For each person one claim is approved, one approved in part and its rest appealed, one rejected and appealed, one withdrawn.
 */
async function ownLife(person: Person) {
  const { acme, hr, second } = stage
  const claim = async (amount_cents: number) => (await acme.claim(person, { amount_cents })).id
  const appeal = async (id: number) =>
    (await person.api.claims.appeal({ id, text: 'The plan says it is' })).id
  await hr.api.review.approve(await figuresOf(await claim(2100)))
  const part = await claim(5000)
  await hr.api.review.approve({ ...(await figuresOf(part)), amount_cents: 3000, text: 'In part' })
  await second.api.review.reject({ ...(await figuresOf(await appeal(part))), ...no })
  const rejected = await claim(1700)
  await hr.api.review.reject({ ...(await figuresOf(rejected)), ...no })
  await second.api.review.approve(await figuresOf(await appeal(rejected)))
  await person.api.claims.withdraw({ id: await claim(900) })
  await claim(400)
}

/** Everybody is paid; the first one’s payment comes back, and is paid again. */
async function returnOne() {
  const { hr, second, make } = stage
  const { id } = await second.api.payouts.release(await make())
  const [{ id: person_id } = people[0]!] = people
  await hr.api.payouts.return_item({ id, person_id, reason: 'Account closed' })
  await second.api.payouts.release(await make())
}

/** Somebody whose payment came back once its claim was reversed, and had been withheld from the next: it is theirs. */
async function overpaidOne(): Promise<Person> {
  const { acme, hr, second, make } = stage
  const person = await payee(acme)
  const reversed = await acme.agreeing(person, { amount_cents: 3000, category: 'treatment' })
  const { id } = await second.api.payouts.release(await make())
  await hr.api.review.reverse({ ...(await figuresOf(reversed.id)), text: 'It was forged' })
  await acme.agreeing(person, { amount_cents: 3500, category: 'treatment' })
  await second.api.payouts.release(await make())
  await hr.api.payouts.return_item({ id, person_id: person.id, reason: 'Account closed' })
  return person
}

const tried = (act: Promise<unknown>) =>
  act.catch(({ code, message }: { code?: string; message?: string }) =>
    assert.ok(isProblemCode(code), message),
  )

async function liveOn(acts: number) {
  const { acme, hr, second, make } = stage
  for (let n = 0; n < acts; n += 1) {
    const [dice, person] = [whole(100), pick(people)]
    const category = pick(['prevention', 'treatment'] as const)
    if (dice < 30) await tried(acme.agreeing(person, { amount_cents: 1 + whole(9000), category }))
    else if (dice < 50) {
      const [claim] = (await hr.api.review.queue({ status: 'approved' })).claims
      if (!claim) continue
      const { id, version } = claim
      await tried(hr.api.review.reverse({ id, version, text: 'It was forged' }))
    } else if (dice < 70) await tried(make().then((run) => second.api.payouts.release(run)))
    else if (dice < 90) {
      const run = pick((await hr.api.payouts.runs({})).runs)
      const { id: person_id } = pick(people.slice(0, 2)) // so that five are paid in the end
      const back = { person_id, reason: 'Account closed' }
      await tried(hr.api.payouts.return_item({ id: run.id, ...back }))
    } else {
      const overpayment = pick((await hr.api.payouts.overpayments({})).people)
      const settled = { how: pick(['paid_back', 'written_off'] as const), reason: 'As agreed' }
      if (overpayment)
        await tried(hr.api.payouts.settle_overpayment({ ...overpayment, ...settled }))
    }
  }
}

type Sum = { number: number; cents: number }
type Sums = Record<'submitted' | 'approved' | 'given_back' | 'paid', Sum>

/** Sums computed from claims, their events and payouts, without any transfer. */
async function computeSums(): Promise<Sums> {
  const { id } = stage.acme
  const [sums] = await scene.sql<[Sums]>`
    with c as (select * from claims where company_id = ${id}),
    e as (select x.event, x.amount_cents, c.amount_cents as claimed, c.appeal_of from claim_events x
      join c on c.id = x.claim_id where x.company_id = ${id} and x.undone_at is null),
    approved as (select count(*) as number, sum(amount_cents)::bigint as cents from e
      where event in ('approved', 'approved_by_policy'))
    select json_build_object('number', (select count(*) from c where appeal_of is null),
        'cents', (select sum(amount_cents) from c where appeal_of is null)) as submitted,
      json_build_object('number', a.number, 'cents', a.cents) as approved,
      json_build_object('number', (select count(*) from e where event in ('rejected', 'withdrawn')
          or event = 'approved' and amount_cents < claimed),
        'cents', (select sum(amount_cents) from c)
          + (select sum(claimed) from e where event = 'appealed' and appeal_of is null)
          - a.cents - (select coalesce(sum(amount_cents), 0) from c where status = 'pending'))
        as given_back,
      (select json_build_object('number', count(*), 'cents', sum(p.cents)) from pay_claims p
        join pay_items i using (company_id, run_id, person_id)
        join pay_runs r on r.company_id = p.company_id and r.id = p.run_id
        where p.company_id = ${id} and r.status = 'released' and i.returned_at is null) as paid
    from approved a`
  return sums
}

const made = (kind: ReportKind) =>
  makeNow(stage.acme.provider, { kind, from: month, to: month, company_id: stage.acme.id })

const report = async (kind: ReportKind): Promise<Tables> =>
  csvTables(stage.acme.provider, (await made(kind)).id)

test('what was submitted, approved, given back and paid is each counted once', async () => {
  const tables = await report('claims_activity')
  const sums = await computeSums()
  const names = {
    Submitted: sums.submitted,
    Approved: sums.approved,
    'Given back': sums.given_back,
    Paid: sums.paid,
  }
  for (const [title, { number, cents }] of Object.entries(names)) {
    const cell = (of: string) => cellOf(tables, 'By month', ['EUR', 'All'], of)
    assert.deepEqual(
      [cell(`${title}, number`), cell(title)],
      [String(number), decimal(cents, 'EUR')],
      title,
    )
  }
  const became = (title: string) => cellOf(tables, 'What became of them', ['EUR', 'All'], title)
  assert.equal(became('All'), String(sums.submitted.number))
  assert.equal(became('Amount claimed'), decimal(sums.submitted.cents, 'EUR'))
  const { claimed_cents } = await stage.hr.api.review.summary({})
  assert.equal(claimed_cents, sums.submitted.cents)
})

test('what is used is one amount on every screen and in every report', async () => {
  const { hr, acme } = stage
  const [{ used, held, funding }] = await scene.sql<
    [{ used: number; held: number; funding: number }]
  >`
    select coalesce(sum(balance_cents) filter (where kind in ('payable', 'paid')), 0)::bigint as used,
      coalesce(sum(balance_cents) filter (where kind = 'held'), 0)::bigint as held,
      -sum(balance_cents) filter (where kind = 'funding')::bigint as funding
    from accounts where company_id = ${acme.id}`
  const overview = await hr.api.funds.overview({})
  const all = (field: 'used_cents' | 'held_cents') =>
    overview.categories.reduce((sum, one) => sum + one[field], 0)
  assert.deepEqual([all('used_cents'), all('held_cents')], [used, held])
  const trend = await hr.api.funds.trend({})
  assert.deepEqual([trend.balance_cents, trend.held_cents], [funding - used, held])
  const months = trend.months.reduce(
    (sum, one) => sum + one.prevention_cents + one.treatment_cents + one.solidarity_cents,
    0,
  )
  assert.equal(months, used)
  const own = await Promise.all(people.map(({ api }) => api.funds.my_year({})))
  const mine = own.flatMap((year) => year.used).reduce((sum, { cents }) => sum + cents, 0)
  assert.equal(mine, used)
  const company = await acme.provider.api.funds.of_company({ company_id: acme.id })
  assert.equal(company.used_cents, used)
  const shown = decimal(used, 'EUR')
  const trends = await report('utilization_trends')
  assert.equal(cellOf(trends, 'By month', ['EUR', month], 'Used so far'), shown)
  const performance = await report('company_performance')
  assert.equal(cellOf(performance, 'Companies', ['EUR', 'All'], 'Used'), shown)
  const allocation = await report('fund_allocation')
  assert.equal(cellOf(allocation, 'By category', ['EUR', 'All'], 'Used so far'), shown)
})

test('what a person is told they are paid next is what the next payout pays them', async () => {
  const { hr, make } = stage
  await stage.acme.agreeing(people[0]!, { amount_cents: 4500 })
  const waiting_by_person = new Map<string, number>()
  for (const { id, api } of people) {
    waiting_by_person.set(id, (await api.payouts.my_next({})).waiting_cents)
  }
  const run = await make()
  const { items } = await hr.api.payouts.items({ id: run.id })
  const paid = new Map(items.map(({ person_id, paid_cents }) => [person_id, paid_cents]))
  for (const [id, cents] of waiting_by_person) assert.equal(cents, paid.get(id) ?? 0)
})

test('people who have left are counted neither as employees nor as people who claimed', async () => {
  const { sql } = scene
  await sql`update profiles set left_on = company_today(company_id) where id = ${people[0]!.id}`
  const staff = people.length - 1
  for (const [kind, sheet, row] of [
    ['company_performance', 'Companies', 'All'],
    ['utilization_trends', 'By month', month],
  ] as const) {
    const tables = await report(kind)
    const cells = ['Employees', 'People who claimed', 'Participation, %'].map((title) =>
      cellOf(tables, sheet, ['EUR', row], title),
    )
    assert.deepEqual(cells, [`${staff}`, `${staff}`, '100'], kind)
  }
})

test('a report of a month says that it is not over, on its last day, too', async () => {
  const { api } = stage.acme.provider
  const { id } = await made('claims_activity')
  const csv = await (await api.reports.file({ id, format: 'csv' })).text()
  assert.match(csv, /The period is not over: its figures are up to/)
})
