// The worker, when its connection is cut at the moment that matters most: a job is done, and can't be crossed off.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Sql } from '#lib/db.server.ts'
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
        if (name !== 'first') return
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
        assert.deepEqual(performed, ['first', 'second'])
        // It is nobody's that lives, so that whoever looks after the dead sets it free, to be done again.
        const [left] = await sql<[{ locked_by: string }]>`
          select locked_by from graphile_worker.jobs where locked_by is not null
            and id = (select min(id) from graphile_worker.jobs)`
        assert.ok(left && !worker.locks().includes(left.locked_by))
      } finally {
        await worker.stop()
        await sql`delete from graphile_worker._private_jobs`
      }
    })
})
