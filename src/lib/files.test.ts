// Promises of kept files: sealed, whole or not at all, on disk and on S3, whatever is away or full.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '#lib/config.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { Problem } from '#problems.ts'
import { testDatabase } from '../../test/database.ts'
import { openS3 } from '../../test/s3.ts'
import { renewFileKey } from './file-keys.server.ts'
import { diskStorage, openFiles, type Files } from './files.server.ts'
import type { Storage } from './s3.server.ts'

const installation_key = randomBytes(32)
const text = (words: string) => new Uint8Array(Buffer.from(words))
const parts = [
  { name: 'small', bytes: text('a small picture') },
  { name: 'file', bytes: text('a diagnosis that is nobody’s business '.repeat(2000)) },
]
const refused = (code: string, act: Promise<unknown>) =>
  assert.rejects(act, (error) => error instanceof Problem && error.code === code)

let sql: Sql
let folder: string
let drop: () => Promise<void>
before(async () => {
  const database = await testDatabase()
  sql = connect(database.url)
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-files-'))
  drop = async () => {
    await sql.end()
    await database.drop()
    await rm(folder, { recursive: true })
  }
})
after(() => drop())

const open_with = (env: Record<string, string> = {}, storage?: Storage): Files =>
  openFiles({
    config: readConfig({ DATA_FOLDER: folder, ...env }),
    sql,
    installation_key,
    ...(storage ? { storage } : {}),
  })

