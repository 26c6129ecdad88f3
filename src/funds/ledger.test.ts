// The ledger itself: whatever many do at once, it adds up; whatever is done to it by hand, it tells.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { categories } from '#categories.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { daysFrom } from '../../test/claims-stage.ts'
import { approveFunds, moveFunds, payFunds, type Purse } from '../../test/purse.ts'
import { refuses, openScene, type Company, type Scene } from '../../test/scene.ts'
import { keepYearsOf, regrant, sealAll } from './jobs.server.ts'

let scene: Scene
before(async () => (scene = await openScene()))
after(() => scene.close())

async function staffed(people: number, { pools = 30_000_000 } = {}) {
  const provider = await scene.superAdmin()
  const company = await scene.company()
  const { funds } = company.admin.api
  const { plan_year } = await funds.overview({})
  await provider.api.funds.contribute({
    company_id: company.id,
    amount_cents: pools * 4,
    occurred_on: plan_year,
    reference: 'INV-1',
  })
  const amounts = { prevention_cents: pools, treatment_cents: pools, solidarity_cents: pools }
  await funds.allocate({ plan_year, ...amounts })
  const hired = []
  for (let at = 0; at < people; at += 1) hired.push(await company.hire())
  return { provider, company, funds, plan_year, hired }
}

const purse = (
  company: Company,
  year: string,
  person: { id: string },
  category: string,
): Purse => ({
  company: company.id,
  year,
  person: person.id,
  category,
})

const problemOf = (error: { constraint_name?: string; message: string }) =>
  error.constraint_name ?? error.message

