// A database for a test file: a copy of one that was migrated once, on the PostgreSQL that is given
// or on one of our own that all test files share.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { code_files } from '#code.server.ts'
import { keepFreeMailDomains } from '#companies/free-mail.server.ts'
import { keepPlaces } from '#companies/holidays.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { startEmbedded, stopUnused, type Embedded } from '#lib/embedded.server.ts'
import { migrate } from '#lib/migrate.server.ts'
import { isAlive } from '#lib/processes.server.ts'
import { demoWorld } from '../demo/world.ts'
import { roomFor } from './test-folder.ts'

const root = path.resolve(import.meta.dirname, '..')
/** Chosen once for a run, which its files inherit; test/clock chooses for those who live on another day. */
const own_folder = (process.env.TEST_POSTGRES ??= roomFor(path.join(root, '.data/test')))

export type TestDatabase = { url: string; drop: () => Promise<void> }
/** A database with a connection to it, which is closed before the database is dropped. */
export type DatabaseWithSql = TestDatabase & { sql: Sql }
export type DemoDatabase = TestDatabase & { folder: string }

export const testDatabase = () => madeBy(copyTemplate)

export async function testSql(max?: number): Promise<DatabaseWithSql> {
  const { url, drop } = await testDatabase()
  const sql = connect(url, max === undefined ? {} : { max })
  return { url, sql, drop: () => sql.end().then(drop) }
}

async function madeBy(
  make: (sql: Sql, url: string, name: string) => Promise<void>,
): Promise<TestDatabase> {
  const server = await openServer()
  const name = `test_${process.pid}_${randomUUID().slice(0, 8)}`
  try {
    await asOwner(server.url, (sql) => make(sql, server.url, name))
  } catch (error) {
    await server.stop()
    throw error
  }
  async function drop() {
    await asOwner(server.url, (sql) => sql`drop database ${sql(name)} with (force)`)
    await server.stop()
  }
  return { url: databaseNamed(server.url, name), drop }
}

/**
 * The demo world, with its folder: made by whichever file of a run asks first, and copied for each. It is named after
 * the run, which is its father, so that the next one can drop it.
 */
export async function demoDatabase(): Promise<DemoDatabase> {
  const kept = `test_${process.ppid}_demo`
  const kept_folder = path.join(own_folder, kept)
  const database = await madeBy(async (sql, url, name) => {
    await sql`select pg_advisory_lock(hashtext('healthfund test demo'))`
    if ((await databasesLike(sql, kept)).length === 0) await makeDemo(sql, url, kept, kept_folder)
    await sql`create database ${sql(name)} template ${sql(kept)}`
  })
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-demo-'))
  await cp(kept_folder, folder, { recursive: true })
  async function drop() {
    await database.drop()
    await rm(folder, { recursive: true })
  }
  return { url: database.url, folder, drop }
}

async function makeDemo(sql: Sql, url: string, name: string, folder: string) {
  const draft = `${name}_draft`
  await sql`drop database if exists ${sql(draft)} with (force)`
  await copyTemplate(sql, url, draft)
  const env = { DATA_FOLDER: folder, LOG_LEVEL: 'error', DEMO: 'on' }
  await demoWorld(readConfig(env), databaseNamed(url, draft))
  await sql`alter database ${sql(draft)} rename to ${sql(name)}`
}

/** The superuser: for what the owner of a database cannot do to the whole server. */
export function superuserUrl(url: string, database?: string): string {
  const own = new URL(database ? databaseNamed(url, database) : url)
  own.username = 'postgres'
  own.password = readFileSync(path.join(own_folder, 'superuser-password'), 'utf8').trim()
  return own.href
}

/** Open for the whole run, so that no file has to start it again. */
export async function shareDatabase() {
  const { url, stop } = await openServer()
  if (process.env.HEALTHFUND_CLOCK) await asOwner(url, sameTime)
  if (!process.env.DATABASE_URL) await asOwner(url, dropLeftOvers)
  return {
    async end() {
      await stop()
      // A test file that was killed has not given its place up.
      if (!process.env.DATABASE_URL) await stopUnused(own_folder)
    },
  }
}