async function everything(from: string): Promise<string[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** The kernel's own answer, where it has a disk that is always full. */
async function fullDisk() {
  if (process.platform === 'linux') await writeFile('/dev/full', 'something')
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}

describe('a file on disk', () => {
  test('comes back part by part, and its bytes say nothing', async () => {
    const files = open_with()
    const place = await files.put('acme/ab/one', parts)
    assert.equal((await files.open(place, 'small')).toString(), 'a small picture')
    assert.deepEqual(new Uint8Array(await files.open(place, 'file')), parts[1]?.bytes)
    await refused('not_found', files.open(place, 'large-2'))
    const kept = await readFile(path.join(folder, 'files/acme/ab/one'))
    assert.ok(!kept.includes('diagnosis') && !kept.includes('picture'))
    assert.deepEqual(await everything(path.join(folder, 'files')), [
      path.join(folder, 'files/acme/ab/one'),
    ])
    await files.remove(place.storage_key)
    assert.deepEqual(await everything(path.join(folder, 'files')), [])
    await files.remove(place.storage_key)
    await refused('file_damaged', files.open(place, 'small'))
  })

  test('that was changed, cut short or put in another’s place is refused', async () => {
    const files = open_with()
    const place = await files.put('acme/ab/two', parts)
    const other = await files.put('acme/ab/three', parts)
    const file = path.join(folder, 'files/acme/ab/two')
    const good = await readFile(file)
    const changed = Buffer.from(good)
    changed[40] = (changed[40] ?? 0) ^ 1
    await writeFile(file, changed)
    await refused('file_damaged', files.open(place, 'small'))
    await writeFile(file, good.subarray(0, 30))
    await refused('file_damaged', files.open(place, 'small'))
    await writeFile(file, await readFile(path.join(folder, 'files/acme/ab/three')))
    await refused('file_damaged', files.open(place, 'file'))
    await refused('file_damaged', files.open({ ...place, wrapped_key: other.wrapped_key }, 'file'))
    await writeFile(file, good)
    assert.equal((await files.open(place, 'small')).toString(), 'a small picture')
    const [at, length] = place.parts.small ?? [0, 0]
    await refused('file_damaged', files.open({ ...place, parts: { file: [at, length] } }, 'file'))
    const elsewhere = openFiles({
      config: readConfig({ DATA_FOLDER: folder }),
      sql,
      installation_key: randomBytes(32),
    })
    await assert.rejects(elsewhere.open(place, 'small'), /unable to authenticate data/)
  })

  test('on a full disk leaves nothing, and says so', async () => {
    const there = path.join(folder, 'full')
    const storage = diskStorage(there, async (file) => {
      const draft = await open(file, 'w')
      return { writeFile: () => fullDisk(), sync: () => draft.sync(), close: () => draft.close() }
    })
    await refused('storage_full', open_with({}, storage).put('acme/ab/four', parts))
    assert.deepEqual(await everything(there), [])
    const { ok, reason } = await open_with({}, storage).probe()
    assert.deepEqual([ok, reason], [false, new Problem('storage_full').message])
  })

  test('that was cut short while it was written goes with its name', async () => {
    const there = path.join(folder, 'files/acme/cd')
    await mkdir(there, { recursive: true })
    await writeFile(path.join(there, 'five.draft'), 'half')
    await open_with().remove('acme/cd/five')
    assert.deepEqual(await everything(there), [])
  })

  test('where nothing can be written is told as away, in the probe too', async () => {
    await writeFile(path.join(folder, 'in-the-way'), '')
    const storage = diskStorage(path.join(folder, 'in-the-way'))
    await refused('storage_away', open_with({}, storage).put('acme/ab/six', parts))
    assert.equal((await open_with({}, storage).probe()).ok, false)
    const probe = await open_with().probe()
    assert.deepEqual([probe.kind, probe.ok], ['disk', true])
    assert.ok(probe.ms > 0)
  })
})

describe('the keys of files', () => {
  test('of two servers that start together are the same', async () => {
    await sql`delete from private.file_keys`
    const [one, other] = [open_with(), open_with()]
    const places = await Promise.all([one.put('acme/ef/1', parts), other.put('acme/ef/2', parts)])
    assert.equal((await sql`select from private.file_keys`).length, 1)
    assert.equal((await other.open(places[0], 'small')).toString(), 'a small picture')
    assert.equal((await one.open(places[1], 'small')).toString(), 'a small picture')
  })

  test('are renewed, and what was sealed before still opens', async () => {
    const files = open_with()
    const before_it = await files.put('acme/ef/3', parts)
    await renewFileKey(sql, installation_key)
    const fresh = open_with()
    const rewrapped = { ...before_it, ...(await fresh.rewrap(before_it)) }
    assert.notEqual(rewrapped.file_key, before_it.file_key)
    assert.notDeepEqual(rewrapped.wrapped_key, before_it.wrapped_key)
    for (const place of [before_it, rewrapped]) {
      assert.equal((await files.open(place, 'small')).toString(), 'a small picture')
    }
  })

  test('lie in the database wrapped', async () => {
    const [row] = await sql<
      { wrapped_key: Uint8Array }[]
    >`select wrapped_key from private.file_keys limit 1`
    assert.equal(row?.wrapped_key.length, 12 + 16 + 32)
  })
})

describe('a file on S3', () => {
  test('is put, read by parts and removed; a wrong key and a lost server are told as away', async () => {
    const s3 = await openS3()
    try {
      const files = open_with(s3.env)
      const place = await files.put('acme/ab/one', parts)
      assert.equal((await files.open(place, 'small')).toString(), 'a small picture')
      assert.deepEqual(new Uint8Array(await files.open(place, 'file')), parts[1]?.bytes)
      assert.deepEqual((({ kind, ok }) => [kind, ok])(await files.probe()), ['s3', true])
      for (const file of await everything(s3.directory)) {
        assert.ok(!(await readFile(file)).includes('diagnosis'), file)
      }
      const thief = open_with({ ...s3.env, S3_SECRET_ACCESS_KEY: 'guessed' })
      await refused('storage_away', thief.put('acme/ab/two', parts))
      await refused('storage_away', thief.open(place, 'small'))
      await refused('storage_away', thief.remove(place.storage_key))
      const nowhere = open_with({ ...s3.env, S3_BUCKET: 'elsewhere' })
      await refused('storage_away', nowhere.put('acme/ab/two', parts))
      await files.remove(place.storage_key)
      await files.remove(place.storage_key)
      await refused('file_damaged', files.open(place, 'small'))
      await s3.stop()
      await refused('storage_away', files.put('acme/ab/three', parts))
      const { ok, reason } = await files.probe()
      assert.equal(ok, false)
      assert.ok(reason)
    } finally {
      await s3.close()
    }
  })

  test('needs its settings whole', () => {
    assert.throws(() => open_with({ S3_ENDPOINT: 'http://127.0.0.1:9' }), /S3_BUCKET/)
  })
})
