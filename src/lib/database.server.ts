// The place of the data: the database that was given, or one of our own beside the code.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config.server.ts'
import { connect, type Sql } from './db.server.ts'

export type Database = { url: string; stop: () => Promise<void> }

export async function openDatabase(config: Config): Promise<Database> {
  if (existsSync(restoringFile(config.DATA_FOLDER))) throw notEnded(config.DATA_FOLDER)
  return openPlace(config)
}

/** Opens an existing database and makes none: a command that looks or copies would find nothing in a folder named by mistake. */
export async function openInstallation(config: Config): Promise<Database> {
  const { DATABASE_URL, DATA_FOLDER } = config
  if (!DATABASE_URL && !existsSync(path.join(DATA_FOLDER, 'postgres')))
    throw new Error(
      `There is no installation in ${DATA_FOLDER}: set DATA_FOLDER to the one you mean. ` +
        '(Where there is none at all, npm start makes it.)',
    )
  if (DATABASE_URL) await refuseGiven(DATABASE_URL)
  return openDatabase(config)
}

/** The mark of a restore that is under way, or was killed: until it has ended nothing else is done here. */
export const restoringFile = (folder: string) => path.join(folder, 'restoring')

/** A mark in the database that is restored into, from the first to the last: one without it is never emptied. */
export const restoring_schema = 'healthfund_restoring'

export async function isHalfRestored(sql: Sql): Promise<boolean> {
  const [found] = await sql<[{ half: boolean }]>`
    select to_regnamespace(${restoring_schema}) is not null as half`
  return found.half
}

/** The folder that is marked may be another one, on another machine. */
export async function refuseHalf(sql: Sql, url: string) {
  if (await isHalfRestored(sql)) throw notEnded(databaseAt(url))
}

async function refuseGiven(url: string) {
  const sql = connect(url, { max: 1 })
  try {
    // The next statement tells what keeps it from answering.
    const half = await isHalfRestored(sql).catch(() => false)
    if (half) throw notEnded(databaseAt(url))
  } finally {
    await sql.end({ timeout: 0 })
  }
}

const notEnded = (place: string) =>
  new Error(
    `A restore into ${place} has not ended: a part of the backup is there and a part is not. ` +
      'Give the same npm run restore again, which begins from the start.',
  )

/** Opens the database in whatever state it is. */
export async function openPlace(config: Config): Promise<Database> {
  if (config.DATABASE_URL) {
    await noteUse(config, config.DATABASE_URL)
    return { url: config.DATABASE_URL, stop: async () => {} }
  }
  const { startEmbedded } = await import('./embedded.server.ts')
  return startEmbedded({ folder: path.resolve(config.DATA_FOLDER, 'postgres') })
}

/** Names the database that was given, whose files and key lie in this folder, so that no reset takes them. */
export const usedByFile = (folder: string) => path.join(folder, 'used-by')

async function noteUse({ DATA_FOLDER, INSTALLATION_KEY, S3_ENDPOINT }: Config, url: string) {
  if (INSTALLATION_KEY && S3_ENDPOINT) return // nothing of it lies here
  await mkdir(DATA_FOLDER, { recursive: true, mode: 0o711 })
  await writeFile(usedByFile(DATA_FOLDER), `${databaseAt(url)}\n`)
}

function databaseAt(url: string): string {
  const { host, pathname } = new URL(url)
  return `the database ${pathname.slice(1)} at ${host}`
}
