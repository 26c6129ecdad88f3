// A PostgreSQL that somebody brings: of the majors that are installed on this machine, each started on a folder of
// its own, with an owner who is no superuser.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { connect } from '#lib/db.server.ts'
import { isRoot, runAs, unprivilegedUser } from '#lib/unprivileged.server.ts'
import type { Clock } from './clock/clock.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const run = promisify(execFile)

/** Where Debian and Red Hat put them. */
export const places = ['/usr/lib/postgresql/*/bin/postgres', '/usr/pgsql-*/bin/postgres']
const oldest = 15

export type InstalledPostgres = { major: number; bin: string }

/** The installed versions that the product promises to run on. */
export const installedPostgres = (): InstalledPostgres[] =>
  globSync(places)
    .map((program) => ({
      major: Number(/(\d+)\/bin/.exec(program)?.[1]),
      bin: path.dirname(program),
    }))
    .filter(({ major }) => major >= oldest)

/** Lives by the clock. */
export async function startPostgres({ bin }: InstalledPostgres, folder: string, clock: Clock) {
  const [data, superuser] = [path.join(folder, 'data'), path.join(folder, 'superuser')]
  await mkdir(data, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o711)
  await writeFile(superuser, randomBytes(12).toString('hex'), { mode: 0o600 })
  const prefix = await prefixFor(bin, [data, superuser], clock)
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ...clock.env }
  const how = { cwd: '/', env }
  const program = path.join(bin, 'postgres')
  const making = [...prefix, path.join(bin, 'initdb'), `--pgdata=${data}`, `--pwfile=${superuser}`]
  const kind = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]
  await run('env', [...making, ...kind, '--no-sync'], how)
  const password = randomBytes(12).toString('hex')
  const single = run('env', [...prefix, program, '--single', '-D', data, 'postgres'], how)
  single.child.stdin?.end(
    `create role keeper login createdb createrole password '${password}'\n` +
      'grant pg_signal_backend to keeper\nalter database postgres owner to keeper\n',
  )
  assert.doesNotMatch((await single).stderr, /ERROR/)
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
  }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn('env', [...prefix, program, '-D', data, ...words], {
    ...how,
    stdio: 'ignore',
  })
  const url = `postgres://keeper:${password}@127.0.0.1:${port}/postgres`
  await answers(url, () => child.exitCode === null)
  return {
    url,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
    },
  }
}

/** Root runs it as another user, who has to reach the clock as well. */
async function prefixFor(bin: string, own: string[], { env }: Clock): Promise<string[]> {
  if (!isRoot()) return []
  const user = await unprivilegedUser()
  for (const name of own) await chown(name, user.uid, user.gid)
  const library = env.LD_PRELOAD!.split(':')[0]!
  return runAs(user, [bin, own[0]!, library, path.dirname(env.HEALTHFUND_CLOCK!)])
}

async function answers(url: string, lives: () => boolean) {
  await until(async () => {
    const sql = connect(url, { max: 1 })
    try {
      return await sql`select`
    } catch (error) {
      if (!lives()) throw error
      return false
    } finally {
      await sql.end()
    }
  }, 'an answer of PostgreSQL')
}
