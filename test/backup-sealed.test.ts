// Backups that only the holder of a private key opens, kept in a bucket, and restored for trial.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { filesBelow, readManifest } from '#backups/archive.server.ts'
import { backUp } from '#backups/backup.server.ts'
import { backupBucket, namesIn } from '#backups/bucket.server.ts'
import { drill } from '#backups/drill.server.ts'
import { scheduledDrill, makeBackup, nextBackup } from '#backups/jobs.server.ts'
import { stampOf } from '#backups/keeping.ts'
import { restore } from '#backups/restore.server.ts'
import { makePair } from '#backups/sealed.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { connect, databaseNamed } from '#lib/db.server.ts'
import { isKeptFile } from '#lib/files.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { runCommand } from './command-run.ts'
import { contentsOf } from './database-contents.ts'
import { utcToday } from './world/money.ts'
import { pharmacy, receiptPdf } from './world/papers.ts'
import type { Person } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import { openS3 } from './s3.ts'
import { send } from './world/receipts.ts'
import { until } from './until.ts'

let scene: Scene
let boss: Person
let folder: string
let s3: Awaited<ReturnType<typeof openS3>>
let pair: Awaited<ReturnType<typeof makePair>>
let own_env: Record<string, string>
const tools = () => ({ sql: scene.sql, log: makeLog('fatal') })
const settings = (more: Record<string, string> = {}) => readConfig({ ...own_env, ...more })

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-sealed-'))
  s3 = await openS3()
  pair = await makePair()
  scene = await openScene({ env: { DATA_FOLDER: path.join(folder, 'data') } })
  boss = await scene.superAdmin()
  const company = await scene.company({ name: 'Sealed Works' })
  await send(await company.hire('Ana'), Buffer.from(await receiptPdf(pharmacy)), 'bill.pdf')
  const once = { amount_cents: 500_000, occurred_on: utcToday(), reference: 'first' }
  await boss.api.funds.contribute({ company_id: company.id, ...once })
  await writeFile(path.join(folder, 'private-key'), `# of the operator\n${pair.private_key}\n`)
  own_env = {
    ...scene.env,
    DATABASE_URL: scene.database_url,
    BACKUP_FOLDER: path.join(folder, 'backups'),
    BACKUP_ENCRYPT_TO: pair.public_key,
    BACKUP_S3_ENDPOINT: s3.env.S3_ENDPOINT,
    BACKUP_S3_BUCKET: s3.env.S3_BUCKET,
    BACKUP_S3_ACCESS_KEY_ID: s3.env.S3_ACCESS_KEY_ID,
    BACKUP_S3_SECRET_ACCESS_KEY: s3.env.S3_SECRET_ACCESS_KEY,
    BACKUP_DRILL_URL: await emptyDatabase('drill'),
  }
})
after(async () => {
  for (const name of databases) await scene.sql.unsafe(`drop database ${name} with (force)`)
  await scene.close()
  await s3.close()
  await rm(folder, { recursive: true })
})

const databases: string[] = []
async function emptyDatabase(purpose: string) {
  const name = `test_${process.pid}_sealed_${purpose}`
  await scene.sql.unsafe(`create database ${name}`)
  databases.push(name)
  return databaseNamed(scene.database_url, name)
}
const bucket = () => backupBucket(settings())!
const place = () => ({ url: scene.database_url, data_folder: path.join(folder, 'data') })

