// The ledger under many at once: thousands of random acts, and races to open an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categories } from '#categories.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import {
  approveFunds,
  moveFunds,
  overpaidCents,
  payFunds,
  purse,
  staffedCompany,
  type Purse,
} from '../../../test/world/money.ts'
import { randomBy } from '../../../test/random.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { sealAll } from '#funds/jobs.server.ts'

const scene = openedScene()

const problemOf = (error: { constraint?: string; message: string }) =>
  error.constraint ?? error.message

const harmless = new Set([
  'fund_exhausted',
  'less_available',
  'pool_exhausted',
  'unallocated_exhausted',
  'amount_not_there',
  'amount_must_be_positive',
  'transfer_already_posted',
  'pools_changed',
  'nothing_to_move',
])

const proration = (at: number) => ['full', 'month', 'day'][at] ?? 'full'

async function actAtRandom(
  sql: Sql,
  roll: (sides: number) => number,
  purses: Purse[],
  acts: number,
) {
  const refused = new Map<string, number>()
  for (let at = 0; at < acts; at += 1) {
    const of = purses[roll(purses.length)]!
    const cents = roll(9000) - 200
    const cause = `claim ${roll(acts * 3)}`
    const steps = [
      () => moveFunds(sql, 'hold', of, cents, cause),
      () => moveFunds(sql, 'hold', of, cents, cause),
      () => moveFunds(sql, 'hold', of, cents, cause),
      () => moveFunds(sql, 'release', of, cents, cause),
      () => approveFunds(sql, of, [cents + roll(300), cents], cause),
      () => approveFunds(sql, of, [cents], cause),
      () => payFunds(sql, of, cents, cause),
      () => moveFunds(sql, 'return', of, cents, cause),
      () => moveFunds(sql, roll(2) === 1 ? 'reverse_paid' : 'reverse', of, cents, cause),
      () => moveFunds(sql, 'recover', of, cents, cause),
      () => sql`select allocate(${of.company}, ${of.year}, jsonb_build_object(
          'prevention_cents', ${roll(5000)}::int, 'treatment_cents', ${roll(5000)}::int,
          'solidarity_cents', ${roll(5000)}::int, 'act', gen_random_uuid()), ${roll(2) === 1})`,
      () => sql`select rebalance(${of.company}, ${of.year}, jsonb_build_object('expected', b.is_now,
          'targets', b.is_now || jsonb_build_object(
            'prevention_cents', (b.is_now -> 'prevention_cents')::bigint + 100,
            'treatment_cents', (b.is_now -> 'treatment_cents')::bigint - 100),
          'act', gen_random_uuid(), 'note', 'at random'))
        from (select jsonb_object_agg(category || '_cents', balance_cents) as is_now from accounts
          where company_id = ${of.company} and plan_year = ${of.year} and kind = 'pool') b`,
      () => sql`update plan_years set prevention_cents = ${15_000 + roll(10_000)}
        where company_id = ${of.company} and starts_on = ${of.year}`,
      () => sql`select private.regrant_people(${of.company}, ${of.year}, array[${of.person}]::uuid[]),
        private.grant_soon(${of.company}, ${of.year})`,
      () => sql`select private.cover_dependents(${of.company}, array[${of.person}]::uuid[],
        current_date - ${roll(250)}::int)`,
      () =>
        sql`update profiles set joined_on = current_date - ${roll(200)}::int where id = ${of.person}`,
      () => sql`update profiles set department = ${roll(2) === 1 ? 'Sales' : 'Support'}
        where id = ${of.person}`,
      () => sql`update group_plans set by_month = ${roll(2) === 1}, prevention_cents = ${roll(40_000)}
        where company_id = ${of.company}`,
      () => sql`update plan_years set dependent_cents = ${roll(2000)},
        proration = ${proration(roll(3))}, by_month = ${roll(2) === 1}
        where company_id = ${of.company} and starts_on = ${of.year}`,
      () => sql`with a as (
          insert into balance_adjustments (company_id, plan_year, person_id, category, cents, reason,
              status, decided_at, proposed_by)
            values (${of.company}, ${of.year}, ${of.person}, ${of.category},
              ${roll(8000) - 4000 || 1}, 'at random', 'confirmed', now(), ${of.person})
            returning balance_adjustments as a)
        select private.lock_pools(${of.company}, ${of.year}), private.adjust_balance(a.a, null) from a`,
      () => sql`select seal_transfers(${of.company}, ${1 + roll(40)})`,
    ]
    try {
      await steps[roll(steps.length)]!()
    } catch (error) {
      const problem = problemOf(error as Error)
      assert.ok(harmless.has(problem), problem)
      refused.set(problem, (refused.get(problem) ?? 0) + 1)
    }
  }
  return refused
}

