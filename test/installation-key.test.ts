// A database and its key belong together: any other key, or none, is found before anything is served.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { backUp } from '#backups/backup.server.ts'
import { openServices } from '#services.server.ts'
import { openWorker } from '#worker.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { testDatabase } from './database.ts'
import { openedScene } from './world/scene.ts'

const anotherKey = () => randomBytes(32).toString('base64')

describe('a database with its key', () => {
  const scene = openedScene()
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-key-'))
    await scene.superAdmin() // signed in, so there is a signing key
  })
  after(async () => {
    await rm(folder, { recursive: true })
  })

  const settings = (env: Record<string, string>) => readConfig({ ...scene.env, ...env })
  const starts = async (env: Record<string, string>) =>
    (await openServices(settings(env), scene.database_url)).close()
  const wrong = /INSTALLATION_KEY is not the key that this database was set up with: bring back/
  const lost = /set up with a key, and none is here: set INSTALLATION_KEY to it, or put it back as/

  test('is served with that key again', () => starts({}))

  test('is not served with another one, nor are its jobs done', async () => {
    await assert.rejects(starts({ INSTALLATION_KEY: anotherKey() }), wrong)
    const config = settings({ INSTALLATION_KEY: anotherKey() })
    const worker = openWorker(config, scene.database_url, scene.sql, makeLog('fatal'))
    await assert.rejects(worker, wrong)
  })

  test('is not served when the key is lost, and no new one is made', async () => {
    await assert.rejects(starts({ DATA_FOLDER: folder }), lost)
    assert.ok(!existsSync(path.join(folder, 'installation.key')))
  })

  test('tells of a wrong file by its place', async () => {
    await writeFile(path.join(folder, 'installation.key'), anotherKey())
    await assert.rejects(starts({ DATA_FOLDER: folder }), /installation\.key is not the key that/)
    await writeFile(path.join(folder, 'installation.key'), 'short')
    await assert.rejects(starts({ DATA_FOLDER: folder }), /installation\.key is damaged/)
    await rm(path.join(folder, 'installation.key'))
  })

  test('is not backed up with another one, nor without', async () => {
    const place = { url: scene.database_url, data_folder: folder, to: path.join(folder, 'backup') }
    await assert.rejects(backUp({ ...place, key: anotherKey() }), wrong)
    await assert.rejects(backUp(place), lost)
    assert.ok(!existsSync(place.to))
  })

  test('exchanged under a running server is no longer ready', async () => {
    const ready = () => scene.services.app.request('/readyz')
    assert.equal((await ready()).status, 200)
    const [{ key_fingerprint }] = await scene.sql<[{ key_fingerprint: string }]>`
      select key_fingerprint from private.installation`
    await scene.sql`update private.installation set key_fingerprint = '0123456789abcdef'`
    const answer = await ready()
    assert.equal(answer.status, 503)
    assert.match(((await answer.json()) as { reason: string }).reason, /INSTALLATION_KEY is not/)
    await scene.sql`update private.installation set key_fingerprint = ${key_fingerprint}`
    assert.equal((await ready()).status, 200)
  })

  test('of a version that kept no fingerprint takes the key that opens it, and no other', async () => {
    await scene.sql`update private.installation set key_fingerprint = null`
    await assert.rejects(starts({ INSTALLATION_KEY: anotherKey() }), wrong)
    await assert.rejects(starts({ DATA_FOLDER: folder }), lost)
    await starts({})
    await assert.rejects(starts({ INSTALLATION_KEY: anotherKey() }), wrong)
  })
})

test('of two servers with different keys that start together, one serves', async () => {
  const database = await testDatabase()
  const config = () =>
    readConfig({ INSTALLATION_KEY: anotherKey(), LOG_LEVEL: 'fatal', ADVISORY_REGISTRY: 'off' })
  const both = await Promise.allSettled([
    openServices(config(), database.url),
    openServices(config(), database.url),
  ])
  const [refused, ...others] = both.filter((one) => one.status === 'rejected')
  assert.match(String(refused?.reason), /is not the key that this database was set up with/)
  assert.deepEqual(others, [])
  for (const one of both) if (one.status === 'fulfilled') await one.value.close(60_000)
  await database.drop()
})
