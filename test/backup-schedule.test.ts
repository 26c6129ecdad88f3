// Backups by themselves: a worker that is told when makes them, and only those that are due to go go.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeBackup } from '#backups/jobs.server.ts'
import { openWorker } from '#worker.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { openedScene } from './world/scene.ts'
import { until } from './until.ts'

describe('scheduled backups', () => {
  const scene = openedScene()
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-schedule-'))
  })
  after(async () => {
    await rm(folder, { recursive: true })
  })
  const settings = (more: Record<string, string> = {}) =>
    readConfig({ ...scene.env, BACKUP_FOLDER: folder, BACKUP_SCHEDULE: '17 2 * * *', ...more })
  const tools = () => ({ sql: scene.sql, log: makeLog('fatal') })

  test('are complete, and outdated and unfinished ones are deleted', async () => {
    const [old, cut] = ['2020-01-01T021700', '2020-01-02T021700.part']
    for (const name of [old, cut, 'friday']) await mkdir(path.join(folder, name))
    await utimes(path.join(folder, cut), 1, 1)
    const keep = { BACKUP_KEEP: '1 day, 1 week, 1 month', BACKUP_WITH_KEY: 'off' }
    await makeBackup(settings(keep), scene.database_url)({}, tools())
    const [made, friday, ...others] = await readdir(folder)
    assert.deepEqual([friday, others], ['friday', []])
    const manifest = JSON.parse(
      await readFile(path.join(folder, made ?? '', 'manifest.json'), 'utf8'),
    )
    assert.equal(manifest.key.included, false)
    const [last] = await scene.sql`
      select at > now() - interval '1 minute' as now from private.last_backup`
    assert.equal(last?.now, true)
  })

  test('one that fails deletes no other, and is reported', async () => {
    const there = await readdir(folder)
    const wrong = settings({ INSTALLATION_KEY: Buffer.alloc(32, 7).toString('base64') })
    await assert.rejects(
      makeBackup(wrong, scene.database_url)({}, tools()),
      /INSTALLATION_KEY is not the key/,
    )
    assert.deepEqual(await readdir(folder), there)
  })

  test('are made by the worker that has a schedule, and by no other', async () => {
    await scene.sql`select add_job('backups:make', key => 'once')`
    const waiting = async () => {
      const [found] = await scene.sql<[{ count: number }]>`
        select count(*)::int as count from graphile_worker.jobs where task_identifier = 'backups:make'`
      return found.count
    }
    const { BACKUP_SCHEDULE: _, ...unaware } = settings()
    const config = { ...unaware, BACKUP_SCHEDULE: undefined }
    const other = await openWorker(config, scene.database_url, scene.sql, makeLog('fatal'))
    await scene.sql`select add_job('funds:seal', key => 'after')`
    await other.stop()
    assert.equal(await waiting(), 1)
    const worker = await openWorker(settings(), scene.database_url, scene.sql, makeLog('fatal'))
    await until(async () => (await waiting()) === 0, 'its backup')
    await worker.stop()
    assert.equal((await readdir(folder)).filter((name) => name !== 'friday').length, 1)
  })

  test('a schedule or a count that cannot be read is refused by name', () => {
    assert.throws(() => settings({ BACKUP_SCHEDULE: 'nightly' }), /BACKUP_SCHEDULE: must be five/)
    for (const never of ['61 2 * * *', '0 24 * * *', '0 2 0 * *', '0 2 * 13 *', '0 2 * * 7'])
      assert.throws(
        () => settings({ BACKUP_SCHEDULE: never }),
        /BACKUP_SCHEDULE: must have minutes/,
      )
    for (const good of ['*/15 0-6,22 * * 1-5', '0 2 31 12 0'])
      assert.equal(settings({ BACKUP_SCHEDULE: good }).BACKUP_SCHEDULE, good)
    assert.throws(() => settings({ BACKUP_KEEP: '7' }), /BACKUP_KEEP: must be like 7 days, 4/)
  })
})
