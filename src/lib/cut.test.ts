// A connection that is cut at each moment of a transaction, of a copy and of listening: what was not acknowledged
// is an honest error, nothing is done by halves, and the next one is served.
import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Cutter } from '../../test/cutter.ts'
import { testDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { connect, type Sql, type Tx } from './db.server.ts'
import { toProblem } from './failures.server.ts'
import { Transactions } from './transactions.server.ts'

describe('a connection that is cut', () => {
  let database: TestDatabase
  let cutter: Cutter
  let through: string
  /** One connection through the cutter, one past it. */
  let sql: Sql
  let owner: Sql
  before(async () => {
    database = await testDatabase()
    cutter = new Cutter(new URL(database.url))
    const target = new URL(database.url)
    target.hostname = '127.0.0.1'
    target.port = String(await cutter.listen())
    owner = connect(database.url, { max: 2 })
    through = target.href
    sql = connect(through, { max: 1 })
    await owner`create table noted (word text not null)`
  })
  after(async () => {
    await sql.end({ timeout: 5 })
    await owner.end()
    await cutter.close()
    await database.drop()
  })

  const noted = async (word: string) => (await owner`select from noted where word = ${word}`).length
  const transactions = () => new Transactions({ sql, actorOf: () => '', visitor: '' })
  const note = (word: string) => async (tx: Tx) => {
    await tx`insert into noted (word) values (${word})`
    return word
  }
  const unavailable = (error: unknown) => toProblem(error).code === 'unavailable'

  async function isServed() {
    cutter.whole()
    const [row] = await sql.begin((tx) => tx<[{ one: number }]>`select 1 as one`)
    assert.equal(row.one, 1)
  }

  /** A connection that has sent nothing yet, so that the test reads all that it sends. */
  async function fresh() {
    cutter.cut()
    await until(() => sql.pool.open === 0, 'no connection')
  }
  beforeEach(fresh)

  test('before begin: it is done by another', async () => {
    cutter.cutBefore('asked', 'begin')
    await transactions().run(undefined, note('before'))
    assert.equal(await noted('before'), 1)
  })

  test('while it is being made', async () => {
    const own = connect(through, { max: 1 })
    cutter.cutAfter('asked', 10)
    await assert.rejects(own`select 1`, unavailable)
    cutter.whole()
    assert.equal((await own`select 1`).length, 1)
    await own.end()
  })

  test('between whose transaction it is and the first statement', async () => {
    cutter.cutBefore('asked', 'insert into noted')
    await transactions().run(undefined, note('between'))
    assert.equal(await noted('between'), 1)
  })

  test('where no other can be had, who asked is told so at once', async () => {
    const unlit = connect('postgres://ana:x@127.0.0.1:1/none', { max: 1 })
    const unconnected = new Transactions({ sql: unlit, actorOf: () => '', visitor: '' })
    let tried = 0
    const act = async (tx: Tx) => {
      tried += 1
      await note('nowhere')(tx)
    }
    await assert.rejects(unconnected.run(undefined, act), unavailable)
    assert.equal(tried, 1)
    await unlit.end()
  })

  test('before the answer to commit: it may be done, and nobody is told that it is', async () => {
    cutter.cutBefore('answered', 'COMMIT')
    await assert.rejects(transactions().run(undefined, note('acknowledged')), unavailable)
    await isServed()
    assert.equal(await noted('acknowledged'), 1)
  })

  test('before commit is asked: it isn’t done', async () => {
    cutter.cutBefore('asked', 'commit')
    await assert.rejects(transactions().run(undefined, note('unfinished')), unavailable)
    await isServed()
    assert.equal(await noted('unfinished'), 0)
  })

  const isWaiting = async () =>
    (await owner`select from pg_stat_activity where query like 'select pg_sleep%'`).length > 0

  test('with statements under way: each is refused, and what is asked later as well', async () => {
    const act = sql.begin(async (tx) => {
      const all = [1, 2, 3].map((n) => tx`select pg_sleep(${20 * n})`)
      const settled = Promise.allSettled(all)
      await until(isWaiting, 'a statement under way')
      cutter.cut()
      for (const { status } of await settled) assert.equal(status, 'rejected')
      await assert.rejects(tx`select 1`, unavailable)
      throw new Error('the act’s own')
    })
    await assert.rejects(act, /the act’s own/)
    await isServed()
  })

  test('while rows are copied out: the reader is told', async () => {
    const lines = `copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`
    const slow = new Writable({
      write(_, __, done) {
        cutter.cut()
        setImmediate(done)
      },
    })
    await assert.rejects(
      sql.begin(async (tx) => pipeline(await tx.unsafe(lines).readable(), slow)),
      unavailable,
    )
    await isServed()
  })

  test('while rows are copied in: the writer is told, and none of them is there', async () => {
    let sent = 0
    const endless = new Readable({
      read() {
        sent += 1
        if (sent === 20) cutter.cut()
        this.push('copied\n'.repeat(10_000))
      },
    })
    await assert.rejects(
      sql.begin(async (tx) => pipeline(endless, await tx`copy noted from stdin`.writable())),
      unavailable,
    )
    await isServed()
    assert.equal(await noted('copied'), 0)
  })

  test('while it listens: it listens again, and says that something may have been missed', async () => {
    const payloads: string[] = []
    const onPayload = (word: string) => payloads.push(word)
    const { unlisten } = await sql.listen('cut', onPayload, () => onPayload('missed'))
    await owner`select pg_notify('cut', 'first')`
    await until(() => payloads.includes('first'), 'the first word')
    cutter.cut()
    await until(async () => {
      await owner`select pg_notify('cut', 'second')`
      return payloads.includes('second')
    }, 'the second word')
    assert.deepEqual(payloads.slice(0, 2), ['first', 'missed'])
    await unlisten()
  })

  test('at once, by whoever ends them all: who has one is told, and who waits for one', async () => {
    const own = connect(through, { max: 1 })
    const held = own.begin((tx) => tx`select pg_sleep(600)`)
    const waits = own.begin((tx) => tx`select 1`)
    const refusals = Promise.all([
      assert.rejects(held, unavailable),
      assert.rejects(waits, unavailable),
    ])
    await until(isWaiting, 'a statement under way')
    await own.end({ timeout: 0 })
    await refusals
    assert.equal(own.pool.open, 0)
    await assert.rejects(own`select 1`, unavailable)
  })

  test('by PostgreSQL itself', async () => {
    await sql`select 1`
    await owner`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename is not null
        and pid <> pg_backend_pid()`
    await until(() => sql`select 1`.then(Boolean, () => false), 'a connection again')
  })
})
