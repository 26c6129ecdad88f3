// What is copied out of the database, as a backup does: however much it is, it comes whole, and its line is free again.
import assert from 'node:assert/strict'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { createGzip } from 'node:zlib'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import { testDatabase, type TestDatabase } from '../../test/database.ts'

describe('copying out', () => {
  let database: TestDatabase
  let sql: Sql
  before(async () => {
    database = await testDatabase()
    sql = connect(database.url, { max: 1 })
  })
  after(async () => {
    await sql.end()
    await database.drop()
  })

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
        let seen = 0
        const counted = new Transform({
          transform(chunk: Buffer, _, done) {
            for (const byte of chunk) if (byte === 10) seen += 1
            done(null, chunk)
          },
        })
        const nowhere = new Writable({ write: (_, __, done) => done() })
        await pipeline(await lines(tx, rows), counted, createGzip(), nowhere)
        assert.equal(seen, rows)
        await isFree(tx)
      }
    })
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
