// Receipts in a bucket are part of a backup, too, and come back to wherever an installation keeps its files.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { filesBelow } from '#backups/archive.server.ts'
import { readConfig, type Config } from '#lib/config.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { openFiles, type StoredFile } from '#lib/files.server.ts'
import { s3Storage } from '#lib/s3.server.ts'
import { backUp } from '#backups/backup.server.ts'
import { restore } from '#backups/restore.server.ts'
import { pharmacy, receiptPdf } from './world/papers.ts'
import type { Person } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import { openS3 } from './s3.ts'

type S3 = Awaited<ReturnType<typeof openS3>>

describe('receipts on S3', () => {
  let folder: string
  let s3: S3
  let other: S3
  let scene: Scene
  let ana: Person
  let server: Sql
  let places = 0
  const config = (env: Record<string, string>) => readConfig({ ...env, LOG_LEVEL: 'fatal' })
  const options = (to: string, from: S3 = s3) => ({
    url: scene.database_url,
    data_folder: path.join(folder, 'data'),
    to: path.join(folder, to),
    bucket: s3Storage(config(from.env)),
  })

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-backup-s3-'))
    s3 = await openS3()
    other = await openS3()
    scene = await openScene({ env: { ...s3.env, DATA_FOLDER: path.join(folder, 'data') } })
    server = connect(scene.database_url, { max: 1 })
    ana = await (await scene.company()).hire('Ana')
    const pdf = Buffer.from(await receiptPdf(pharmacy))
    for (const name of ['one.pdf', 'two.pdf'])
      await ana.api.receipts.upload({ file_name: name }, { file: new Blob([pdf, name]) })
  })
  after(async () => {
    await server.end()
    await scene.close()
    await s3.close()
    await other.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** An empty database and an empty folder, brought back to what the backup holds. */
  async function restored(from: string, into: Record<string, string>) {
    const name = `restored_s3_${process.pid}_${(places += 1)}`
    await server.unsafe(`create database ${name}`)
    const url = databaseNamed(scene.database_url, name)
    const drop = () => server.unsafe(`drop database ${name} with (force)`)
    const data_folder = await mkdtemp(path.join(folder, 'restored-'))
    const settings = config({ ...into, DATA_FOLDER: data_folder })
    const place = { url, data_folder, bucket: s3Storage(settings) }
    const done = await restore({ ...place, from: path.join(folder, from) }).catch(
      (error: unknown) => error,
    )
    return { done, settings, data_folder, url, drop }
  }

  /** Each receipt can be opened where it lies now. */
  async function opens(url: string, settings: Config) {
    const sql = connect(url, { max: 2 })
    const key = await readFile(path.join(settings.DATA_FOLDER, 'installation.key'), 'utf8')
    const installation_key = Buffer.from(key, 'base64')
    const files = openFiles({ config: settings, sql, installation_key })
    const rows = await sql<
      StoredFile[]
    >`select storage_key, file_key, wrapped_key, parts from receipts`
    assert.equal(rows.length, 2)
    for (const row of rows)
      for (const part of Object.keys(row.parts)) assert.ok((await files.open(row, part)).length > 0)
    await sql.end()
  }

  test('are in the backup, sealed, and come back to another bucket', async () => {
    const made = await backUp(options('whole'))
    assert.equal(made.files.length, 2)
    assert.deepEqual([made.lost, made.receipts_on_s3], [[], false])
    for (const { file } of made.files)
      assert.ok(!(await readFile(path.join(folder, 'whole', file))).includes('%PDF'))
    const { done, settings, data_folder, url, drop } = await restored('whole', other.env)
    assert.ok(!(done instanceof Error), String(done))
    assert.deepEqual(await filesBelow(path.join(data_folder, 'files')), [])
    await opens(url, settings)
    await drop()
  })

  test('come back to a disk, and from there to the bucket that still has them', async () => {
    const { settings, data_folder, url, drop } = await restored('whole', {})
    assert.equal((await filesBelow(path.join(data_folder, 'files'))).length, 2)
    await opens(url, settings)
    await drop()
    const again = await restored('whole', s3.env)
    assert.ok(!(again.done instanceof Error), String(again.done))
    await opens(again.url, again.settings)
    await again.drop()
  })

  test('stay in their bucket where that is wanted, and the backup says so', async () => {
    const made = await backUp({ ...options('lean'), with_receipts: false })
    assert.deepEqual([made.files, made.receipts_on_s3], [[], true])
    const { settings, url, drop } = await restored('lean', s3.env)
    await opens(url, settings)
    await drop()
  })

  test('a restore that fails takes back what it put, and leaves what was there', async () => {
    const third = await openS3()
    const bucket = s3Storage(config(third.env))!
    const keys = (await backUp(options('clash'))).files.map(({ file }) =>
      file.slice('files/'.length),
    )
    await bucket.put(keys[1]!, Buffer.from('somebody else’s'))
    const { done, drop } = await restored('clash', third.env)
    assert.match(String(done), /The bucket holds something else/)
    assert.equal(await bucket.whole(keys[0]!), undefined)
    assert.equal(String(Buffer.from((await bucket.whole(keys[1]!))!)), 'somebody else’s')
    await drop()
    await third.close()
  })

  test('one that is lost is named, and the rest is backed up all the same', async () => {
    const [row] = await scene.sql<
      [{ storage_key: string }]
    >`select storage_key from receipts limit 1`
    const bucket = s3Storage(config(s3.env))!
    const bytes = (await bucket.whole(row.storage_key))!
    await bucket.remove(row.storage_key)
    const made = await backUp(options('lossy'))
    assert.deepEqual([made.lost, made.files.length], [[row.storage_key], 1])
    await bucket.put(row.storage_key, bytes)
  })

  test('no backup that cannot reach the bucket looks whole', async () => {
    const away = await openS3()
    await away.close()
    await assert.rejects(backUp(options('away', away)), { code: 'storage_away' })
    await assert.rejects(readFile(path.join(folder, 'away/manifest.json')), { code: 'ENOENT' })
  })

  test('a manifest that names files outside of the backup is refused', async () => {
    const file = path.join(folder, 'lean/manifest.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    manifest.files.push({ file: 'files/../../outside', sha256: '0' })
    await writeFile(file, JSON.stringify(manifest))
    const { done, drop } = await restored('lean', s3.env)
    assert.match(String(done), /a backup this version cannot read/)
    await drop()
  })
})
