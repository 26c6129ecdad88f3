// Brings a database to the schema in db/, forward only, once, however many servers start together.
import { createHash, createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'
import { workerPool } from './jobs.server.ts'

const folder = new URL('../../db/', import.meta.url)

/** The logins that serve requests. They own nothing; their passwords follow from the owner's address. */
export const logins = ['healthfund_request', 'healthfund_auth'] as const
export type Login = (typeof logins)[number]

export function urlFor(login: Login, owner_url: string): string {
  const url = new URL(owner_url)
  const secret = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = login
  url.password = createHmac('sha256', secret).update(login).digest('base64url')
  return url.href
}

/** All of db/, or what a backup had of it, in which nothing may be missing here. */
export async function migrate(url: string, only?: Known[]): Promise<void> {
  const files = await migrationFiles(only)
  const sql = postgres(url, {
    max: 1,
    onnotice() {},
    connection: { application_name: 'healthfund' },
  })
  try {
    await sql`select pg_advisory_lock(hashtext('healthfund migrations'))`
    await makeLogins(sql, url)
    await prepareJobs(url)
    await runFiles(sql, files)
  } finally {
    await sql.end()
  }
}

async function prepareJobs(url: string) {
  const pgPool = workerPool(url, { warn() {} })
  try {
    await runMigrations({ pgPool, logger: silent })
  } finally {
    await pgPool.end()
  }
}

async function makeLogins(sql: postgres.Sql, url: string) {
  // Logins belong to the whole cluster: databases that are migrated side by side meet here.
  for (const login of logins) {
    const [known] = await sql`select from pg_roles where rolname = ${login}`
    if (known && (await getsIn(login, url))) continue
    const { password } = new URL(urlFor(login, url))
    const verb = known ? 'alter' : 'create'
    try {
      await sql.unsafe(`${verb} role ${login} login noinherit password '${password}'`)
    } catch (error) {
      if (!(await getsIn(login, url))) throw error // else somebody was quicker
    }
  }
}

async function getsIn(login: Login, url: string): Promise<boolean> {
  const sql = postgres(urlFor(login, url), { max: 1, onnotice() {} })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end()
  }
}

type Known = { name: string; hash: string }
type File = Known & { text: string }

async function runFiles(sql: postgres.Sql, files: File[]) {
  await sql`create table if not exists migrations (
    name text primary key, hash text not null, at timestamptz not null default now())`
  await sql`comment on table migrations is 'Which files of db/ this database has seen.'`
  await sql`alter table migrations enable row level security`
  const done = new Map((await sql`select name, hash from migrations`).map((m) => [m.name, m.hash]))
  for (const { name, text, hash } of files) {
    const seen = done.get(name)
    if (seen === hash) continue
    if (seen) throw new Error(`db/${name} was changed after this database had run it`)
    await sql.begin(async (tx) => {
      await tx.unsafe(text)
      await tx`insert into migrations (name, hash) values (${name}, ${hash})`
    })
  }
}

async function migrationFiles(only?: Known[]): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const all = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
  return only ? only.map((known) => sameAs(known, all)) : all
}

function sameAs({ name, hash }: Known, all: File[]): File {
  const found = all.find((file) => file.name === name)
  if (found?.hash === hash) return found
  throw new Error(`The backup was made by another version: this one has no such db/${name}`)
}

const silent = { error() {}, warn() {}, info() {}, debug() {}, scope: () => silent } as never
