// Automatic backups: made by the clock, kept as long as the settings say, reported to whoever watches, and restored now and then,
// so that they are more than a hope.
import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#lib/config.server.ts'
import { connect } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import type { Log } from '#lib/log.server.ts'
import { s3Storage } from '#lib/s3.server.ts'
import { standbyIn } from '#lib/standby.server.ts'
import type { Manifest } from './archive.server.ts'
import { backUp } from './backup.server.ts'
import { backupBucket, copyTo, tidyBucket } from './bucket.server.ts'
import { drill, drillFolder } from './drill.server.ts'
import { namesToDelete, stampOf } from './keeping.ts'
import { makePair } from './sealed.server.ts'

const cut_short_after_ms = 86_400_000
/** A bucket keeps all backups, so the folder keeps the newest alone, quick to reach. */
const newest_alone = { days: 1, weeks: 0, months: 0 }

type BackupResult = { to: string; made: Manifest; gone: string[] }

type BackupOptions = {
  also_to?: string
  with_receipts?: boolean
  with_key?: boolean
  log?: Pick<Log, 'warn'>
}

/** Makes the next backup in the folder, copies it to the bucket, and removes those that are due. */
export async function nextBackup(
  config: Config,
  url: string,
  more: BackupOptions = {},
): Promise<BackupResult> {
  const sql = connect(url, { max: 1, name: 'healthfund backup' })
  try {
    // Backups are made one at a time: two that begin in the same second would have one name.
    return await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('healthfund backup'))`
      return nextAlone(config, url, more)
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function nextAlone(config: Config, url: string, more: BackupOptions): Promise<BackupResult> {
  const to = nextPlace(path.resolve(config.BACKUP_FOLDER))
  const { BACKUP_ENCRYPT_TO: seal_to } = config
  const made = await backUp({
    url,
    data_folder: config.DATA_FOLDER,
    to,
    key: config.INSTALLATION_KEY,
    with_key: more.with_key ?? config.BACKUP_WITH_KEY,
    bucket: s3Storage(config),
    with_receipts: more.with_receipts ?? true,
    seal_to: more.also_to && seal_to.length > 0 ? [...seal_to, more.also_to] : seal_to,
    late_after_hours: config.BACKUP_LATE_HOURS,
    standby: standbyIn(config),
    ...(more.log && { log: more.log }),
  })
  const bucket = backupBucket(config)
  if (bucket) await copyTo(bucket, to)
  // Old ones are removed last: a backup that fails must not cost one that is there.
  const gone = await tidy(config.BACKUP_FOLDER, bucket ? newest_alone : config.BACKUP_KEEP)
  if (bucket) gone.push(...(await tidyBucket(bucket, config.BACKUP_KEEP)))
  return { to, made, gone }
}

function nextPlace(folder: string): string {
  for (let at = Date.now(); ; at += 1000) {
    const place = path.join(folder, stampOf(new Date(at)))
    if (!existsSync(place)) return place
  }
}

export const makeBackup =
  (config: Config, url: string): Task =>
  async (_, { log }) => {
    const { to, made, gone } = await nextBackup(config, url, { log })
    const { as_of, read_from } = made
    log.info(
      { to, as_of, read_from, tables: made.tables.length, files: made.files.length, gone },
      'backed up',
    )
    refuseLosses(made)
  }

/**
 * Makes the next backup and restores it from where it is kept. An encrypted one is sealed to a second key, made for this drill
 * and forgotten: the operator's private key need not be here.
 */
export async function freshDrill(config: Config, url: string) {
  const { private_key, public_key } = await makePair()
  const { to, made } = await nextBackup(config, url, { also_to: public_key })
  const bucket = backupBucket(config)
  const from = bucket ? { bucket, name: path.basename(to) } : to
  return { to, made, ...(await drill(config, url, { from, private_keys: [private_key] })) }
}

export const scheduledDrill =
  (config: Config, url: string): Task =>
  async (_, { log }) => {
    const { to, made, good, sentence } = await freshDrill(config, url)
    log.info({ from: to, good, sentence }, 'restored for trial')
    if (!good) throw new Error(sentence)
    refuseLosses(made)
  }

function refuseLosses({ lost }: Manifest) {
  if (lost.length > 0) throw new Error(`${lost.length} files were lost before`)
}

async function tidy(folder: string, keep: Config['BACKUP_KEEP']): Promise<string[]> {
  const names = await readdir(folder)
  const gone = namesToDelete(names, keep)
  for (const name of names.filter((one) => one.endsWith('.part') && one !== drillFolder)) {
    const { mtimeMs } = await stat(path.join(folder, name))
    if (Date.now() - mtimeMs > cut_short_after_ms) gone.push(name)
  }
  for (const name of gone) await rm(path.join(folder, name), { recursive: true })
  return gone
}
