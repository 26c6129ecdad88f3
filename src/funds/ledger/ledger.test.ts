// The ledger itself: whatever many do at once, it adds up; whatever is done to it by hand, it tells.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  approveFunds,
  moveFunds,
  payFunds,
  purse,
  staffedCompany,
  type Purse,
} from '../../../test/world/money.ts'
import { refuses, won } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { sealAll } from '#funds/jobs.server.ts'

const scene = openedScene()

const problemOf = (error: { constraint?: string; message: string }) =>
  error.constraint ?? error.message

describe('a claim’s money', () => {
  const fate = async (kinds: string[], of: Purse) => {
    const found = await scene.sql<{ kind: string; balance_cents: number }[]>`
      select kind, balance_cents from accounts where company_id = ${of.company}
        and plan_year = ${of.year} and person_id = ${of.person} and category = ${of.category}`
    return kinds.map((kind) => found.find((a) => a.kind === kind)?.balance_cents ?? 0)
  }
  const kinds = ['available', 'held', 'payable', 'paid', 'overpaid']

  test('is held, approved in part, paid, returned, paid again, reversed and recovered', async () => {
    const { company, plan_year, hired, funds } = await staffedCompany(scene, 1)
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
    const { company, plan_year, hired } = await staffedCompany(scene, 1)
    const of = purse(company, plan_year, hired[0]!, 'solidarity')
    const refusal = async (code: string, act: Promise<unknown>) =>
      assert.rejects(act, (error: Error) => {
        assert.equal(problemOf(error), code)
        return true
      })
    const twice = await Promise.allSettled(
      [1, 2, 3, 4].map(() => moveFunds(scene.sql, 'hold', of, 2000, 'claim 1')),
    )
    assert.equal(won(twice).length, 1)
    const others = twice.flatMap((one) => (one.status === 'rejected' ? problemOf(one.reason) : []))
    assert.deepEqual(others, Array(3).fill('transfer_already_posted'))
    await refusal('fund_exhausted', moveFunds(scene.sql, 'hold', of, 8001, 'claim 2'))
    await refusal('amount_not_there', moveFunds(scene.sql, 'release', of, 2001, 'claim 1'))
    await refusal('amount_must_be_positive', moveFunds(scene.sql, 'hold', of, 0, 'claim 3'))
    await refusal('amount_must_be_positive', moveFunds(scene.sql, 'hold', of, -1, 'claim 3'))
    const to_itself = scene.sql`insert into transfers overriding system value select (jsonb_populate_record(t,
        jsonb_build_object('id', t.id + 1, 'cause', 'claim 4', 'to_account', t.from_account))).*
      from transfers t where t.company_id = ${company.id} order by t.id desc limit 1`
    await refusal('transfer_to_itself', to_itself)
    assert.deepEqual(await fate(kinds, of), [8000, 2000, 0, 0, 0])
  })

  test('is moved by acts alone: nobody who signs in moves any by hand', async () => {
    const { company, plan_year, hired } = await staffedCompany(scene, 1)
    const [ana] = hired
    const as = (who: { id: string }, words: string) =>
      scene.services.sql.request.begin(async (tx) => {
        const [session] = await scene.sql<{ id: string }[]>`
          select id from auth.sessions where user_id = ${who.id}`
        await tx`select become(${who.id}, ${session!.id})`
        await tx.unsafe(words)
      })
    const purse = `row('${company.id}', '${plan_year}', '${ana!.id}', 'prevention')`
    for (const words of [
      `select private.move_funds(${purse}, 'hold', 100, private.origin('claim 1'), null)`,
      `select private.move_funds(${purse}, 'approve', 100, private.origin('claim 1'), null)`,
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
    const { company, funds } = await staffedCompany(scene, 2)
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
    assert.match(found.sentence, /^Entry \d+ was inserted from outside$/)
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
    const { company, funds, plan_year, hired } = await staffedCompany(scene, 2)
    await sealAll(scene.sql)
    const shown = await funds.accounts({})
    // A day goes by: everything that happened so far is of yesterday. (Seals and all are made again.)
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
    const { funds, hired } = await staffedCompany(scene, 3)
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
    const { provider, company, funds, plan_year } = await staffedCompany(scene, 1)
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