async function sameTime(sql: Sql) {
  const [database] = await sql<[{ now: string }]>`select now()`
  const apart_ms = Math.abs(Date.now() - Date.parse(database.now))
  if (apart_ms > 60_000) throw new Error(`PostgreSQL lives on ${database.now}.`)
}

async function openServer(): Promise<Embedded> {
  const database_url = process.env.DATABASE_URL
  if (database_url) return { url: database_url, stop: async () => {} }
  const quicker = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const settings = { ...quicker, max_connections: '200', max_wal_size: '256MB' }
  const options = { folder: own_folder, settings }
  return startEmbedded(options).catch(async () => {
    // Nothing in it is worth keeping, and without fsync a power cut may have spoilt it.
    await rm(own_folder, { recursive: true, force: true })
    return startEmbedded(options)
  })
}

async function copyTemplate(sql: Sql, url: string, name: string) {
  // Copying and making the template wait for each other: PostgreSQL refuses to copy a
  // database that somebody is connected to.
  await sql`select pg_advisory_lock(hashtext('healthfund test template'))`
  const template = await freshTemplate(sql, url)
  await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`
  // A PostgreSQL that somebody brings may have another time zone.
  const zone = process.env.TEST_DATABASE_TZ
  if (zone) await sql.unsafe(`alter database "${name}" set timezone to '${zone}'`)
}

async function freshTemplate(sql: Sql, url: string): Promise<string> {
  const name = `template_healthfund_${await (fingerprint ??= fingerprintNow())}`
  const templates = await databasesLike(sql, 'template_healthfund_%')
  if (templates.includes(name)) return name
  for (const old of templates) await sql`drop database ${sql(old)} with (force)`
  const draft = `${name}_draft`
  await sql`drop database if exists ${sql(draft)} with (force)`
  await sql`create database ${sql(draft)}`
  await migrate(databaseNamed(url, draft))
  // Done once here, as by a first server: else each test file would wait for it.
  const made = connect(databaseNamed(url, draft), { max: 1 })
  try {
    await keepFreeMailDomains(made)
    await keepPlaces(made)
  } finally {
    await made.end()
  }
  await sql`alter database ${sql(draft)} rename to ${sql(name)}`
  return name
}

let fingerprint: Promise<string> | undefined

/** A fingerprint of all files that shape a migrated database; they don't change while tests run. */
async function fingerprintNow(): Promise<string> {
  const scripts = (await readdir(path.join(root, 'db'))).sort().map((name) => `db/${name}`)
  const code = code_files.map((name) => `src/${name}`)
  const hash = createHash('sha256')
  for (const name of [
    ...scripts,
    ...code,
    'src/code.server.ts',
    'src/lib/migrate.server.ts',
    'package-lock.json',
  ]) {
    hash.update(`${name}\0`).update(await readFile(path.join(root, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** A test run that was killed could not drop what it had made. */
async function dropLeftOvers(sql: Sql) {
  for (const name of await databasesLike(sql, 'test\\_%')) {
    const pid = Number(name.split('_')[1])
    if (!isAlive(pid)) await sql`drop database if exists ${sql(name)} with (force)`
  }
  for (const name of await readdir(own_folder))
    if (/^test_\d+_demo$/.test(name) && !isAlive(Number(name.split('_')[1])))
      await rm(path.join(own_folder, name), { recursive: true, force: true })
}

async function databasesLike(sql: Sql, pattern: string): Promise<string[]> {
  const found = await sql<{ datname: string }[]>`
    select datname from pg_database where datname like ${pattern}`
  return found.map(({ datname }) => datname)
}

async function asOwner(url: string, act: (sql: Sql) => PromiseLike<unknown>) {
  const sql = connect(url, { max: 1 })
  try {
    await act(sql)
  } finally {
    await sql.end()
  }
}
