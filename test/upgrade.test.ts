// A backup that an earlier version made comes back under this one: brought up to date, and all of it there.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { listed, quoted, readManifest, type Manifest } from '#backups/archive.server.ts'
import { restore } from '#backups/restore.server.ts'
import { verifyAudits } from '#audit/verify.server.ts'
import { openServices, type Services } from '#services.server.ts'
import { TraceRule } from '#claims/words.contract.ts'
import { readConfig } from '#lib/config.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { ownSchema, standingOf } from '#lib/migrate.server.ts'
import { version } from '#lib/version.server.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { apiOf, password, type Api } from './scene.ts'

/** Made by the command of that version (npm run backup), of a company whose claims were decided and paid. */
const from = path.join(import.meta.dirname, 'fixtures/backup-0.1')
/** What this version makes of it on purpose, or goes on telling by itself. */
const changed = [
  'private.processes',
  'private.response_minutes',
  'private.advisory_check',
  'public.notifications',
  'public.claim_events',
]

/** Columns whose meaning stands elsewhere now. */
const gone: Record<string, string[]> = {
  'public.claim_policies': ['one_approver_cents'],
  'public.claims': ['first_by', 'first_cents'],
}

describe('an upgrade from 0.1', () => {
  let beside: TestDatabase
  let url: string
  let sql: Sql
  let folder: string
  let manifest: Manifest
  let ledger: string
  let services: Services | undefined
  before(async () => {
    beside = await testDatabase()
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-upgrade-'))
    const name = `test_${process.pid}_upgrade`
    const owner = connect(beside.url, { max: 1 })
    await owner`create database ${owner(name)}`
    await owner.end()
    url = databaseNamed(beside.url, name)
    sql = connect(url, { max: 2 })
    const restored = await restore({ url, data_folder: folder, from })
    manifest = restored.manifest
    ledger = restored.ledger
  })
  after(async () => {
    await services?.close()
    await sql.end()
    const owner = connect(beside.url, { max: 1 })
    await owner`drop database ${owner(`test_${process.pid}_upgrade`)} with (force)`
    await owner.end()
    await beside.drop()
    await rm(folder, { recursive: true })
  })

  test('has steps to go, and goes all of them', async () => {
    const { tables } = await ownSchema()
    assert.ok(manifest.migrations.length < tables.length, 'the backup is of an older schema')
    assert.equal(await standingOf(sql), 'current')
    const [applied] = await sql`select version from private.applied_code`
    assert.equal(applied?.version, version)
    assert.match((await readManifest(from)).version, /^0\.1\./)
  })

  test('leaves each row as it was', async () => {
    for (const { name, columns, file } of manifest.tables) {
      if (changed.includes(name)) continue
      const kept = columns.filter((column) => !gone[name]?.includes(column))
      const query = `copy (select ${listed(kept)} from ${quoted(name)}) to stdout`
      const now = await sql.begin(async (tx) => text(await tx.unsafe(query).readable()))
      const then = gunzipSync(await readFile(path.join(from, file))).toString()
      const lines = (rows: string) => rows.split('\n').toSorted()
      const asNow = (row: string) =>
        row
          .split('\t')
          .filter((_, at) => row === '' || kept.includes(columns[at]!))
          .join('\t')
      assert.deepEqual(lines(now), lines(then.split('\n').map(asNow).join('\n')), name)
    }
  })

  test('makes steps of what needed a second approval', async () => {
    const policies = await sql<{ above: (number | null)[] }[]>`
      select array(select s.above_cents from unnest(steps) s) as above from claim_policies`
    assert.ok(policies.length > 0)
    assert.ok(policies.every(({ above: [first, second] }) => first === null && second === 30_000))
  })

  test('keeps what people were told in the words it had', async () => {
    const told = await sql<{ code: string; title: string; sentence: string }[]>`
      select code, facts ->> 'title' as title, facts ->> 'sentence' as sentence from notifications`
    assert.ok(told.length > 0)
    assert.ok(told.every(({ code, title }) => code === 'earlier' && title.length > 0))
  })

  test('keeps what was checked of a claim, by codes', async () => {
    const told = await sql<{ rule: string; says: string | null }[]>`
      select s ->> 'rule' as rule, s ->> 'says' as says
      from claim_events, jsonb_array_elements(trace) s`
    assert.ok(told.length > 50)
    assert.ok(told.every(({ rule, says }) => TraceRule.safeParse(rule).success && says === null))
    assert.ok(!told.some(({ rule }) => rule === 'earlier'))
  })

  test('leaves ledgers and audit good', async () => {
    assert.match(ledger, /24 transfers.*all good/)
    const audit = await verifyAudits(sql)
    assert.deepEqual([audit.good, audit.sentence], [true, '70 entries, all good'])
  })

  test('lets people in by their passwords, to their claims, money and receipts', async () => {
    const opened = await openServices(readConfig({ DATA_FOLDER: folder, LOG_LEVEL: 'fatal' }), url)
    services = opened
    const { claims } = await (await signedIn(opened, 'ana')).claims.mine({})
    assert.deepEqual(
      claims.map(({ amount_cents, status, payment }) => [amount_cents, status, payment]),
      [
        [3000, 'approved', 'paid'],
        [4000, 'approved', 'paid'],
        [2500, 'pending', null],
      ],
    )
    const [receipt] = await sql<Parameters<Services['files']['open']>[0][]>`
      select storage_key, file_key, wrapped_key, parts from receipts where parts <> '{}'`
    assert.ok(receipt)
    for (const part of Object.keys(receipt.parts))
      assert.ok((await opened.files.open(receipt, part)).length > 100, part)
  })

  async function signedIn(services: Services, name: string): Promise<Api> {
    const [person] = await sql<[{ email: string }]>`
      select email from auth.users where email like ${`${name}@%`}`
    const answer = await services.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password }),
    })
    assert.equal(answer.status, 200)
    return apiOf(services, (await answer.json()).access_token)
  }
})