describe('an encrypted backup', () => {
  const sealed = () => path.join(folder, 'sealed')

  test('shows nothing but its manifest, which names the version and the key', async () => {
    const made = await backUp({ ...place(), to: sealed(), seal_to: [pair.public_key] })
    const files = await filesBelow(sealed())
    assert.ok(files.length > 20)
    for (const file of files) {
      if (file === 'manifest.json') continue
      const bytes = await readFile(path.join(sealed(), file))
      assert.match(file, /\.age$/)
      assert.match(bytes.toString('latin1'), /^age-encryption\.org\/v1\n-> X25519 /, file)
    }
    const manifest = await readManifest(sealed())
    assert.deepEqual([manifest.format, manifest.sealed_to], [2, [pair.public_key]])
    assert.match(manifest.version, /^\d+\.\d+\.\d+/)
    assert.equal(made.files.length, 1)
    assert.doesNotMatch(JSON.stringify(manifest), /\bana\b|sealed works/i)
  })

  test('is restored unchanged with the private key, and not without it', async () => {
    const url = await emptyDatabase('back')
    const into = { url, data_folder: path.join(folder, 'back'), from: sealed() }
    await assert.rejects(restore(into), /encrypted to age1.*--private-key/)
    const other = await makePair()
    await assert.rejects(
      restore({ ...into, private_keys: [other.private_key] }),
      /None of the private keys given opens this backup/,
    )
    const { ledger } = await restore({
      ...into,
      private_keys: [other.private_key, pair.private_key],
    })
    assert.match(ledger, /all good/)
    const sql = connect(url, { max: 2 })
    assert.deepEqual(await contentsOf(sql), await contentsOf(scene.sql))
    await sql.end()
    const kept = (await filesBelow(path.join(folder, 'data/files'))).filter(isKeptFile)
    assert.ok(kept.length > 0)
    for (const file of [...kept.map((key) => `files/${key}`), 'installation.key'])
      assert.deepEqual(
        await readFile(path.join(folder, 'back', file)),
        await readFile(path.join(folder, 'data', file)),
      )
  })

  test('is opened by the tool age as well, where that is installed', (t) => {
    try {
      const part = path.join(sealed(), 'installation.key.age')
      const key = execFileSync('age', ['-d', '-i', path.join(folder, 'private-key'), part])
      assert.equal(Buffer.from(String(key), 'base64').length, 32)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      t.diagnostic('age is not installed here (Debian: age)')
    }
  })

  test('needs a valid public key', () => {
    const faulty = { BACKUP_ENCRYPT_TO: 'age1nonsense' }
    assert.throws(() => settings(faulty), /BACKUP_ENCRYPT_TO: must be public keys of age/)
    const private_one = { BACKUP_ENCRYPT_TO: pair.private_key }
    assert.throws(() => settings(private_one), /BACKUP_ENCRYPT_TO: must be/)
  })
})

describe('backups in a bucket', () => {
  test('are complete there, the folder keeps the newest alone, and outdated ones go from both', async () => {
    const old = '2020-01-01T021700'
    for (const name of ['manifest.json', 'tables/a'])
      await bucket().put(`${old}/${name}`, Buffer.from('{}'))
    await bucket().put('friday/manifest.json', Buffer.from('{}'))
    const config = settings({ BACKUP_KEEP: '1 day, 1 week, 1 month' })
    await makeBackup(config, scene.database_url)({}, tools())
    const [name = '', ...others] = await readdir(config.BACKUP_FOLDER)
    assert.deepEqual(others, [])
    assert.deepEqual(await namesIn(bucket()), [name, 'friday'])
    assert.deepEqual((await bucket().keys(`${old}/`)).concat(await bucket().keys('nothing/')), [])
    const files_here = (await filesBelow(path.join(config.BACKUP_FOLDER, name))).toSorted()
    const there = (await bucket().keys(`${name}/`)).map((key) => key.slice(name.length + 1))
    assert.deepEqual(there.toSorted(), files_here)
  })

  test('one that cannot be copied is reported, and deletes no other', async () => {
    const away = await openS3()
    await away.close()
    const config = settings({ BACKUP_S3_ENDPOINT: away.env.S3_ENDPOINT })
    const there = await readdir(config.BACKUP_FOLDER)
    await assert.rejects(nextBackup(config, scene.database_url), { code: 'storage_away' })
    for (const name of there) assert.ok((await readdir(config.BACKUP_FOLDER)).includes(name))
  })

  test('two that are due at the same moment are made one after the other', async () => {
    const both = await Promise.all([1, 2].map(() => nextBackup(settings(), scene.database_url)))
    const names = both.map(({ to }) => path.basename(to))
    assert.equal(new Set(names).size, 2)
    // The newest of a day stays.
    assert.ok((await namesIn(bucket())).includes(names.toSorted()[1]!))
  })

  test('are restored by name, by the commands', async () => {
    const name = (await namesIn(bucket()))[0]!
    const env = {
      ...own_env,
      DATABASE_URL: await emptyDatabase('command'),
      DATA_FOLDER: path.join(folder, 'command'),
    }
    const key = ['--private-key', path.join(folder, 'private-key')]
    const nowhere = await runCommand(['restore', 's3:monday', ...key], env)
    assert.match(nowhere.fault, /The bucket has no whole backup called monday/)
    const { code, out, fault } = await runCommand(['restore', `s3:${name}`, ...key], env)
    assert.deepEqual([code, fault], [0, ''])
    assert.match(out, /Restored as of .*made by version .*\nLedger: .*all good/)
    assert.deepEqual(
      (await readdir(path.join(folder, 'backups'))).filter((one) => one.startsWith('fetched')),
      [],
    )
  })
})

