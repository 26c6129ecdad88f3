// A worker that is killed over a report: another one finishes it, or it fails with the reason and Retry.
import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { before, test } from 'node:test'
import { openWorker } from '#worker.server.ts'
import { makeLog } from '#lib/log.server.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'

const scene = openedScene()
let boss: Person
before(async () => {
  boss = await scene.superAdmin()
  await scene.company()
})

const worker_file = new URL('../commands/worker.server.ts', import.meta.url)
const find = async (id: string) =>
  (await boss.api.reports.list({})).reports.find((report) => report.id === id)!
const ask = (from: string) => boss.api.reports.generate({ kind: 'fund_allocation', from, to: from })

/** While the ledger is locked the report cannot be finished; then the process dies as by a power cut. */
async function killedOver(id: string) {
  let child: ChildProcess | undefined
  await scene.sql.begin(async (tx) => {
    await tx`lock table transfers in access exclusive mode`
    const env = { ...process.env, ...scene.env, DATABASE_URL: scene.database_url }
    child = fork(worker_file, { env })
    await until(async () => {
      const [found] = await tx<[{ status: string }]>`select status from reports where id = ${id}`
      return found.status === 'making'
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  // The state a minute later: the worker gave no sign of life since.
  await scene.sql`update private.processes set heartbeat_at = now() - interval '2 minutes' where kind = 'worker'`
  await scene.sql`update graphile_worker._private_jobs set locked_at = now() - interval '2 minutes'
    where locked_at is not null`
}

test('a report over which the worker was killed is finished by the next one', async () => {
  const { id } = await ask('2026-01')
  await killedOver(id)
  assert.equal((await find(id)).status, 'making')
  const next = await openWorker(scene.config, scene.database_url, scene.sql, makeLog('fatal'))
  try {
    await next.look()
    await until(async () => (await find(id)).status === 'ready')
    const file = await boss.api.reports.file({ id, format: 'pdf' })
    assert.equal(await file.slice(0, 5).text(), '%PDF-')
  } finally {
    await next.stop()
  }
})

test('over which three were killed it has failed, says why, and is made on Retry', async () => {
  const { id } = await ask('2026-02')
  await killedOver(id)
  await scene.sql`update reports set tries = 3 where id = ${id}`
  const next = await openWorker(scene.config, scene.database_url, scene.sql, makeLog('fatal'))
  try {
    await next.look()
    await until(async () => (await find(id)).status === 'failed')
    assert.match((await find(id)).fault!, /^The worker ended before it was finished/)
    await boss.api.reports.retry({ id })
    await until(async () => (await find(id)).status === 'ready')
  } finally {
    await next.stop()
  }
})
