// Into an empty place, all of it or nothing.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { verifyAll } from '#funds/verify.server.ts'
import {
  checksumOf,
  each,
  filesBelow,
  files_folder,
  key_file,
  listed,
  quoted,
  readManifest,
  schemas,
  tablesOf,
  type Manifest,
} from './archive.server.ts'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import type { Storage } from '#lib/files.server.ts'
import { fingerprintOf } from '#lib/keys.server.ts'
import { makeTables, migrate } from '#lib/migrate.server.ts'

type Options = {
  url: string
  data_folder: string
  from: string
  key?: string | undefined
  /** Where this installation keeps receipts, if not in DATA_FOLDER. */
  bucket?: Storage | undefined
}

export async function restore(options: Options): Promise<{ manifest: Manifest; ledger: string }> {
  const { url, from } = options
  const manifest = await readManifest(from)
  await refuseDamaged(from, manifest)
  const key = await keyFor(options, manifest)
  const sql = connect(url, { max: 1, name: 'healthfund restore' })
  try {
    await refuseFull(sql, options.data_folder)
    const placed: string[] = []
    const ledger = await bring(sql, options, manifest, { key, placed }).catch(async (error) => {
      await emptyAgain(sql, options.data_folder)
      for (const file of placed) await options.bucket?.remove(file).catch(() => {}) // the error is told
      throw error
    })
    return { manifest, ledger }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

type Placing = { key: string; /** What was put into the bucket so far. */ placed: string[] }

async function bring(sql: Sql, options: Options, manifest: Manifest, { key, placed }: Placing) {
  // The tables as they were then; with their rows in them they are brought up to date.
  await makeTables(options.url, manifest.migrations)
  await sql.begin((tx) => fill(tx, options.from, manifest))
  await migrate(options.url)
  await placeFiles(options, manifest, placed)
  await placeKey(options, key)
  await sql`analyze`
  const { good, sentence } = await verifyAll(sql)
  if (!good) throw new Error(`What was backed up is not good: ${sentence}`)
  return sentence
}

/** It was empty, and a second try wants it so. */
async function emptyAgain(sql: Sql, data_folder: string) {
  const names = schemas.map(quoted).join(', ')
  await sql.unsafe(`drop schema if exists ${names} cascade; create schema public`)
  await rm(path.join(data_folder, files_folder), { recursive: true, force: true })
}

async function refuseDamaged(from: string, { tables, files }: Manifest) {
  for (const { file, sha256 } of [...tables, ...files]) {
    const found = await checksumOf(path.join(from, file)).catch(() => 'missing')
    if (found !== sha256) throw new Error(`The backup is damaged: ${file} is not what it was.`)
  }
}

/** The key the backup was made with; restoring under another one would make all receipts unreadable. */
async function keyFor(options: Options, manifest: Manifest): Promise<string> {
  const { data_folder, from, key: given } = options
  const read = (folder: string) =>
    readFile(path.join(folder, key_file), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    )
  const key = given ?? (await read(data_folder)) ?? (await read(from))
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

type Key = { table: string; name: string; definition: string }

/** Foreign keys come back after the rows, so their order does not matter and each is checked. */
async function fill(tx: Tx, from: string, manifest: Manifest) {
  await tx`set local statement_timeout = 0`
  const keys = await tx<Key[]>`
    select conrelid::regclass::text as table, quote_ident(conname) as name,
      pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where contype = 'f' and conparentid = 0 and n.nspname = any (${schemas})`
  for (const { table, name } of keys)
    await tx.unsafe(`alter table ${table} drop constraint ${name}`)
  const tables = await tablesOf(tx)
  const names = tables.map(({ name }) => quoted(name))
  await tx.unsafe(`truncate ${names.join(', ')}`)
  for (const table of manifest.tables) await copyIn(tx, from, table)
  for (const { name, last } of manifest.sequences)
    await tx`select setval(${quoted(name)}::regclass, ${last}::bigint)`
  for (const { table, name, definition } of keys)
    await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`)
}

async function copyIn(tx: Tx, from: string, { name, columns, file, rows }: Manifest['tables'][0]) {
  const to = await tx.unsafe(`copy ${quoted(name)} (${listed(columns)}) from stdin`).writable()
  await pipeline(createReadStream(path.join(from, file)), createGunzip(), to)
  const [{ count }] = await tx.unsafe<[{ count: number }]>(
    `select count(*)::int as count from ${quoted(name)}`,
  )
  if (count !== rows) throw new Error(`${name} has ${count} rows and not ${rows}.`)
}

/** To wherever this installation keeps its files: a backup also moves them from disk to S3, and back. */
async function placeFiles(options: Options, { files }: Manifest, placed: string[]) {
  const { data_folder, from, bucket } = options
  await mkdir(data_folder, { recursive: true, mode: 0o711 })
  await each(files, async ({ file, sha256 }) => {
    if (bucket) return putIn(bucket, path.join(from, file), { file, sha256, placed })
    const to = path.join(data_folder, file)
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
    return copyFile(path.join(from, file), to)
  })
}

type Put = { file: string; sha256: string; placed: string[] }

/** What is there already stays, if it is the same: the bucket may have survived what the database did not. */
async function putIn(bucket: Storage, from: string, { file, sha256, placed }: Put) {
  const key = path.posix.relative(files_folder, file)
  const there = await bucket.whole(key)
  if (!there) {
    placed.push(key)
    return bucket.put(key, await readFile(from))
  }
  if (createHash('sha256').update(there).digest('hex') !== sha256)
    throw new Error(`The bucket holds something else as ${key}: restore goes into an empty one.`)
}

async function placeKey({ data_folder, key: given }: Options, key: string) {
  const place = path.join(data_folder, key_file)
  if (!given && !existsSync(place)) await writeFile(place, key, { mode: 0o600 })
}
