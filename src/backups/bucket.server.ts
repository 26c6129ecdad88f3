// A copy of each backup in a bucket: its parts under its name, the manifest last, so that what was cut short never
// looks whole.
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { forEachOf, filesBelow, manifest_file, Manifest, readManifest } from './archive.server.ts'
import { isLongPast, namesToDelete, type Keep } from './keeping.ts'
import type { Config } from '#lib/config.server.ts'
import { bucketAt, type Bucket } from '#lib/s3.server.ts'

/** A part may be large and the way there slow. */
const within_ms = 3_600_000

/** The place that backups are copied to, if the settings name one. */
export function backupBucket(config: Config): Bucket | undefined {
  const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_BUCKET: bucket } = config
  if (!endpoint) return undefined
  const { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey } =
    config
  if (!bucket || !accessKeyId || !secretAccessKey)
    throw new Error(
      'BACKUP_S3_ENDPOINT needs BACKUP_S3_BUCKET, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY, too',
    )
  const login = { region: config.BACKUP_S3_REGION, accessKeyId, secretAccessKey }
  return bucketAt({ endpoint, bucket, ...login, within_ms })
}

export async function copyTo(bucket: Bucket, folder: string): Promise<void> {
  const name = path.basename(folder)
  const send = async (file: string) => {
    const key = path.posix.join(name, file.split(path.sep).join('/'))
    await bucket.send(key, await openAsBlob(path.join(folder, file)))
  }
  await forEachOf(
    (await filesBelow(folder)).filter((file) => file !== manifest_file),
    send,
  )
  await send(manifest_file)
}

/** Fetches a backup into a folder; the restore compares its checksums. */
export async function fetchFrom(bucket: Bucket, name: string, folder: string): Promise<void> {
  const keys = await bucket.keys(`${name}/`)
  if (!keys.includes(`${name}/${manifest_file}`))
    throw new Error(`The bucket has no whole backup called ${name}.`)
  await forEachOf(keys, async (key) => {
    const file = path.relative(name, key)
    if (file.startsWith('..')) throw new Error(`${key} lies outside of its backup.`)
    const to = path.join(folder, file)
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
    await pipeline(await bucket.open(key), createWriteStream(to, { mode: 0o600 }))
  })
}

/** A backup as a command names it: a folder, or `s3:<name>`, which is fetched and removed again afterwards. */
export async function withBackup(
  config: Config,
  named: string,
  act: (folder: string) => Promise<void>,
): Promise<void> {
  const [, name] = /^s3:(.+)$/.exec(named) ?? []
  if (!name) {
    await readManifest(path.resolve(named))
    return act(path.resolve(named))
  }
  const bucket = backupBucket(config)
  if (!bucket) throw new Error('BACKUP_S3_ENDPOINT says where backups are, and is not set.')
  await mkdir(config.BACKUP_FOLDER, { recursive: true })
  const folder = await mkdtemp(path.join(path.resolve(config.BACKUP_FOLDER), 'fetched-'))
  try {
    await fetchFrom(bucket, name, folder)
    await act(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The names of the whole backups, oldest first. */
export const namesIn = async (bucket: Bucket) => namesAmong(await bucket.keys(''))

function namesAmong(keys: string[]): string[] {
  const ending = `/${manifest_file}`
  const manifests = keys.filter((key) => key.endsWith(ending))
  return manifests.map((key) => key.slice(0, -ending.length)).toSorted()
}

export async function manifestIn(bucket: Bucket, name: string): Promise<Manifest | undefined> {
  const text = await bucket.whole(`${name}/${manifest_file}`)
  return text && Manifest.parse(JSON.parse(Buffer.from(text).toString()))
}

/**
 * Removes old backups, the manifest of each first, so that what is left of it does not look whole. A backup without a manifest
 * was cut short: it does not count among those to keep, and is removed once it is too old to be still under way.
 */
export async function tidyBucket(bucket: Bucket, keep: Keep): Promise<string[]> {
  const keys = await bucket.keys('')
  const whole = namesAmong(keys)
  const named = new Set(keys.map((key) => key.split('/')[0] ?? ''))
  const cut_short = [...named].filter((name) => !whole.includes(name) && isLongPast(name))
  const gone = [...namesToDelete(whole, keep), ...cut_short]
  for (const name of gone) {
    await bucket.remove(`${name}/${manifest_file}`)
    await forEachOf(
      keys.filter((key) => key.startsWith(`${name}/`)),
      (key) => bucket.remove(key),
    )
  }
  return gone
}
