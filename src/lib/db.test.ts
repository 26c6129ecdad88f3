// The database as the rest of the server knows it: its values, its connections, and what is copied out of it.
import assert from 'node:assert/strict'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { createGzip } from 'node:zlib'
import type { Connection } from './connection.server.ts'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import { testSql, type DatabaseWithSql } from '../../test/database.ts'

describe('copying out', () => {
  let database: DatabaseWithSql
  let sql: Sql
  before(async () => {
    database = await testSql(1)
    sql = database.sql
  })
  after(() => database.drop())

  const lines = (tx: Tx, rows: number) =>
    tx
      .unsafe(`copy (select repeat('x', 100), i from generate_series(1, ${rows}) i) to stdout`)
      .readable()
  const isFree = async (tx: Tx) => {
    const [row] = await tx<[{ one: number }]>`select 1 as one`
    assert.equal(row.one, 1)
  }

  // Whether the reader is behind just when the end comes depends on where the rows are cut on their way.
  test('is whole and ends, whatever is on its way when the reader is behind', async () => {
    await sql.begin(async (tx) => {
      for (let rows = 200; rows < 6000; rows += 173) {
        let count = 0
        const counted = new Transform({
          transform(chunk: Buffer, _, done) {
            for (const byte of chunk) if (byte === 10) count += 1
            done(null, chunk)
          },
        })
        const nowhere = new Writable({ write: (_, __, done) => done() })
        await pipeline(await lines(tx, rows), counted, createGzip(), nowhere)
        assert.equal(count, rows)
        await isFree(tx)
      }
    })
  })

  test('fails before its first row where the table is not there, or somebody has it for too long', async () => {
    await sql`create table held (id integer)`
    const copying = (table: string) =>
      sql.begin(async (tx) => {
        await tx`set local lock_timeout = 50`
        await tx.unsafe(`copy ${table} to stdout`).readable()
      })
    await assert.rejects(copying('unknown'), { code: '42P01' })
    const other = connect(database.url, { max: 1 })
    await other.begin(async (tx) => {
      await tx`lock table held`
      await assert.rejects(copying('held'), { code: '55P03' })
    })
    await other.end()
    await isFree(sql)
  })

  test('by somebody who stops reading fails for their reason, and the connection ends', async () => {
    const full = new Error('the disk is full')
    for (const rows of [10, 1000, 50_000]) {
      const own = connect(database.url, { max: 1 })
      const nowhere = new Writable({ write: (_, __, done) => done(full) })
      await assert.rejects(
        own.begin(async (tx) => pipeline(await lines(tx, rows), nowhere)),
        full,
      )
      await own.end({ timeout: 5 })
    }
  })
})

