// A backup of everything as of one moment, while the servers run.
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline, Readable, Transform } from 'node:stream'
import { createGzip } from 'node:zlib'
import {
  bytesOf,
  forEachOf,
  files_folder,
  filesBelow,
  key_file,
  columnList,
  manifest_file,
  quoted,
  readManifest,
  schemas,
  storedKeys,
  tablesOf,
  type Manifest,
  type TableColumns,
} from './archive.server.ts'
import { writePart, type BackupDraft } from './parts.server.ts'
import { openName, sealerFor } from './sealed.server.ts'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import { isKeptFile } from '#lib/files.server.ts'
import type { Storage } from '#lib/s3.server.ts'
import { makeLog, type Log } from '#lib/log.server.ts'
import { Standby, type StandbySettings } from '#lib/standby.server.ts'
import { version } from '#lib/version.server.ts'
import { fingerprintOf, keyHere, knownFingerprint, lostKey, wrongKey } from '#lib/keys.server.ts'

type Options = {
  url: string
  data_folder: string
  /** A folder that does not exist yet. */
  to: string
  key?: string | undefined
  with_key?: boolean
  /** The bucket of receipts, if they are not in DATA_FOLDER; `with_receipts` copies them out of it. */
  bucket?: Storage | undefined
  with_receipts?: boolean
  /** Public keys of age; only their private keys open the backup. Without any it is not encrypted. */
  seal_to?: readonly string[]
  /** A standby from which the rows may be read instead. */
  standby?: StandbySettings | undefined
  log?: Pick<Log, 'warn'>
  /** The hours after which the next backup is late, and somebody is told. */
  late_after_hours?: number
}

/** Writes to a folder beside the target and renames it at the end, so that a backup cut short never looks whole. */
export async function backUp(options: Options): Promise<Manifest> {
  if (existsSync(options.to))
    throw new Error(`${options.to} is there already: name a folder that is not there yet.`)
  const draft = `${options.to}.part`
  await makeFolder(path.dirname(draft))
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    const manifest = await fill(draft, options)
    await writeFile(path.join(draft, manifest_file), JSON.stringify(manifest, null, 2), {
      mode: 0o600,
    })
    await rename(draft, options.to)
    await recordBackup(options, await bytesOf(options.to, await filesBelow(options.to)))
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function makeFolder(folder: string) {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw ['EEXIST', 'ENOTDIR'].includes(code) ? fileInTheWay(folder) : error
  }
}

const fileInTheWay = (folder: string) =>
  new Error(`There can be no folder ${folder}: a file is in the way.`)

