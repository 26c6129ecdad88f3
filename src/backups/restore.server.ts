// Restores a backup into an empty place, all of it or nothing.
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import {
  checksumOf,
  forEachOf,
  filesBelow,
  files_folder,
  key_file,
  columnList,
  quoted,
  readManifest,
  schemas,
  tablesOf,
  type Manifest,
} from './archive.server.ts'
import { openerFor, openName, sealed_ending, type Through } from './sealed.server.ts'
import { restoringFile, isHalfRestored, restoring_schema } from '#lib/database.server.ts'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import type { Storage } from '#lib/s3.server.ts'
import { fingerprintOf } from '#lib/keys.server.ts'
import { makeTables, migrate } from '#lib/migrate.server.ts'

type Options = {
  url: string
  data_folder: string
  from: string
  key?: string | undefined
  /** The place of receipts in this installation, if not in DATA_FOLDER. */
  bucket?: Storage | undefined
  /** Private keys of age, for a backup that was encrypted to theirs. */
  private_keys?: readonly string[]
}

export async function restore(options: Options): Promise<{ manifest: Manifest; ledger: string }> {
  const { url, from, data_folder } = options
  const manifest = await readManifest(from)
  await refuseDamaged(from, manifest)
  const read = await openBackup(options, manifest)
  const sql = connect(url, { max: 1, name: 'healthfund restore' })
  try {
    await clearUnfinished(sql, data_folder) // one that was killed left a part of a backup
    const key = await keyFor(options, manifest, read)
    await refuseFull(sql, data_folder)
    const placed: string[] = []
    const ledger = await bring(sql, options, manifest, { key, placed, read }).catch(
      async (error) => {
        await clearUnfinished(sql, data_folder)
        for (const file of placed) await options.bucket?.remove(file).catch(() => {}) // the error is told
        throw error
      },
    )
    await sql.unsafe(`drop schema ${restoring_schema}`)
    await rm(restoringFile(data_folder))
    return { manifest, ledger }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** A part of the backup by its name, opened where it is sealed. */
type BackupReader = (file: string) => Promise<Readable>
type RestoreState = {
  key: string
  placed: string[]
  read: BackupReader
}

/** The backup was not opened, so this tells nothing about it. */
export class NoPrivateKey extends Error {}

async function openBackup(
  { from, private_keys = [] }: Options,
  manifest: Manifest,
): Promise<BackupReader> {
  const source = (file: string) => createReadStream(path.join(from, file))
  if (manifest.sealed_to.length === 0) return async (file) => source(file)
  if (private_keys.length === 0)
    throw new NoPrivateKey(
      `The backup is encrypted to ${manifest.sealed_to.join(', ')}: name the file with a private key (--private-key).`,
    )
  const open: Through = await openerFor(private_keys)
  const first = manifest.tables[0]
  if (first) (await open(source(first.file))).destroy() // whether it opens is known before anything is done
  return (file) => open(source(file))
}

async function bring(sql: Sql, options: Options, manifest: Manifest, state: RestoreState) {
  const { key, read } = state
  await begin(sql, options.data_folder)
  // Tables are made as they were then, and migrated with their rows in them.
  await makeTables(options.url, manifest.migrations)
  await sql.begin((tx) => fill(tx, read, manifest))
  await migrate(options.url)
  await placeFiles(options, manifest, state)
  await placeKey(options, key)
  await sql`analyze`
  const { good, sentence } = await verifyAll(sql)
  if (!good) throw new Error(`What was backed up is not good: ${sentence}`)
  return sentence
}

const RestoreMark = z.object({ had_key: z.boolean() })

async function begin(sql: Sql, data_folder: string) {
  await mkdir(data_folder, { recursive: true, mode: 0o711 })
  const had_key = existsSync(path.join(data_folder, key_file))
  await writeFile(restoringFile(data_folder), JSON.stringify({ had_key } satisfies RestoreMark))
  await sql.unsafe(`create schema ${restoring_schema}`)
}

type RestoreMark = z.infer<typeof RestoreMark>

/** Removes what an unfinished restore left: a second try wants an empty database. */
async function clearUnfinished(sql: Sql, data_folder: string) {
  if (await isHalfRestored(sql)) {
    await emptyDatabase(sql)
    await sql.unsafe(`drop schema ${restoring_schema}`)
  }
  const begun = await readFile(restoringFile(data_folder), 'utf8').catch(() => '')
  if (!begun) return
  const { had_key } = RestoreMark.parse(JSON.parse(begun))
  await rm(path.join(data_folder, files_folder), { recursive: true, force: true })
  if (!had_key) await rm(path.join(data_folder, key_file), { force: true })
  await rm(restoringFile(data_folder))
}

export async function emptyDatabase(sql: Sql) {
  const names = schemas.map(quoted).join(', ')
  await sql.unsafe(`drop schema if exists ${names} cascade; create schema public`)
}

async function refuseDamaged(from: string, { tables, files }: Manifest) {
  for (const { file, sha256 } of [...tables, ...files]) {
    const found = await checksumOf(path.join(from, file)).catch(() => 'missing')
    if (found !== sha256) throw new Error(`The backup is damaged: ${file} is not what it was.`)
  }
}

/** The key the backup was made with; restoring under another one would make all receipts unreadable. */
async function keyFor(options: Options, manifest: Manifest, read: BackupReader): Promise<string> {
  const { data_folder, key: given_key } = options
  const inBackup = async () => {
    if (!manifest.key.included) return undefined
    const sealed = manifest.sealed_to.length > 0
    const part = sealed ? `${key_file}${sealed_ending}` : key_file
    if (!existsSync(path.join(options.from, part))) return undefined // somebody took it out
    return String(await buffer(await read(part)))
  }
  const key_here = readFile(path.join(data_folder, key_file), 'utf8').catch(() => undefined)
  const key = (given_key ?? (await key_here) ?? (await inBackup()))?.trim()
  if (!key)
    throw new Error(
      'The backup has no key with it: set INSTALLATION_KEY to the one it was made with.',
    )
  if (fingerprintOf(Buffer.from(key, 'base64')) !== manifest.key.fingerprint)
    throw new Error('This installation’s key is not the one the backup was made with.')
  return key
}

async function refuseFull(sql: Sql, data_folder: string) {
  const [found] = await sql<[{ tables: number }]>`
    select count(*)::int as tables from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${schemas}) and c.relkind in ('r', 'p')`
  const files = await filesBelow(path.join(data_folder, files_folder))
  if (found.tables > 0 || files.length > 0)
    throw new Error(
      'There is data already: restore goes into an empty database and an empty DATA_FOLDER.',
    )
}

type DeferredStatement = { drop: string; make: string }

/**
 * Foreign keys are made after the rows, so the order of tables does not matter and each key is checked. So are indexes: made at
 * once they are smaller and take a fraction of the time.
 */
async function fill(tx: Tx, read: BackupReader, manifest: Manifest) {
  await tx`set local statement_timeout = 0`
  await tx`set local maintenance_work_mem = '256MB'`
  const later = await deferredStatements(tx)
  for (const { drop } of later.toReversed()) await tx.unsafe(drop)
  const tables = await tablesOf(tx)
  const names = tables.map(({ name }) => quoted(name))
  await tx.unsafe(`truncate ${names.join(', ')}`)
  for (const table of manifest.tables) await copyIn(tx, read, table)
  for (const { name, last } of manifest.sequences) {
    // Sequences of a company are made when it needs them.
    await tx.unsafe(`create sequence if not exists ${quoted(name)}`)
    await tx`select setval(${quoted(name)}::regclass, ${last}::bigint)`
  }
  for (const { make } of later) await tx.unsafe(make)
}

/** Keys and their indexes, other indexes, then foreign keys: the order in which they are made again. */
const deferredStatements = (tx: Tx) => tx<DeferredStatement[]>`
  with ours as (select oid from pg_namespace where nspname = any (${schemas})),
  made as (
    select case contype when 'f' then 3 else 1 end as at, conrelid, conname as name,
        format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname,
          pg_get_constraintdef(oid)) as make
      from pg_constraint where contype in ('p', 'u', 'x', 'f') and conparentid = 0
        and connamespace in (table ours)
    union all
    select 2, indrelid, c.relname, format('drop index %s', indexrelid::regclass),
        pg_get_indexdef(indexrelid)
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace in (table ours)
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid
          and k.contype in ('p', 'u', 'x')))
  select drop, make from made order by at, conrelid, name`

async function copyIn(
  tx: Tx,
  read: BackupReader,
  { name, columns, file, rows }: Manifest['tables'][0],
) {
  const to = await tx.unsafe(`copy ${quoted(name)} (${columnList(columns)}) from stdin`).writable()
  await pipeline(await read(file), createGunzip(), to)
  const [{ count }] = await tx.unsafe<[{ count: number }]>(
    `select count(*)::int as count from ${quoted(name)}`,
  )
  if (count !== rows) throw new Error(`${name} has ${count} rows and not ${rows}.`)
}

/** Files go wherever this installation keeps them: a backup also moves them from disk to S3, and back. */
async function placeFiles(options: Options, { files }: Manifest, { placed, read }: RestoreState) {
  const { data_folder, bucket } = options
  await mkdir(data_folder, { recursive: true, mode: 0o711 })
  await forEachOf(files, async ({ file }) => {
    const name = openName(file)
    if (bucket) return putIn(bucket, name, { bytes: await buffer(await read(file)), placed })
    const to = path.join(data_folder, name)
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
    return pipeline(await read(file), createWriteStream(to, { mode: 0o600 }))
  })
}

type Put = { bytes: Buffer; placed: string[] }

/** Files already there stay, if they are the same: the bucket may have survived what the database did not. */
async function putIn(bucket: Storage, name: string, { bytes, placed }: Put) {
  const key = path.posix.relative(files_folder, name)
  const there = await bucket.whole(key)
  if (!there) {
    placed.push(key)
    return bucket.put(key, bytes)
  }
  if (!bytes.equals(there))
    throw new Error(`The bucket holds something else as ${key}: restore goes into an empty one.`)
}

async function placeKey({ data_folder, key: given_key }: Options, key: string) {
  const place = path.join(data_folder, key_file)
  if (!given_key && !existsSync(place)) await writeFile(place, key, { mode: 0o600 })
}