describe('values and connections', () => {
  let database: DatabaseWithSql
  let sql: Sql
  before(async () => {
    database = await testSql(4)
    sql = database.sql
  })
  after(() => database.drop())

  test('an instant is ISO, whatever its fraction and the session’s zone', async () => {
    const moments = [
      '2026-03-01T09:30:00.123456Z',
      '2026-12-31T23:59:59Z',
      '1999-01-01T00:00:00.5Z',
    ]
    await sql.begin(async (tx) => {
      for (const zone of ['UTC', 'Europe/Zagreb', 'Asia/Kathmandu']) {
        await tx`select set_config('timezone', ${zone}, true)`
        for (const one of moments) {
          const [row] = await tx<[{ at: string }]>`select ${one}::text::timestamptz as at`
          assert.equal(row.at, new Date(one).toISOString(), zone)
        }
      }
    })
  })

  test('who reads has half of the connections, and keeps nobody waiting who writes', async () => {
    const { pool } = sql
    const reading = [await pool.take('reads'), await pool.take('reads')]
    let third = false
    const next = pool.take('reads').then((line) => {
      third = true
      return line
    })
    const writing = await pool.take('writes')
    assert.deepEqual([pool.waiting('reads'), pool.waiting('writes'), third], [1, 0, false])
    assert.ok(pool.late_ms('reads') > 0)
    assert.equal(pool.late_ms('writes'), 0)
    pool.give(writing)
    assert.equal(pool.waiting('reads'), 1, 'what a writer gives back is not for one more reader')
    pool.give(reading[0]!)
    pool.give(await next)
    pool.give(reading[1]!)
    assert.equal(pool.waiting('reads'), 0)
  })

  test('a connection that is not lent is not taken back: it would be lent to two at once', async () => {
    const one = connect(database.url, { max: 2 })
    const { pool } = one
    const connection = await pool.take()
    assert.throws(() => one.single.give(connection), /not lent/, 'it is of another pool')
    pool.give(connection)
    assert.throws(() => pool.give(connection), /not lent/)
    const [first, second] = [await pool.take(), await pool.take()]
    assert.notEqual(first, second)
    pool.give(first)
    pool.give(second)
    await one.end()
  })

  test('who would have to wait long is known when they come, however short the first has waited', async () => {
    const one = connect(database.url, { max: 1 })
    const { pool } = one
    for (let turn = 1; turn <= 50; turn += 1) pool.give(await pool.take())
    const inside = await pool.take()
    const turns = Array.from({ length: 40 }, () => pool.take())
    let last = inside
    for (const turn of turns.slice(0, 20)) {
      await last.tx`select pg_sleep(0.002)` // each turn takes so long
      pool.give(last)
      last = await turn
    }
    const few = pool.late_ms('writes')
    const more = Array.from({ length: 1980 }, () => pool.take())
    assert.ok(pool.late_ms('writes') > 1000, 'two thousand turns of at least two milliseconds')
    assert.ok(pool.late_ms('writes') > 20 * few)
    for (const turn of [...turns.slice(20), ...more]) {
      pool.give(last)
      last = await turn
    }
    pool.give(last)
    assert.equal(pool.late_ms('writes'), 0)
    await one.end()
  })

  test('a slow time that is over turns nobody away', async () => {
    const one = connect(database.url, { max: 1 })
    const { pool } = one
    const all = async (turns: Promise<Connection>[], slowly: boolean) => {
      for (const turn of turns) {
        const connection = await turn
        if (slowly) await connection.tx`select pg_sleep(0.02)`
        pool.give(connection)
      }
    }
    const some = (many: number) => Array.from({ length: many }, () => pool.take())
    for (let turn = 1; turn <= 50; turn += 1) pool.give(await pool.take())
    await all(some(15), true)
    const later = some(100)
    assert.ok(pool.late_ms('writes') < 200, 'nothing is known of how fast they will be')
    await all(later, false)
    await one.end()
  })

  test('who meets a connection that is new is waited for longer, until it has had fifty turns', async () => {
    const one = connect(database.url, { max: 2 })
    const { pool } = one
    assert.equal(pool.patience_ms(250), 250, 'nobody has one')
    for (let turn = 1; turn <= 50; turn += 1) {
      const connection = await pool.take()
      assert.equal(pool.patience_ms(250), 10_000)
      pool.give(connection)
      assert.equal(pool.patience_ms(250), 250, 'who is free keeps nobody waiting')
    }
    const known = await pool.take()
    assert.equal(pool.patience_ms(250), 250)
    const another = await pool.take()
    assert.equal(pool.patience_ms(250), 10_000)
    pool.give(known)
    pool.give(another)
    await one.end()
  })

  test('whose patience is over goes without, and keeps nobody behind waiting', async () => {
    const one = connect(database.url, { max: 1 })
    const { pool } = one
    const inside = await pool.take()
    const impatient = pool.take('writes', 0)
    const patient = pool.take('writes', 60_000)
    pool.give(inside)
    assert.equal(await impatient, undefined)
    assert.equal(await patient, inside)
    pool.give(inside)
    await one.end()
  })
})