/** The same numbers each time, so that a failure can be had again. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const harmless = new Set([
  'fund_exhausted',
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
      () => sql`select rebalance(${of.company}, ${of.year}, jsonb_build_object('seen', b.is_now,
          'wanted', b.is_now || jsonb_build_object(
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
      () => sql`update plan_years set dependent_cents = ${roll(2000)}, proration = ${proration(roll(3))}
        where company_id = ${of.company} and starts_on = ${of.year}`,
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
  const sites = await Promise.all([staffed(6), staffed(4, { pools: 400_000 })])
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
  const sql = connect(scene.database_url, { max: clients })
  try {
    await Promise.all(
      Array.from({ length: clients }, (_, client) =>
        actAtRandom(sql, dice(client + 1), purses, Math.ceil(acts / clients)),
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
          (await overpaid(company, of.category)),
      )
    }
  }
})

test('first claims of a person, approved at one moment by many, never wait in a ring', async () => {
  const { company, plan_year, hired, funds } = await staffed(12)
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
  const { company, plan_year, hired, funds } = await staffed(12)
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

test('steps of claims that come before any claim are refused, none waits for another in a ring', async () => {
  const { company, plan_year, hired } = await staffed(10)
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

const overpaid = async (company: Company, category: string) => {
  const [found] = await scene.sql<{ cents: number }[]>`
    select coalesce(sum(balance_cents), 0)::bigint as cents from accounts
    where company_id = ${company.id} and kind = 'overpaid' and category = ${category}`
  return found!.cents
}

describe('a claim’s money', () => {
  const fate = async (kinds: string[], of: Purse) => {
    const found = await scene.sql<{ kind: string; balance_cents: number }[]>`
      select kind, balance_cents from accounts where company_id = ${of.company}
        and plan_year = ${of.year} and person_id = ${of.person} and category = ${of.category}`
    return kinds.map((kind) => found.find((a) => a.kind === kind)?.balance_cents ?? 0)
  }
  const kinds = ['available', 'held', 'payable', 'paid', 'overpaid']

  test('is held, approved in part, paid, returned, paid again, reversed and recovered', async () => {
    const { company, plan_year, hired, funds } = await staffed(1)
    const of = purse(company, plan_year, hired[0]!, 'treatment')
    const expect = async (...cents: number[]) => assert.deepEqual(await fate(kinds, of), cents)
    await expect(70_000, 0, 0, 0, 0)
    await moveFunds(scene.sql, 'hold', of, 60_000, 'claim 1')
    await expect(10_000, 60_000, 0, 0, 0)
    await approveFunds(scene.sql, of, [60_000, 50_000], 'claim 1')
    await expect(20_000, 0, 50_000, 0, 0)
    await payFunds(scene.sql, of, 50_000, 'claim 1 run 1')
    await moveFunds(scene.sql, 'return', of, 50_000, 'claim 1 run 1')
    await expect(20_000, 0, 50_000, 0, 0)
    await payFunds(scene.sql, of, 50_000, 'claim 1 run 2')
    await moveFunds(scene.sql, 'reverse_paid', of, 50_000, 'claim 1')
    await expect(20_000, 0, 0, 0, 50_000)
    await moveFunds(scene.sql, 'recover', of, 50_000, 'claim 2')
    await expect(70_000, 0, 0, 0, 0)
    assert.equal((await funds.verify({})).good, true)
  })

  test('moves once for its cause, and never more than is there', async () => {
    const { company, plan_year, hired } = await staffed(1)
    const of = purse(company, plan_year, hired[0]!, 'solidarity')
    const refusal = async (code: string, act: Promise<unknown>) =>
      assert.rejects(act, (error: Error) => {
        assert.equal(problemOf(error), code)
        return true
      })
    const twice = await Promise.allSettled(
      [1, 2, 3, 4].map(() => moveFunds(scene.sql, 'hold', of, 6000, 'claim 1')),
    )
    assert.equal(twice.filter((one) => one.status === 'fulfilled').length, 1)
    await refusal('fund_exhausted', moveFunds(scene.sql, 'hold', of, 6000, 'claim 2'))
    await refusal('amount_not_there', moveFunds(scene.sql, 'release', of, 6001, 'claim 1'))
    await refusal('amount_must_be_positive', moveFunds(scene.sql, 'hold', of, 0, 'claim 3'))
    await refusal('amount_must_be_positive', moveFunds(scene.sql, 'hold', of, -1, 'claim 3'))
    assert.deepEqual(await fate(kinds, of), [4000, 6000, 0, 0, 0])
  })

  test('is moved by acts alone: nobody who signs in moves any by hand', async () => {
    const { company, plan_year, hired } = await staffed(1)
    const [ana] = hired
    const as = (who: { id: string }, words: string) =>
      scene.house.sql.request.begin(async (tx) => {
        const [session] = await scene.sql<{ id: string }[]>`
          select id from auth.sessions where user_id = ${who.id}`
        await tx`select become(${who.id}, ${session!.id})`
        await tx.unsafe(words)
      })
    const purse = `row('${company.id}', '${plan_year}', '${ana!.id}', 'prevention')`
    for (const words of [
      `select private.move_funds(${purse}, 'hold', 100, 'claim 1', null)`,
      `select private.move_funds(${purse}, 'approve', 100, 'claim 1', null)`,
      `select account('${company.id}', '${plan_year}', 'pool', 'prevention')`,
      `select transfer_all('${company.id}', '${plan_year}', 'grant', null)`,
      `update accounts set balance_cents = 1`,
      `update transfers set amount_cents = 1`,
      `delete from transfers`,
      `insert into unsealed_transfers values ('${company.id}', 1)`,
      `select seal_transfers('${company.id}', 1)`,
      `select private.grant_soon('${company.id}', '${plan_year}')`,
      `update grants set due_cents = 1000000`,
    ])
      for (const who of [ana!, company.admin])
        await assert.rejects(as(who, words), { code: '42501' }, words)
    const { balances } = await ana!.api.funds.mine({})
    assert.equal(balances[0]!.balance_cents, balances[0]!.total_cents)
  })
})

describe('the proof', () => {
  const tampered = async (harm: (company_id: string, transfer_id: number) => Promise<unknown>) => {
    const { company, funds } = await staffed(2)
    await sealAll(scene.sql)
    assert.equal((await funds.verify({})).good, true)
    const [third] = await scene.sql<{ id: number }[]>`
      select id from transfers where company_id = ${company.id} order by id offset 2 limit 1`
    await harm(company.id, third!.id)
    const found = await funds.verify({})
    assert.equal(found.good, false)
    return { ...found, third: third!.id }
  }

  test('names an entry that was edited straight in the database', async () => {
    const found = await tampered(
      (company_id, id) =>
        scene.sql`update transfers set note = 'nothing to see' where company_id = ${company_id} and id = ${id}`,
    )
    assert.equal(found.sentence, `Entry ${found.third} was changed after it was sealed`)
  })

  test('names one that was deleted', async () => {
    const found = await tampered(
      (company_id, id) =>
        scene.sql`delete from transfers where company_id = ${company_id} and id = ${id}`,
    )
    assert.equal(found.sentence, `Entry ${found.third} was deleted`)
  })

  test('names one that was put in, even with a balance to match', async () => {
    const found = await tampered(
      (company_id, id) => scene.sql`
        insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
          from_balance_cents, to_balance_cents, event, cause, occurred_on)
        select company_id, plan_year, from_account, to_account, 1, 1, 1, event, 'forged', occurred_on
        from transfers where company_id = ${company_id} and id = ${id}`,
    )
    assert.match(found.sentence, /^Entry \d+ was put in from outside$/)
  })

  test('names an account whose balance was changed, and a seal that is gone', async () => {
    const balance = await tampered(
      (company_id) => scene.sql`
        update accounts set balance_cents = balance_cents + 1
        where company_id = ${company_id} and kind = 'unallocated'`,
    )
    assert.match(balance.sentence, /^Account \d+ does not hold what its entries add up to$/)
    const seal = await tampered(
      (company_id, id) => scene.sql`
        delete from transfer_seals where company_id = ${company_id} and transfer_id = ${id}`,
    )
    assert.match(seal.sentence, /a seal is missing/)
  })

  test('an entry forged into those that wait to be sealed does not add up', async () => {
    const found = await tampered(
      (company_id, id) => scene.sql`
        with forged as (insert into transfers (company_id, plan_year, from_account, to_account,
            amount_cents, from_balance_cents, to_balance_cents, event, cause, occurred_on)
          select company_id, plan_year, from_account, to_account, 1, 1, 1, event, 'forged', occurred_on
          from transfers where company_id = ${company_id} and id = ${id} returning company_id, id)
        insert into unsealed_transfers select * from forged`,
    )
    assert.match(found.sentence, /^Entry \d+ does not lead to the balance it states/)
  })
})

describe('the books', () => {
  test('a statement as of yesterday is what was shown yesterday', async () => {
    const { company, funds, plan_year, hired } = await staffed(2)
    await sealAll(scene.sql)
    const shown = await funds.accounts({})
    // A day goes by: everything that happened so far is of yesterday. (Seals and all are made anew.)
    await scene.sql`update transfers set posted_at = posted_at - interval '1 day'
      where company_id = ${company.id}`
    await scene.sql`update daily_totals set day = day - 1 where company_id = ${company.id}`
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const [ana] = hired
    await moveFunds(
      scene.sql,
      'hold',
      purse(company, plan_year, ana!, 'treatment'),
      5000,
      'claim 1',
    )
    await funds.allocate({
      plan_year,
      prevention_cents: 1,
      treatment_cents: 2,
      solidarity_cents: 3,
    })
    const had = new Map(shown.map((a) => [`${a.kind} ${a.category}`, a.balance_cents]))
    const then = await funds.accounts({ as_of: yesterday })
    for (const a of then) assert.equal(a.balance_cents, had.get(`${a.kind} ${a.category}`) ?? 0)
    assert.equal(
      then.filter((a) => a.balance_cents !== 0).length,
      shown.filter((a) => a.balance_cents !== 0).length,
    )
    const theirs = await funds.accounts({ as_of: yesterday, person_id: ana!.id })
    assert.equal(
      theirs.find((a) => a.kind === 'available' && a.category === 'treatment')!.balance_cents,
      70_000,
    )
    const now = await funds.accounts({})
    const sum = (list: typeof now) => list.reduce((total, a) => total + a.balance_cents, 0)
    assert.deepEqual([sum(then), sum(now)], [0, 0])
    const before = await funds.statement({ to: yesterday })
    assert.ok(before.entries.every((entry) => entry.event !== 'claim_held'))
    const today = await funds.statement({ from: new Date().toISOString().slice(0, 10) })
    assert.deepEqual(
      today.entries.map((entry) => entry.event),
      ['allocation', 'allocation', 'allocation', 'claim_held'],
    )
  })

  test('a statement is paged by key, of all accounts and of one, and its balances follow', async () => {
    const { funds, hired } = await staffed(3)
    const everything = await funds.statement({ limit: 200 })
    const paged = []
    let after: string | undefined
    do {
      const page = await funds.statement({ limit: 4, after })
      paged.push(...page.entries)
      after = page.next ?? undefined
    } while (after)
    assert.deepEqual(paged, everything.entries)
    assert.equal(paged.length, 1 + 3 + 9)
    const pool = (await funds.accounts({})).find(
      (a) => a.kind === 'pool' && a.category === 'treatment',
    )!
    const of_pool = []
    do {
      const page = await funds.statement({ limit: 2, after, account_id: pool.id! })
      of_pool.push(...page.entries)
      after = page.next ?? undefined
    } while (after)
    assert.deepEqual(
      of_pool.map((e) => e.amount_cents),
      [-70_000, -70_000, -70_000, 30_000_000],
    )
    assert.equal(of_pool[0]!.balance_cents, pool.balance_cents)
    assert.ok(of_pool[0]!.person_name)
    assert.equal(hired.length, 3)
    await refuses('invalid_input', funds.statement({ after: 'nonsense' }))
  })

  test('the export neutralises formulas', async () => {
    const { provider, company, funds, plan_year } = await staffed(1)
    await provider.api.funds.contribute({
      company_id: company.id,
      amount_cents: 12_345,
      occurred_on: plan_year,
      reference: '=HYPERLINK("http://evil")',
    })
    const csv = await (await funds.export_statement({})).text()
    const lines = csv.trim().split('\r\n')
    assert.equal(lines.length, 1 + 5 + 3)
    assert.match(lines[1]!, /contribution,,funding,-1200123\.45,unallocated,300123\.45,,123\.45,/)
    assert.match(lines[1]!, /"'=HYPERLINK\(""http:\/\/evil""\)"/)
  })
})

describe('time', () => {
  test('a year ends: what is left expires, comes along or goes back, and the next one is ready', async () => {
    const { company, funds, plan_year, hired } = await staffed(2, { pools: 1_000_000 })
    const plan = await funds.plan({})
    await funds.change_plan({ ...plan, carry_over: 'up_to', carry_over_max_cents: 15_000 })
    const year = Number(plan_year.slice(0, 4))
    const [ana, ben] = hired
    const next = `${year + 1}-01-01`
    await moveFunds(
      scene.sql,
      'hold',
      purse(company, plan_year, ana!, 'treatment'),
      60_000,
      'claim 1',
    )
    await scene.sql`update profiles set left_on = current_date - 1 where id = ${ben!.id}`
    await keepYearsOf(scene.sql, company.id, `${year}-12-01`)
    await scene.sql`select private.regrant_later(${company.id}, ${next})`
    await regrant(
      { company_id: company.id, plan_year: next },
      { sql: scene.sql, log: scene.house.log },
    )
    await keepYearsOf(scene.sql, company.id, `${year + 1}-04-02`)
    assert.equal((await funds.plan({ plan_year })).closed, true)
    const at = async (person: { id: string }, of_year: string) =>
      (await funds.accounts({ plan_year: of_year, person_id: person.id }))
        .filter((a) => a.kind === 'available')
        .map((a) => a.balance_cents)
    assert.deepEqual(await at(ana!, plan_year), [0, 0, 0])
    assert.deepEqual(await at(ana!, next), [15_000, 10_000, 10_000])
    assert.deepEqual(await at(ben!, plan_year), [0, 0, 0])
    const overview = await funds.overview({ plan_year: next })
    assert.equal(overview.unallocated_cents, 4_000_000 - 60_000 - 35_000)
    await refuses(
      'plan_year_closed',
      funds.allocate({ plan_year, prevention_cents: 1, treatment_cents: 0, solidarity_cents: 0 }),
    )
    // what a late decision gives back follows
    await moveFunds(
      scene.sql,
      'release',
      purse(company, plan_year, ana!, 'treatment'),
      60_000,
      'claim 1',
    )
    await keepYearsOf(scene.sql, company.id, `${year + 1}-04-03`)
    assert.deepEqual(await at(ana!, plan_year), [0, 0, 0])
    assert.equal((await funds.verify({})).good, true)

    // carried money is used first, and what is left of it expires with the year it came into
    await funds.allocate({
      plan_year: next,
      prevention_cents: 20_000,
      treatment_cents: 70_000,
      solidarity_cents: 10_000,
    })
    assert.deepEqual(await at(ana!, next), [35_000, 85_000, 20_000])
    await moveFunds(scene.sql, 'hold', purse(company, next, ana!, 'prevention'), 5_000, 'claim 2')
    await keepYearsOf(scene.sql, company.id, `${year + 1}-12-01`)
    await scene.sql`select private.enroll(${company.id}, ${`${year + 2}-01-01`}, array[${ana!.id}]::uuid[])`
    await keepYearsOf(scene.sql, company.id, `${year + 2}-04-02`)
    const lost = await funds.overview({ plan_year: next })
    assert.equal(lost.forfeited_cents, 10_000 + 15_000 + 10_000)
    assert.deepEqual(await at(ana!, `${year + 2}-01-01`), [15_000, 15_000, 10_000])
    assert.equal((await funds.verify({})).good, true)
  })

  test('a year that closes at once, before the next one’s grants are made, loses nobody’s carry-over', async () => {
    const { company, funds, plan_year, hired } = await staffed(1, { pools: 1_000_000 })
    const plan = await funds.plan({})
    await funds.change_plan({ ...plan, carry_over: 'all', filing_days: 0 })
    const next = `${Number(plan_year.slice(0, 4)) + 1}-01-01`
    await scene.sql`update profiles set left_on = ${`${next.slice(0, 4)}-06-30`} where id = ${hired[0]!.id}`
    await keepYearsOf(scene.sql, company.id, `${plan_year.slice(0, 4)}-12-01`)
    await keepYearsOf(scene.sql, company.id, next)
    assert.equal((await funds.plan({ plan_year })).closed, true)
    const there = await funds.accounts({ plan_year: next, person_id: hired[0]!.id })
    assert.deepEqual(
      there.filter(({ kind }) => kind === 'available').map(({ balance_cents }) => balance_cents),
      [20_000, 70_000, 10_000],
    )
    assert.equal((await funds.verify({})).good, true)
  })

  test('who has left keeps what they had for their days, then it goes back', async () => {
    const { company, funds, plan_year, hired } = await staffed(1)
    await scene.sql`update profiles set left_on = ${plan_year} where id = ${hired[0]!.id}`
    const granted = async () => (await funds.overview({})).categories.map((c) => c.granted_cents)
    await keepYearsOf(scene.sql, company.id, daysFrom(plan_year, 90))
    assert.deepEqual(await granted(), [20_000, 70_000, 10_000])
    await keepYearsOf(scene.sql, company.id, daysFrom(plan_year, 91))
    assert.deepEqual(await granted(), [0, 0, 0])
    assert.equal((await funds.verify({})).good, true)
  })

  test('HR hears of 60, 80 and 95 percent once each, a person of less than a fifth once', async () => {
    const { company, plan_year, hired } = await staffed(1, { pools: 70_000 })
    const of = purse(company, plan_year, hired[0]!, 'treatment')
    const alerts = async () => {
      await sealAll(scene.sql)
      const found = await scene.sql<{ who: string }[]>`
        select concat_ws(' ', category, percent, case when person_id is not null then 'person' end) as who
        from fund_alerts where company_id = ${company.id} order by id`
      return found.map(({ who }) => who)
    }
    const spend = async (cents: number, claim: number) => {
      await moveFunds(scene.sql, 'hold', of, cents, `claim ${claim}`)
      await approveFunds(scene.sql, of, [cents], `claim ${claim}`)
    }
    await spend(40_000, 1)
    assert.deepEqual(await alerts(), [])
    await spend(10_000, 2)
    assert.deepEqual(await alerts(), ['treatment 60'])
    await spend(10_000, 3)
    assert.deepEqual(await alerts(), ['treatment 60', 'treatment 20 person', 'treatment 80'])
    await spend(10_000, 4)
    assert.deepEqual((await alerts()).length, 4)
    assert.deepEqual((await alerts()).at(-1), 'treatment 95')
    const told = await scene.sql<{ who: string; told: string }[]>`
      select case person_id when ${company.admin.id} then 'HR' when ${hired[0]!.id} then 'person' end
        as who, concat_ws(' ', code, facts ->> 'category', facts ->> 'percent') as told from notifications
      where person_id in (${company.admin.id}, ${hired[0]!.id}) and kind = 'funds' order by id`
    assert.deepEqual(
      told.map((row) => `${row.who}: ${row.told}`),
      [
        'HR: category_used treatment 60',
        'person: fund_low treatment',
        'HR: category_used treatment 80',
        'HR: category_used treatment 95',
      ],
    )
  })
})
