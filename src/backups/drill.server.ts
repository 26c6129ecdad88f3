// A trial restore: a backup goes into a scratch database, its ledgers and audits are proven, and the database is dropped.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { fetchFrom } from './bucket.server.ts'
import { NoPrivateKey, emptyDatabase, restore } from './restore.server.ts'
import { verifyAudits } from '#audit/verify.server.ts'
import type { Config } from '#lib/config.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { faultText } from '#lib/faults.server.ts'
import { keyHere } from '#lib/keys.server.ts'
import type { Bucket } from '#lib/s3.server.ts'

type BackupSource = string | { bucket: Bucket; name: string }
type Trial = { from: BackupSource; private_keys?: readonly string[] }
type DrillResult = { good: boolean; sentence: string }

/** A trial restore takes room, and there is some where the backups are. */
export const drillFolder = 'drill.part'

/** Keeps what is wrong with a backup as its result, for whoever watches, and does not throw. */
export async function drill(config: Config, url: string, trial: Trial): Promise<DrillResult> {
  const sql = connect(url, { max: 2, name: 'healthfund drill' })
  const folder = path.join(path.resolve(config.BACKUP_FOLDER), drillFolder)
  try {
    // Drills run one at a time, as they share the scratch database. The connection with the lock ends with `sql`.
    return await sql.begin(async (lock) => {
      await lock`select pg_advisory_xact_lock(hashtext('healthfund drill'))`
      const result = await tryBackup(sql, config, { ...trial, url, folder })
      await keep(sql, result)
      return result
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await sql.end({ timeout: 5 })
  }
}

type OpenedTrial = Trial & { url: string; folder: string }

async function tryBackup(
  sql: Sql,
  config: Config,
  { from, private_keys, url, folder }: OpenedTrial,
) {
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const backup = await download(from, path.join(folder, 'backup'))
    const key = await keyHere(config.DATA_FOLDER, config.INSTALLATION_KEY)
    const sentence = await withScratch(sql, config, url, async (scratch) => {
      const { manifest, ledger } = await restore({
        url: scratch,
        data_folder: path.join(folder, 'data'),
        from: backup,
        key: key?.toString('base64'),
        private_keys: private_keys ?? [],
      })
      const audits = await proven(scratch)
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      const of = `${manifest.made_at.slice(0, 16)}Z, version ${manifest.version}`
      return `Backup of ${of}: ${rows} rows, ${manifest.files.length} files. Ledger: ${ledger}. Audit: ${audits}`
    })
    return { good: true, sentence }
  } catch (error) {
    if (error instanceof NoPrivateKey) throw error
    return { good: false, sentence: faultText(error) }
  }
}

async function download(from: BackupSource, folder: string): Promise<string> {
  if (typeof from === 'string') return from
  await fetchFrom(from.bucket, from.name, folder)
  return folder
}

async function proven(url: string): Promise<string> {
  const sql = connect(url, { max: 1, name: 'healthfund drill' })
  try {
    const { good, sentence } = await verifyAudits(sql)
    if (!good) throw new Error(`The audit is not good: ${sentence}`)
    return sentence
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Acts in the database that the settings name for drills, or in one of its own beside the real one. */
async function withScratch<T>(
  sql: Sql,
  config: Config,
  url: string,
  act: (url: string) => Promise<T>,
): Promise<T> {
  const drill_url = config.BACKUP_DRILL_URL
  if (drill_url) {
    const scratch = connect(drill_url, { max: 1, name: 'healthfund drill' })
    try {
      return await act(drill_url)
    } finally {
      await emptyDatabase(scratch)
      await scratch.end({ timeout: 5 })
    }
  }
  const [{ name }] = await sql<[{ name: string }]>`select current_database() || '_drill' as name`
  const drop = () => sql`drop database if exists ${sql(name)} with (force)`
  await drop() // of a drill that was ended half-way
  try {
    await sql`create database ${sql(name)}`
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new Error(
      'The database’s login may not make a scratch database: alter role … createdb, or set BACKUP_DRILL_URL.',
      { cause: error },
    )
  }
  try {
    return await act(databaseNamed(url, name))
  } finally {
    await drop()
  }
}

const keep = (sql: Sql, { good, sentence }: DrillResult) => sql`
  update private.last_drill set at = now(), good = ${good}, sentence = ${sentence}`