describe('a restore for trial', () => {
  const health = async () => (await boss.api.system.health({})).backups
  const last = async () => {
    const [row] = await scene.sql<[{ good: boolean; sentence: string }]>`
      select good, sentence from private.last_drill`
    return row
  }

  test('proves ledgers and audit of what lies in the bucket, without the operator’s private key', async () => {
    await scheduledDrill(settings(), scene.database_url)({}, tools())
    const { good, sentence } = await last()
    assert.ok(good, sentence)
    assert.match(sentence, /rows, 1 files\. Ledger: .*all good.*Audit: .*entries, all good/)
    const { state, drill: shown, version } = await health()
    assert.deepEqual([state, shown?.sentence], ['good', sentence])
    assert.match(version ?? '', /^\d/)
    const [newest = ''] = (await readdir(settings().BACKUP_FOLDER)).toReversed()
    const { sealed_to } = await readManifest(path.join(settings().BACKUP_FOLDER, newest))
    assert.equal(sealed_to.length, 2)
    const drilled = connect(settings().BACKUP_DRILL_URL!, { max: 1 })
    const [left] = await drilled<[{ tables: number }]>`
      select count(*)::int as tables from pg_tables where schemaname in ('public', 'private', 'auth')`
    await drilled.end()
    assert.equal(left.tables, 0)
  })

  test('of a backup that was spoilt says so, keeps it, and fails', async () => {
    const { to } = await nextBackup(settings(), scene.database_url)
    await writeFile(path.join(to, 'tables/public.companies.copy.gz.age'), 'x')
    const config = settings()
    const trial = { from: to, private_keys: [pair.private_key] }
    const { good, sentence } = await drill(config, scene.database_url, trial)
    assert.deepEqual([good, await last()], [false, { good: false, sentence }])
    assert.match(sentence, /The backup is damaged: tables\/public\.companies/)
    const shown = await health()
    assert.equal(shown.state, 'bad')
    assert.match((await boss.api.system.health({})).sentence, /restored for trial is not good/)
    const name = path.join(settings().BACKUP_FOLDER, stampOf(new Date()))
    assert.notEqual(name, to) // the next one has another name
    await rm(to, { recursive: true })
  })

  test('of one with a forged audit is not good', async () => {
    const open = path.join(folder, 'forged')
    // Others at work on this PostgreSQL may hold the seals up.
    const entry = await until(async () => {
      await scene.sql`select seal_audit(5000)`
      const [sealed] = await scene.sql<{ id: number; actor_role: string }[]>`
        select l.id, l.actor_role from audit_seals s join audit_log l on l.id = s.audit_id limit 1`
      return sealed
    }, 'a sealed entry')
    await scene.sql`update audit_log set actor_role = 'system?' where id = ${entry.id}`
    await backUp({ ...place(), to: open })
    await scene.sql`update audit_log set actor_role = ${entry.actor_role} where id = ${entry.id}`
    const { good, sentence } = await drill(settings(), scene.database_url, { from: open })
    assert.deepEqual(
      [good, /The audit is not good: Entry \d+ was changed/.test(sentence)],
      [false, true],
    )
  })

  test('is a command, too, in a database of its own that is dropped again', async () => {
    const { to } = await nextBackup(settings(), scene.database_url)
    const key = ['--private-key', path.join(folder, 'private-key')]
    const env = { ...own_env, BACKUP_DRILL_URL: '' }
    const closed = await runCommand(['drill', to], env)
    assert.deepEqual([closed.code, /encrypted/.test((await last()).sentence)], [1, false])
    assert.match(closed.fault, /encrypted to age1/)
    const { code, out, fault } = await runCommand(['drill', ...key], env)
    assert.deepEqual([code, fault], [0, ''])
    assert.match(out, /Ledger: .*all good/)
    const fresh = await runCommand(['drill', '--fresh'], env)
    assert.deepEqual([fresh.code, fresh.fault], [0, ''])
    assert.match(fresh.out, /Ledger: .*all good/)
    const left = await scene.sql`
      select from pg_database where datname = current_database() || '_drill'`
    assert.equal(left.length, 0)
  })
})

describe('System health on backups', () => {
  const backups = async () => (await boss.api.system.health({})).backups

  test('is patient with a new installation, then reminds, then calls out', async () => {
    const at = (age: string | null) => scene.sql`
      update private.last_backup set at = now() - ${age}::interval, late_after_hours = 26`
    await scene.sql`update private.last_drill set good = true`
    await at(null)
    const young = await backups()
    assert.deepEqual([young.state, young.sentence], ['unknown', 'No backup was made yet'])
    await scene.sql`update private.advisory_check set since = now() - interval '3 days'`
    assert.equal((await backups()).state, 'notice')
    await at('25 hours')
    assert.equal((await backups()).state, 'good')
    await at('3 days')
    const late = await boss.api.system.health({})
    assert.equal(late.backups.state, 'bad')
    assert.match(late.sentence, /The last backup was made 3 days ago/)
    await scene.sql`update private.last_backup set late_after_hours = 24 * 7`
    assert.equal((await backups()).state, 'good')
  })
})