/** Records when the last backup was made, for the panel and the metrics. An older database has no table for it. */
async function recordBackup({ url, late_after_hours = 26 }: Options, bytes: number) {
  const sql = connect(url, { max: 1, name: 'healthfund backup' })
  try {
    const [table] = await sql<[{ there: boolean }]>`
      select to_regclass('private.last_drill') is not null as there`
    if (!table.there) return
    await sql`update private.last_backup set at = now(), version = ${version}, bytes = ${bytes},
      late_after_hours = ${late_after_hours}`
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function fill(folder: string, options: Options): Promise<Manifest> {
  const { url, data_folder, key, with_key = true, bucket, with_receipts = true } = options
  const { seal_to = [], standby: settings, log = makeLog('silent') } = options
  const draft: BackupDraft = {
    folder,
    seal: seal_to.length > 0 ? await sealerFor(seal_to) : undefined,
  }
  const name = 'healthfund backup'
  const sql = connect(url, { max: 1, name })
  const standby = new Standby({ primary: sql, settings, name, log, max: 1 })
  try {
    const own_key = await keyOf(sql, data_folder, key)
    const { keys, at, ...rows } = await standby.read(async (tx, at) => ({
      ...(await copyRows(tx, draft)),
      at,
    }))
    // Files are copied after the rows, so all that the rows name are there; later ones do no harm.
    const on_disk = await copyFiles(data_folder, draft)
    const fetched =
      bucket && with_receipts ? await fetchFiles(bucket, keys, draft) : { files: [], missing: [] }
    const there = new Set(on_disk.map(({ file }) => openName(file)))
    const missing = bucket
      ? fetched.missing
      : keys.filter((key) => !there.has(path.posix.join(files_folder, key)))
    if (with_key)
      await writePart(draft, key_file, Readable.from([Buffer.from(own_key.toString('base64'))]))
    return {
      format: draft.seal ? 2 : 1,
      made_at: new Date().toISOString(),
      as_of: at.as_of,
      read_from: at.standby ? 'standby' : 'primary',
      version,
      ...rows,
      files: [...on_disk, ...fetched.files],
      lost: await stillNamed(sql, missing),
      key: { fingerprint: fingerprintOf(own_key), included: with_key },
      receipts_on_s3: bucket !== undefined && !with_receipts,
      sealed_to: [...seal_to],
    }
  } finally {
    await standby.close()
    await sql.end({ timeout: 5 })
  }
}

/** The key is checked first: a backup with the wrong key would be worth nothing. */
async function keyOf(
  sql: Sql,
  data_folder: string,
  given_key: string | undefined,
): Promise<Buffer> {
  const [key, known] = [await keyHere(data_folder, given_key), await knownFingerprint(sql)]
  if (!key) throw lostKey(data_folder)
  if (known && known !== fingerprintOf(key)) throw wrongKey(data_folder, given_key)
  return key
}

/** Every table as it was at the same moment. */
async function copyRows(tx: Tx, draft: BackupDraft) {
  await tx`set local statement_timeout = 0`
  await tx`set local lock_timeout = '30s'`
  const migrations = await tx<
    Manifest['migrations']
  >`select name, hash from migrations order by name`
  const tables: Manifest['tables'] = []
  for (const table of await tablesOf(tx)) tables.push(await copyTable(tx, draft, table))
  // Sequences come last: a number that was given out during the backup is not given out again.
  const sequences = await tx<Manifest['sequences']>`
    select schemaname || '.' || sequencename as name, last_value::text as last from pg_sequences
    where schemaname = any (${schemas}) and last_value is not null order by 1`
  const keys = await storedKeys(tx)
  return { migrations: [...migrations], tables, sequences: [...sequences], keys }
}

async function copyTable(tx: Tx, draft: BackupDraft, { name, columns }: TableColumns) {
  const from = await tx.unsafe(`copy ${quoted(name)} (${columnList(columns)}) to stdout`).readable()
  let rows = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1
      done(null, chunk)
    },
  })
  const packed = createGzip()
  // An error on the way destroys `packed`, and so ends the part.
  pipeline(from, counted, packed, () => {})
  const part = await writePart(draft, `tables/${name}.copy.gz`, packed)
  return { name, columns, rows, ...part }
}

async function copyFiles(data_folder: string, draft: BackupDraft): Promise<Manifest['files']> {
  const from = path.join(data_folder, files_folder)
  const copied: Manifest['files'] = []
  for (const name of (await filesBelow(from)).filter(isKeptFile)) {
    try {
      const file = await open(path.join(from, name))
      const to = path.posix.join(files_folder, name)
      copied.push(await writePart(draft, to, file.createReadStream()))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue // removed meanwhile
      throw error
    }
  }
  return copied
}

/** Copies the files that the rows name out of the bucket, encrypted as they are. */
async function fetchFiles(bucket: Storage, keys: string[], draft: BackupDraft) {
  const files: Manifest['files'] = []
  const missing: string[] = []
  await forEachOf(keys, async (key) => {
    const bytes = await bucket.whole(key)
    if (!bytes) return missing.push(key)
    const to = path.posix.join(files_folder, key)
    return files.push(await writePart(draft, to, Readable.from([bytes])))
  })
  return { files, missing }
}

/** A file that no row names any more was removed meanwhile, as it should be. */
async function stillNamed(sql: Sql, missing: string[]) {
  const named = missing.length > 0 ? new Set(await sql.begin(storedKeys)) : new Set()
  return missing.filter((key) => named.has(key))
}

/** The newest whole backup in a folder: its manifest, and where it lies. */
export async function newestBackup(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const whole = entries.filter((entry) => entry.isDirectory() && !entry.name.endsWith('.part'))
  const found = await Promise.all(
    whole.map(async ({ name }) => {
      const place = path.join(folder, name)
      const manifest = await readManifest(place).catch(() => undefined)
      return manifest && { ...manifest, folder: place }
    }),
  )
  return found
    .filter((manifest) => manifest !== undefined)
    .toSorted((a, b) => a.made_at.localeCompare(b.made_at))
    .at(-1)
}