test('thousands of random acts by many connections at once hold every invariant', async () => {
  const acts = Number(process.env['RANDOM_ACTS'] ?? 4000)
  const clients = 16
  const sites = await Promise.all([
    staffedCompany(scene, 6),
    staffedCompany(scene, 4, { pools: 400_000 }),
  ])
  const purses = sites.flatMap(({ company, plan_year, hired }) =>
    hired.flatMap((person) =>
      categories.map((category) => purse(company, plan_year, person, category)),
    ),
  )
  await scene.sql`insert into dependents (company_id, person_id, full_name, relationship, born_on,
      covered_from, added_on, status)
    select company_id, id, 'A child', 'child', current_date - 1000, current_date - n * 60,
      current_date, 'active'
    from profiles, generate_series(1, 3) n where id = any (${purses.map(({ person }) => person)})`
  for (const { company, plan_year } of sites) {
    const { id } = await company.admin.api.groups.add({ name: 'Field', departments: ['Sales'] })
    const cents = { prevention_cents: 30_000, treatment_cents: 50_000, solidarity_cents: 0 }
    const plans = [{ group_id: id, counts_from: plan_year, ...cents, by_month: true }]
    await company.admin.api.group_plans.change({ plan_year, version: 0, plans })
  }
  const sql = connect(scene.database_url, { max: clients })
  try {
    await Promise.all(
      Array.from({ length: clients }, (_, client) =>
        actAtRandom(sql, randomBy(client + 1).whole, purses, Math.ceil(acts / clients)),
      ),
    )
  } finally {
    await sql.end()
  }
  for (const { funds, company } of sites) {
    const open = await funds.verify({})
    assert.equal(open.good, true, open.sentence)
    await sealAll(scene.sql)
    const sealed = await funds.verify({})
    assert.equal(sealed.good, true, sealed.sentence)
    assert.ok(sealed.transfers > acts / 8, sealed.sentence)
    const below = await scene.sql`select from accounts
      where company_id = ${company.id} and kind <> 'funding' and balance_cents < 0`
    assert.equal(below.length, 0)
    const elsewhere = await scene.sql`select from grants g join profiles p on p.id = g.person_id
      where g.company_id = ${company.id}
        and (g.plan_group is not distinct from 'Field') <> (p.department is not distinct from 'Sales')`
    assert.equal(elsewhere.length, 0, 'everybody has the plan of their group')
    const [wait] = await scene.sql<[{ kept: object; is: object }]>`
      select (select to_json(w) from (select coalesce(sum(people), 0) as people,
            coalesce(sum(prevention_cents + treatment_cents + solidarity_cents), 0) as cents
          from waiting_totals where company_id = ${company.id}) w) as kept,
        (select to_json(w) from (select count(distinct person_id) as people,
            coalesce(sum(due_cents - granted_cents), 0) as cents
          from grants where company_id = ${company.id} and due_cents > granted_cents) w) as is`
    assert.deepEqual(wait.kept, wait.is)
    // a summary, its list and every account's entries agree
    const { categories: summary } = await funds.overview({})
    for (const of of summary) {
      const [listed] = await scene.sql<{ cents: number }[]>`
        select sum(balance_cents)::bigint as cents from accounts
        where company_id = ${company.id} and category = ${of.category}`
      assert.equal(of.allocated_cents, listed!.cents)
      assert.equal(
        of.allocated_cents,
        of.free_cents +
          of.available_cents +
          of.held_cents +
          of.used_cents +
          (await overpaidCents(scene, company, of.category)),
      )
    }
  }
})

test('first claims of a person, approved at one moment by many, never wait in a ring', async () => {
  const { company, plan_year, hired, funds } = await staffedCompany(scene, 12)
  const sql = connect(scene.database_url, { max: 8 })
  try {
    for (const person of hired) {
      for (const category of ['prevention', 'treatment']) {
        const of = purse(company, plan_year, person, category)
        const claims = [1, 2, 3, 4, 5].map((n) => `claim ${person.id} ${category} ${n}`)
        for (const cause of claims) await moveFunds(sql, 'hold', of, 2000, cause)
        const done = await Promise.allSettled(
          claims.map((cause, at) => approveFunds(sql, of, [2000, at % 2 ? 2000 : 1500], cause)),
        )
        for (const one of done) if (one.status === 'rejected') throw one.reason as Error
      }
    }
  } finally {
    await sql.end()
  }
  assert.equal((await funds.verify({})).good, true)
})

test('two first claims of a person at one moment hold what both ask for', async () => {
  const { company, plan_year, hired, funds } = await staffedCompany(scene, 12)
  const sql = connect(scene.database_url, { max: 8 })
  try {
    for (const person of hired) {
      for (const category of categories) {
        const of = purse(company, plan_year, person, category)
        await Promise.all(
          [1, 2, 3, 4].map((n) =>
            moveFunds(sql, 'hold', of, 1000 + n, `first ${person.id} ${category} ${n}`),
          ),
        )
      }
    }
  } finally {
    await sql.end()
  }
  const { held_cents } = await funds.trend({})
  assert.equal(held_cents, hired.length * categories.length * (4000 + 1 + 2 + 3 + 4))
  const { good, sentence } = await funds.verify({})
  assert.equal(good, true, sentence)
})

test('steps of a claim before the claim itself are refused, and none waits for another in a ring', async () => {
  const { company, plan_year, hired } = await staffedCompany(scene, 10)
  const sql = connect(scene.database_url, { max: 8 })
  const steps = ['return', 'reverse_paid', 'reverse', 'approve', 'release'] as const
  try {
    for (const person of hired) {
      for (const category of categories) {
        const of = purse(company, plan_year, person, category)
        const done = await Promise.allSettled(
          steps.map((step, at) => moveFunds(sql, step, of, 500, `early ${person.id} ${at}`)),
        )
        const problems = done.map(
          (one) => one.status === 'rejected' && problemOf(one.reason as Error),
        )
        assert.deepEqual(new Set(problems), new Set(['amount_not_there']))
      }
    }
  } finally {
    await sql.end()
  }
})
