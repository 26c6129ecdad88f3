// The panel shows what breaks, and that it works again.
import assert from 'node:assert/strict'
import { rename, writeFile, rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { openServices } from '#services.server.ts'
import { openWorker } from '#worker.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { connect, databaseNamed } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { freePort } from '../../test/free-port.ts'
import { apiFor, refuses, type Person } from '../../test/world/people.ts'
import { openScene, type Scene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'

function openMailServer(port: number) {
  const taken: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _, done) => {
      taken.push(address)
      done()
    },
    onData: (stream, _, done) => stream.resume().on('end', done),
  })
  return new Promise<{ taken: string[]; close: () => Promise<void> }>((resolve) => {
    server.listen(port, '127.0.0.1', () =>
      resolve({ taken, close: () => new Promise((closed) => server.close(() => closed())) }),
    )
  })
}

describe('system health', () => {
  let scene: Scene
  let boss: Person
  let port: number
  before(async () => {
    port = await freePort()
    scene = await openScene({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
    boss = await scene.superAdmin()
  })
  after(() => scene.close())

  const health = () => boss.api.system.health({})
  const folder = async () => scene.config.DATA_FOLDER
  const openOne = () => openWorker(scene.config, scene.database_url, scene.sql, makeLog('fatal'))

  test('a worker that runs, that stops and that was killed', async () => {
    assert.equal((await health()).worker.sentence, 'No worker runs: jobs are not done')
    const worker = await openOne()
    await worker.look()
    const running = await health()
    assert.equal(running.worker.sentence, '1 worker is running')
    await worker.stop()
    const stopped = await health()
    assert.equal(stopped.worker.state, 'bad')
    assert.ok(!stopped.operational)
    assert.match(stopped.sentence, /No worker runs/)
    const another = await openOne()
    await another.look()
    await scene.sql`update private.processes set heartbeat_at = now() - interval '3 minutes'
      where kind = 'worker'` // as after a kill: it tells nothing more
    assert.equal((await health()).worker.sentence, 'No worker runs for 3 minutes')
    await another.look()
    assert.equal((await health()).worker.state, 'good')
    await another.stop()
  })

  test('what a killed worker held is no longer blocked for another one', async () => {
    await scene.sql`select add_job('nobody:does', key => 'orphan', run_at => now() - interval '2 hours')`
    await scene.sql`update graphile_worker._private_jobs set locked_by = 'worker-gone',
      locked_at = now() - interval '2 minutes' where key = 'orphan'`
    const worker = await openOne()
    await worker.look()
    const [job] = await scene.sql<[{ locked_by: string | null }]>`
      select locked_by from graphile_worker.jobs where key = 'orphan'`
    assert.equal(job.locked_by, null)
    assert.equal((await health()).jobs.sentence, 'Jobs wait for more than five minutes')
    await scene.sql`select graphile_worker.remove_job('orphan')`
    await worker.stop()
  })

  test('after a clock was set back nothing waits for the day it had', async () => {
    const later = scene.sql`now() + interval '40 days'`
    await scene.sql`select add_job('nobody:does', key => 'early', run_at => ${later})`
    await scene.sql`update graphile_worker._private_jobs set created_at = ${later},
      locked_by = 'worker-then', locked_at = ${later} where key = 'early'`
    await scene.sql`insert into graphile_worker._private_known_crontabs
      (identifier, known_since, last_execution) values ('nightly', now(), ${later})`
    await scene.sql`insert into private.processes (id, kind, locks, heartbeat_at)
      values (gen_random_uuid(), 'worker', '{worker-then}', ${later})`
    const worker = await openOne()
    await worker.look()
    const [found] = await scene.sql`select now() - j.run_at < interval '1 minute' as due,
        now() - j.locked_at < interval '1 minute' as locked, c.last_execution <= now() as can_run
      from graphile_worker.jobs j, graphile_worker._private_known_crontabs c
      where j.key = 'early' and c.identifier = 'nightly'`
    assert.deepEqual({ ...found }, { due: true, locked: true, can_run: true })
    assert.equal((await health()).worker.sentence, '1 worker is running')
    await scene.sql`select graphile_worker.force_unlock_workers('{worker-then}')`
    await scene.sql`select graphile_worker.remove_job('early')`
    await scene.sql`delete from graphile_worker._private_known_crontabs where identifier = 'nightly'`
    await worker.stop()
  })

  test('a disk that can’t be written to, and can again', async () => {
    await scene.services.look()
    const before_it = await health()
    assert.equal(before_it.storage.state, 'good')
    assert.ok((before_it.storage.free_bytes ?? 0) > 0)
    const kept = `${await folder()}-kept`
    await rename(await folder(), kept)
    await writeFile(await folder(), 'a file where the folder should be')
    await scene.services.look()
    const broken = await health()
    assert.equal(broken.storage.sentence, 'Files can’t be kept: the folder does not exist')
    assert.ok(!broken.operational)
    assert.match(broken.sentence, /Files can’t be kept/)
    await rm(await folder())
    await rename(kept, await folder())
    await scene.services.look()
    assert.equal((await health()).storage.state, 'good')
  })

  test('a mail server that is gone, mail that waits, and both again', async () => {
    await scene.services.look()
    const gone = await health()
    assert.equal(gone.mail.sentence, 'Mail can’t be sent: it can’t be reached')
    const worker = await openOne()
    await scene.sql`select post_mail('ana@acme.test', 'Hello', 'Hello', '<p>Hello</p>', true)`
    const failing = async () => (await health()).jobs.failures.some((f) => f.task === 'mail:send')
    await until(failing)
    const waiting = await health()
    assert.equal(waiting.mail.waiting, 1)
    assert.equal(waiting.jobs.state, 'notice')
    const server = await openMailServer(port)
    try {
      await scene.services.look()
      assert.match((await health()).mail.sentence, /^Mail fails for less than a minute$/)
      const retried = await boss.api.system.retry_jobs({})
      assert.equal(retried.jobs, 1)
      await until(async () => (await health()).mail.sent_at !== null)
      assert.deepEqual(server.taken, ['ana@acme.test'])
      const well = await health()
      assert.equal(well.mail.sentence, 'The mail server answers')
      assert.equal(well.mail.waiting, 0)
      assert.equal((await boss.api.system.retry_jobs({})).jobs, 0)
    } finally {
      await server.close()
      await worker.stop()
    }
  })

  test('a database that lets nobody in is a 503, and everything is back when it is', async () => {
    const name = new URL(scene.database_url).pathname.slice(1)
    const outside = connect(databaseNamed(scene.database_url, 'postgres'), { max: 1 })
    try {
      await outside`alter database ${outside(name)} with allow_connections false`
      await outside`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and usename is not null`
      await refuses('unavailable', health()) // on a connection that was ended
      await refuses('unavailable', health()) // on a new one
      await outside`alter database ${outside(name)} with allow_connections true`
      await until(() =>
        health().then(
          () => true,
          () => false,
        ),
      )
      const well = await health()
      assert.equal(well.database.state, 'good')
      assert.ok(well.database.ping_ms >= 0 && well.database.connections > 0)
    } finally {
      await outside`alter database ${outside(name)} with allow_connections true`
      await outside.end()
    }
  })

  test('response times are those of all servers together', async () => {
    const config = readConfig({ ...scene.env, LOG_LEVEL: 'fatal' })
    const second = await openServices(config, scene.database_url)
    try {
      await scene.sql`delete from private.response_minutes`
      const there = apiFor(second, boss.token)
      await Promise.all([scene.services.look(), second.look()])
      const [{ before_it }] = await counted()
      for (let n = 0; n < 7; n += 1) await boss.api.users.me({})
      for (let n = 0; n < 5; n += 1) await there.users.me({})
      await Promise.all([scene.services.look(), second.look()])
      await Promise.all([scene.services.look(), second.look()]) // told twice is counted once
      const found = await health()
      assert.equal(found.api.requests - before_it, 12)
      assert.equal(found.servers, 2)
      const { p50_ms, p95_ms, p99_ms, minutes } = found.api
      assert.ok(p50_ms! > 0 && p50_ms! <= p95_ms! && p95_ms! <= p99_ms!)
      assert.equal(minutes.length, 15)
    } finally {
      await second.close()
    }
  })
  const counted = () => scene.sql<[{ before_it: number }]>`
    select coalesce(sum(c), 0)::int as before_it from private.response_minutes, unnest(counts) c`

  test('faults count, and many of them are a bad state', async () => {
    await scene.sql`insert into private.response_minutes
      select date_trunc('minute', now()), gen_random_uuid(), array_fill(1, array[46]), 10`
    const found = await health()
    assert.equal(found.api.state, 'bad')
    assert.match(found.sentence, /of the last answers were faults/)
    await scene.sql`delete from private.response_minutes`
    assert.equal((await health()).api.state, 'good')
  })

  test('only the provider sees it or acts on it', async () => {
    const acme = await scene.company()
    const ana = await acme.hire('Ana')
    for (const { api } of [acme.admin, ana]) {
      await refuses('forbidden', api.system.health({}))
      await refuses('forbidden', api.system.figures({}))
      await refuses('forbidden', api.system.retry_jobs({}))
      await refuses('forbidden', api.system.check_updates({}))
    }
    await refuses('not_signed_in', scene.visitor.system.health({}))
  })
})
