// A backup is a folder with one compressed file per table, the files of DATA_FOLDER, and a
// manifest that names each with its checksum.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Tx } from '#lib/db.server.ts'

/** A path below the backup's folder: a forged manifest must not lead elsewhere. */
const InnerPath = z.string().regex(/^(?:tables|files)(?:\/(?!\.\.?(?:\/|$))[^/\\]+)+$/)

export type Manifest = z.infer<typeof Manifest>
export const Manifest = z.object({
  /** Format 2 is sealed: a version that knows only format 1 refuses it. */
  format: z.union([z.literal(1), z.literal(2)]),
  made_at: z.iso.datetime(),
  /** The moment up to which everything committed is in it; older backups do not say it. */
  as_of: z.iso.datetime().optional(),
  read_from: z.enum(['primary', 'standby']).default('primary'),
  version: z.string(),
  migrations: z.object({ name: z.string(), hash: z.string() }).array(),
  tables: z
    .object({
      name: z.string(),
      columns: z.string().array(),
      rows: z.int(),
      file: InnerPath,
      sha256: z.string(),
    })
    .array(),
  sequences: z.object({ name: z.string(), last: z.string() }).array(),
  files: z.object({ file: InnerPath, sha256: z.string() }).array(),
  /** Files that rows name and that were not there: lost before this backup was made. */
  lost: z.string().array().default([]),
  /** The installation's key, without which receipts and signing keys cannot be read. */
  key: z.object({ fingerprint: z.string(), included: z.boolean() }),
  /** Receipts stayed in their bucket, and are not in the backup. */
  receipts_on_s3: z.boolean(),
  /** The public keys that every part is encrypted to; none where it lies open. */
  sealed_to: z.string().array().default([]),
})

export const manifest_file = 'manifest.json'
export const key_file = 'installation.key'
/** The folder of receipts in DATA_FOLDER, and in a backup. */
export const files_folder = 'files'

export const schemas = ['public', 'auth', 'private', 'graphile_worker']
/** Made again by every migration, or worth nothing after a restart. */
const left_out = [
  'public.migrations',
  'private.applied_code',
  'graphile_worker.migrations',
  'private.secret',
  'auth.buckets',
]

/** The files about to be removed, which may be gone already. */
const leftovers = 'private.leftover_files'
const at_once = 6

export type TableColumns = { name: string; columns: string[] }

/** Tables that hold rows, with the columns that can be written. */
export async function tablesOf(tx: Tx): Promise<TableColumns[]> {
  const tables = await tx<TableColumns[]>`
    select n.nspname || '.' || c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
        as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname = any (${schemas})
    order by 1`
  return tables.filter(({ name }) => !left_out.includes(name))
}

/** The objects of the storage that rows name: receipts, and parts of exports. */
export async function storedKeys(tx: Tx): Promise<string[]> {
  const keys = new Set<string>()
  for (const { name, columns } of await tablesOf(tx)) {
    if (!columns.includes('storage_key') || name === leftovers) continue
    const rows = await tx.unsafe<{ storage_key: string }[]>(
      `select distinct storage_key from ${quoted(name)}`,
    )
    for (const { storage_key } of rows) keys.add(storage_key)
  }
  return [...keys].toSorted()
}

/** Runs a few at once. After a failure no further one begins, and those under way are waited for. */
export async function forEachOf<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
) {
  const waiting = items.values()
  let failed = false
  const worker = async () => {
    for (const item of waiting) {
      if (failed) return
      await act(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: at_once }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/** `auth.users` as SQL writes it. */
export const quoted = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')

export const columnList = (columns: string[]) => columns.map(quoted).join(', ')

export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, manifest_file), 'utf8').catch(() => '')
  if (!text) throw new Error(`${folder} is no backup: it has no ${manifest_file}.`)
  const read = Manifest.safeParse(parsed(text))
  if (!read.success) throw new Error(`${folder} is a backup this version cannot read.`)
  return read.data
}

/** Undefined for a text that was cut. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const bytesOf = async (folder: string, names: string[]) => {
  const sizes = await Promise.all(names.map((name) => stat(path.join(folder, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** All files below a folder, by their paths in it; none where it is not there. */
export async function filesBelow(folder: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const found = await readdir(folder, options).catch(() => [])
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}
