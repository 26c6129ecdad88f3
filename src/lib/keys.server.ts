// The installation's own key: made at the first start, readable by the owner alone. The database has only its fingerprint, by
// which a wrong key is found before it does harm.
import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql, Tx } from './db.server.ts'

const fileIn = (folder: string) => path.join(folder, 'installation.key')

/** The key as it was given, or as it lies in the data folder. */
export async function keyHere(folder: string, given_key?: string): Promise<Buffer | undefined> {
  if (given_key) return Buffer.from(given_key, 'base64')
  const text = await readFile(fileIn(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new Error(`${fileIn(folder)} is damaged: it must hold 32 bytes in base64`)
  return key
}

/** One of two servers that start together writes the file, whole, and both read the same. */
export async function makeKey(folder: string): Promise<Buffer> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const draft = `${fileIn(folder)}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('base64'), { mode: 0o600 })
  try {
    await link(draft, fileIn(folder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return (await keyHere(folder)) ?? makeKey(folder)
}

/** Tells two keys apart and gives neither away. */
export const fingerprintOf = (key: Buffer) =>
  createHash('sha256').update('healthfund installation key').update(key).digest('hex').slice(0, 16)

/** The fingerprint of the key that a database was set up with; none where it is new, or older than fingerprints. */
export async function knownFingerprint(sql: Sql | Tx): Promise<string | undefined> {
  const [table] = await sql<[{ there: boolean }]>`
    select to_regclass('private.installation') is not null as there`
  if (!table.there) return undefined
  const [row] = await sql<{ key_fingerprint: string | null }[]>`
    select key_fingerprint from private.installation`
  return row?.key_fingerprint ?? undefined
}

export const wrongKey = (folder: string, given_key?: string) =>
  new Error(
    `${given_key ? 'INSTALLATION_KEY' : fileIn(folder)} is not the key that this database was set up with: ` +
      'bring back the one it was made with.',
  )

export const lostKey = (folder: string) =>
  new Error(
    'This database was set up with a key, and none is here: set INSTALLATION_KEY to it, or put it ' +
      `back as ${fileIn(folder)}. No new one is made, for that could read nothing.`,
  )
