// A branch of a transaction that goes on when the others have failed says nothing in the next one.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testSql, type DatabaseWithSql } from '../../test/database.ts'
import type { Sql, Tx } from './db.server.ts'
import { Transactions } from './transactions.server.ts'

describe('a transaction that is over', () => {
  let database: DatabaseWithSql
  let sql: Sql
  before(async () => {
    database = await testSql(1)
    sql = database.sql
    await sql`create table words (word text not null)`
  })
  after(() => database.drop())

  const over = /The transaction is over/
  const transactions = () => new Transactions({ sql, actorOf: () => '', visitor: '' })
  type Run = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>
  const ways: Record<string, Run> = {
    'of the server': (work) => sql.begin(work),
    'of a request': (work) => transactions().run(undefined, work),
    'that only reads': (work) => transactions().run(undefined, work, { reads: true }),
  }

  for (const [way, run] of Object.entries(ways)) {
    for (const ends of ['fails', 'is done'] as const) {
      test(`${way} and ${ends} has nothing more to say, while the next one has its connection`, async () => {
        const gate = Promise.withResolvers<void>()
        let branch: Promise<unknown> = Promise.resolve()
        let left: Tx | undefined
        const work = async (tx: Tx) => {
          left = tx
          branch = gate.promise.then(() => tx`insert into words (word) values (${way})`)
          branch.catch(() => {})
          await tx`select 1`
          if (ends === 'fails') await Promise.all([branch, Promise.reject(new Error('sibling'))])
        }
        await (ends === 'fails' ? assert.rejects(run(work), /sibling/) : run(work))
        await sql.begin(async (tx) => {
          await tx`select 1`
          gate.resolve()
          await assert.rejects(branch, over)
          const copied = left?.unsafe('copy words to stdout').readable()
          await assert.rejects(copied ?? Promise.resolve(), over)
        })
        const rows = await sql`select from words`
        assert.equal(rows.length, 0)
      })
    }
  }

  for (const [way, run] of Object.entries(ways).filter(([name]) => !name.includes('only reads'))) {
    test(`${way} is not done where a statement failed that nobody awaits, and gives its connection back once`, async () => {
      const silent = async (tx: Tx) => void tx`select 1 / 0`.catch(() => {})
      await assert.rejects(run(silent), { code: '22012' })
      const order: string[] = []
      const first = async (tx: Tx) => {
        order.push('the first begins')
        for (let turn = 0; turn < 10; turn += 1) await tx`select 1`
        order.push('the first ends')
      }
      const second = async () => void order.push('the second begins')
      await Promise.all([run(first), run(second)])
      assert.deepEqual(order, ['the first begins', 'the first ends', 'the second begins'])
    })
  }
})
