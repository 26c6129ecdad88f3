// A database at several hosts: whoever hangs on one that fell silent is told so, and served by the one that took its place.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Cutter } from '../../test/cutter.ts'
import { testDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { readConfig } from './config.server.ts'
import { connect } from './db.server.ts'
import { toProblem } from './failures.server.ts'
import { workerPool } from './jobs.server.ts'

const several = 'postgres://ana:x@one:5432,two:5433/fund?target_session_attrs=read-write'

test('an address of several hosts is read as one with the others beside it', () => {
  const url = new URL(readConfig({ DATABASE_URL: several }).DATABASE_URL!)
  assert.equal(url.host, 'one:5432')
  assert.equal(url.searchParams.get('hosts'), 'one:5432,two:5433')
  assert.equal(url.searchParams.get('target_session_attrs'), null)
})

test('it has to say that it wants the one that takes writes', () => {
  for (const parameters of [
    '',
    '?target_session_attrs=any',
    '?target_session_attrs=prefer-standby',
  ])
    assert.throws(
      () => readConfig({ DATABASE_URL: several.replace(/\?.*/, parameters) }),
      /DATABASE_URL: of several hosts needs target_session_attrs=read-write/,
    )
  assert.throws(() => readConfig({ DATABASE_URL: 'postgres://a:b@one,:/x' }), /DATABASE_URL/)
})

describe('of several hosts', () => {
  let database: TestDatabase
  let first: Cutter
  let second: Cutter
  let url: string
  before(async () => {
    database = await testDatabase()
    const target = new URL(database.url)
    first = new Cutter(target)
    second = new Cutter(target)
    const hosts = [await first.listen(), await second.listen()].map((port) => `127.0.0.1:${port}`)
    const address = database.url.replace(target.host, hosts.join(','))
    const DATABASE_URL = `${address}?target_session_attrs=read-write`
    url = readConfig({ DATABASE_URL }).DATABASE_URL!
  })
  after(async () => {
    await first.close()
    await second.close()
    await database.drop()
  })

  test('the one that answers serves; if it falls silent, the next one does', async () => {
    second.silent = true
    const sql = connect(url, { max: 2 })
    const worker = workerPool(url, { warn() {} })
    const payloads: string[] = []
    const onPayload = (word: string) => payloads.push(word)
    const { unlisten } = await sql.listen('hosts', onPayload, () => onPayload('missed'))
    await Promise.all([sql`select 1`, sql`select 1`, worker.query('select 1')])
    first.silent = true
    const hanging = [sql`select 2`, worker.query('select 3')]
    const outcomes = Promise.allSettled(hanging)
    second.silent = false
    const [ours, job] = await outcomes
    assert.ok(ours?.status === 'rejected' && toProblem(ours.reason).code === 'unavailable')
    assert.equal(job?.status, 'rejected')
    assert.equal((await sql`select 5 as five`)[0]?.five, 5)
    await worker.query('select 6')
    await until(() => payloads.includes('missed'), 'another connection that hears')
    await unlisten()
    await worker.end()
    await sql.end()
  })

  test('one that takes no writes any more is left, and who wrote is told to try again', async () => {
    first.silent = true
    second.silent = false
    const sql = connect(url, { max: 1 })
    const found: number[] = []
    const write = (first?: string) =>
      sql.begin(async (tx) => {
        if (first) await tx.unsafe(first)
        found.push((await tx<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid)
        await tx`create sequence written`
      })
    const standby = 'set transaction read only'
    await assert.rejects(write(standby), (error) => toProblem(error).code === 'unavailable')
    await write()
    assert.notEqual(found[0], found[1])
    await sql.end()
  })

  test('where none takes writes, who asks is told to try again', async () => {
    first.silent = second.silent = true
    const sql = connect(url, { max: 1 })
    await assert.rejects(sql`select 1`, (error) => toProblem(error).code === 'unavailable')
    await sql.end()
    first.silent = second.silent = false
  })
})
