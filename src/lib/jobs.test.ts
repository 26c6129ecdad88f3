// The worker, when its connection is cut at the moment that matters most: a job is done, and can't be crossed off.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Sql } from '#lib/db.server.ts'
import { Cutter } from '../../test/cutter.ts'
import { testDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { startWorker } from './jobs.server.ts'
import { makeLog } from './log.server.ts'

describe('a worker whose connection is cut', () => {
  let database: TestDatabase
  let sql: Sql
  before(async () => {
    database = await testDatabase()
    sql = connect(database.url, { max: 3 })
  })
  after(async () => {
    await sql.end()
    await database.drop()
  })

  const cutWhoeverWaits = () =>
    until(async () => {
      const [cut] = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'healthfund worker'
          and wait_event_type = 'Lock'`
      return cut
    }, 'a connection that waits')

  for (const outcome of ['done', 'failed'] as const)
    test(`goes on when a job that is ${outcome} can't be crossed off`, async () => {
      const performed: unknown[] = []
      const notices = new EventTarget()
      const once = (name: string) =>
        new Promise((resolve) => notices.addEventListener(name, resolve, { once: true }))
      let goOn = () => {}
      const task = async ({ name }: { name?: unknown }) => {
        performed.push(name)
        notices.dispatchEvent(new Event(String(name)))
        if (performed.length > 1) return
        await new Promise<void>((resolve) => (goOn = resolve))
        if (outcome === 'failed') throw new Error('not this time')
      }
      const log = makeLog('fatal')
      const worker = await startWorker({
        url: database.url,
        sql,
        log,
        tasks: { a_task: task },
        schedule: [],
      })
      try {
        const begun = once('first')
        await sql`select add_job('a_task', '{"name":"first"}')`
        await begun
        await sql.begin(async (tx) => {
          await tx`select from graphile_worker._private_jobs where locked_by is not null for update`
          goOn()
          await cutWhoeverWaits()
        })
        const second = once('second')
        await sql`select add_job('a_task', '{"name":"second"}')`
        await second
        // Nobody knows whether the job was done, so it is done again, at once.
        await until(
          () => performed.filter((name) => name === 'first').length === 2,
          'the first again',
        )
        await until(async () => {
          const [left] = await sql`select from graphile_worker._private_jobs`
          return !left
        }, 'all of them crossed off')
      } finally {
        await worker.stop()
        await sql`delete from graphile_worker._private_jobs`
      }
    })

  test('goes on when two jobs lose the database at once, each locked under a name that it tells', async () => {
    const target = new URL(database.url)
    const cutter = new Cutter(target)
    const port = await cutter.listen()
    const performed: string[] = []
    const fail: (() => void)[] = []
    const task = async ({ name }: { name?: unknown }) => {
      performed.push(String(name))
      if (performed.length > 2) return
      await new Promise<void>((resolve) => fail.push(resolve))
      throw new Error('not this time')
    }
    const url = database.url.replace(target.host, `127.0.0.1:${port}`)
    const tasks = { a_task: task }
    const worker = await startWorker({ url, sql, log: makeLog('fatal'), tasks, schedule: [] })
    try {
      await sql`select add_job('a_task', '{"name":"first"}'), add_job('a_task', '{"name":"second"}')`
      await until(() => fail.length === 2, 'both begun')
      const held = await sql<{ locked_by: string }[]>`
        select locked_by from graphile_worker.jobs where locked_by is not null`
      assert.ok(held.length === 2 && held.every((job) => worker.locks().includes(job.locked_by)))
      cutter.silent = true
      fail[0]!()
      await new Promise((resolve) => setImmediate(resolve)) // a batch of its own
      fail[1]!()
      await until(() => cutter.swallowed >= 2, 'both are being crossed off')
      cutter.silent = false
      cutter.cut()
      await sql`select add_job('a_task', '{"name":"third"}')`
      await until(() => performed.includes('third'), 'the third')
      await until(() => performed.length === 5, 'the first two again')
    } finally {
      for (const one of fail) one() // else the worker would wait for them
      await worker.stop()
      await cutter.close()
      await sql`delete from graphile_worker._private_jobs`
    }
  })
})
