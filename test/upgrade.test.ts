// A backup that an earlier version made comes back under this one: brought up to date, and all of it there.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { columnList, quoted, readManifest, type Manifest } from '#backups/archive.server.ts'
import { restore } from '#backups/restore.server.ts'
import { verifyAudits } from '#audit/verify.server.ts'
import { openServices, type Services } from '#services.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { ownSchema, migrationState } from '#lib/migrate.server.ts'
import { version } from '#lib/version.server.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { peopleAt, type Api } from './world/people.ts'

/** A backup made with that version by make-backup.ts: a company whose claims were decided and paid. */
const from = path.join(import.meta.dirname, 'fixtures/backup-0.1')
/** Tables that a running server keeps changing. */
const changed = ['private.processes', 'private.response_minutes', 'private.advisory_check']

describe('an upgrade from 0.1', () => {
  let test_database: TestDatabase
  let url: string
  let sql: Sql
  let folder: string
  let manifest: Manifest
  let ledger: string
  let services: Services | undefined
  before(async () => {
    test_database = await testDatabase()
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-upgrade-'))
    const name = `test_${process.pid}_upgrade`
    const owner = connect(test_database.url, { max: 1 })
    await owner`create database ${owner(name)}`
    await owner.end()
    url = databaseNamed(test_database.url, name)
    sql = connect(url, { max: 2 })
    const restored = await restore({ url, data_folder: folder, from })
    manifest = restored.manifest
    ledger = restored.ledger
  })
  after(async () => {
    await services?.close()
    await sql.end()
    const owner = connect(test_database.url, { max: 1 })
    await owner`drop database ${owner(`test_${process.pid}_upgrade`)} with (force)`
    await owner.end()
    await test_database.drop()
    await rm(folder, { recursive: true })
  })

  test('begins with the tables as they were, and goes every step since', async () => {
    const { tables } = await ownSchema()
    const own = tables.map(({ path: file, hash }) => ({ name: path.basename(file), hash }))
    assert.deepEqual(manifest.migrations, own.slice(0, manifest.migrations.length))
    const migrations = await sql`select name, hash from migrations order by name`
    assert.deepEqual(
      migrations.map((one) => ({ ...one })),
      own,
    )
    assert.equal(await migrationState(sql), 'current')
    const [applied] = await sql`select version from private.applied_code`
    assert.equal(applied?.version, version)
    assert.match((await readManifest(from)).version, /^0\.1\./)
  })

  test('leaves each row as it was', async () => {
    for (const { name, columns, file } of manifest.tables) {
      if (changed.includes(name)) continue
      const query = `copy (select ${columnList(columns)} from ${quoted(name)}) to stdout`
      const now = await sql.begin(async (tx) => text(await tx.unsafe(query).readable()))
      const then = gunzipSync(await readFile(path.join(from, file))).toString()
      const lines = (rows: string) => rows.split('\n').toSorted()
      assert.deepEqual(lines(now), lines(then), name)
    }
  })

  test('leaves ledgers and audit good', async () => {
    assert.match(ledger, /29 transfers.*all good/)
    const audit = await verifyAudits(sql)
    assert.deepEqual([audit.good, audit.sentence], [true, '114 entries, all good'])
  })

  test('lets people in by their passwords, to their claims, money and receipts', async () => {
    const opened = await openServices(readConfig({ DATA_FOLDER: folder, LOG_LEVEL: 'fatal' }), url)
    services = opened
    const { claims } = await (await signedIn(opened, 'ana')).claims.mine({})
    assert.deepEqual(
      claims.map(({ amount_cents, status, payment }) => [amount_cents, status, payment]),
      [
        [9000, 'pending', null],
        [4000, 'approved', 'paid'],
        [3000, 'approved', 'paid'],
      ],
    )
    const receipts = await sql<Parameters<Services['files']['open']>[0][]>`
      select storage_key, file_key, wrapped_key, parts from receipts`
    assert.equal(receipts.length, 8)
    for (const receipt of receipts)
      for (const part of Object.keys(receipt.parts))
        assert.ok((await opened.files.open(receipt, part)).length > 100, part)
  })

  async function signedIn(services: Services, name: string): Promise<Api> {
    const [person] = await sql<[{ email: string }]>`
      select email from auth.users where email like ${`${name}@%`}`
    return (await peopleAt(services, sql).signIn(person.email)).api
  }
})
