// pgBackRest brings an installation back to a moment: the transfer that came before it is there, that of after is not.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { verifyAudits } from '#audit/verify.server.ts'
import { connect } from '#lib/db.server.ts'
import { isRoot, runAs, unprivilegedUser } from '#lib/unprivileged.server.ts'
import { installedPostgres, places } from './installed-postgres.ts'
import { root } from './server-process.ts'
import { freePort } from './free-port.ts'
import { utcToday } from './world/money.ts'
import { openScene } from './world/scene.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const [found] = installedPostgres()
const database_url = process.env.DATABASE_URL
let folder: string
let prefix: string[]
const running = new Set<{ stop: () => Promise<void> }>()
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-moment-'))
  await chmod(folder, 0o755)
})
after(async () => {
  if (database_url === undefined) delete process.env.DATABASE_URL
  else process.env.DATABASE_URL = database_url
  for (const one of running) await one.stop()
  await rm(folder, { recursive: true })
})

const env: Record<string, string | undefined> = { PATH: process.env.PATH, LC_ALL: 'C' }
const missing = () => {
  if (!found) return `no PostgreSQL is installed: ${places.join(', ')}`
  const places_of_programs = (process.env.PATH ?? '').split(':')
  const there = places_of_programs.some((at) => existsSync(path.join(at, 'pgbackrest')))
  return there ? false : 'pgBackRest is not installed'
}
const as = (program: string, ...words: string[]) =>
  run('env', [...prefix, program, ...words], { cwd: '/', env })

/** The settings of ops/postgres, with the folders of this run. */
async function settings(run_has: { data: string; repository: string; home: string; port: number }) {
  const { data, repository, home, port } = run_has
  const example = await readFile(path.join(root, 'ops/postgres/pgbackrest.conf'), 'utf8')
  const places_of_run: Record<string, string> = {
    'repo1-path': repository,
    'repo1-cipher-pass': randomBytes(24).toString('base64'),
    'pg1-path': data,
    'pg1-port': String(port),
    'pg1-socket-path': home,
  }
  const text = example.replace(/^([\w-]+)=.*$/gm, (line, key: string) =>
    key in places_of_run ? `${key}=${places_of_run[key]}` : line,
  )
  const own = ['log', 'lock', 'spool'].map((what) => `${what}-path=${home}`)
  const file = path.join(folder, 'pgbackrest.conf')
  await writeFile(
    file,
    `${text.replace('[global]', ['[global]', ...own].join('\n'))}pg1-user=postgres\n`,
  )
  await chmod(file, 0o644)
  return file
}

async function start(bin: string, data: string, settings: Record<string, string | number>) {
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = path.join(bin, 'postgres')
  const child = spawn('env', [...prefix, program, '-D', data, ...words], {
    cwd: '/',
    env,
    stdio: 'ignore',
  })
  const server = {
    async stop() {
      running.delete(server)
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
  running.add(server)
  return server
}

/** Waits until the question is answered with yes: the server may be starting, or replaying up to the moment. */
const answered = (url: string, question: string) =>
  until(async () => {
    const sql = connect(url, { max: 1 })
    try {
      const [row] = await sql.unsafe<[{ yes: boolean }]>(`select (${question}) as yes`)
      return row.yes
    } catch {
      return false
    } finally {
      await sql.end()
    }
  }, question)

test(
  'a transfer of before the moment is there, the one after it is not, and the ledgers are good',
  { skip: missing() },
  async () => {
    const { bin } = found!
    const [data, repository] = [path.join(folder, 'data'), path.join(folder, 'repository')]
    const home = path.join(folder, 'home')
    const back = path.join(home, 'back')
    const own = [data, repository, home]
    for (const one of own) await mkdir(one, { mode: 0o700 })
    prefix = []
    if (isRoot()) {
      const user = await unprivilegedUser()
      for (const one of own) await chown(one, user.uid, user.gid)
      prefix = await runAs(user, [bin, data])
    }
    const kind = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
    await as(path.join(bin, 'initdb'), `--pgdata=${data}`, ...kind, '--no-sync')
    const port = await freePort()
    const usual = { port, listen_addresses: '127.0.0.1', unix_socket_directories: home }
    env.PGBACKREST_CONFIG = await settings({ data, repository, home, port })
    const archiving = {
      archive_mode: 'on',
      archive_command: 'pgbackrest --stanza=healthfund archive-push %p',
    }
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const first = await start(bin, data, { ...usual, ...archiving })
    await answered(url, 'true')

    process.env.DATABASE_URL = url
    const scene = await openScene()
    const boss = await scene.superAdmin()
    const company = await scene.company()
    await as('pgbackrest', '--stanza=healthfund', 'stanza-create')
    await as('pgbackrest', '--stanza=healthfund', '--type=full', 'backup')
    const pay = (reference: string) =>
      boss.api.funds.contribute({
        company_id: company.id,
        amount_cents: 100_000,
        occurred_on: utcToday(),
        reference,
      })
    await pay('before')
    // pgBackRest knows the second in which a backup ended: the moment is a later one.
    const { stdout: info } = await as('pgbackrest', '--stanza=healthfund', '--output=json', 'info')
    const [kept] = JSON.parse(info) as [{ backup: [{ timestamp: { stop: number } }] }]
    const { stop } = kept.backup[0].timestamp
    await answered(url, `floor(extract(epoch from clock_timestamp())) > ${stop}`)
    const [{ moment }] = await scene.sql<[{ moment: string }]>`
      select clock_timestamp()::text as moment`
    await pay('after')
    const [{ last }] = await scene.sql<[{ last: string }]>`
      select pg_walfile_name(pg_switch_wal()) as last`
    await answered(url, `select last_archived_wal >= '${last}' from pg_stat_archiver`)
    const database = new URL(scene.database_url).pathname
    await scene.services.close(60_000)
    await rm(scene.config.DATA_FOLDER, { recursive: true })
    await first.stop()

    // The user that PostgreSQL runs as may not reach this checkout.
    const script = path.join(folder, 'back-to.sh')
    await copyFile(path.join(root, 'ops/postgres/back-to.sh'), script)
    await chmod(script, 0o644)
    const { stdout } = await as('sh', script, moment, back)
    assert.match(stdout, /Start PostgreSQL on/)
    const second = await start(bin, back, usual)
    await answered(url, 'not pg_is_in_recovery()')
    const sql = connect(`postgres://postgres@127.0.0.1:${port}${database}`, { max: 1 })
    const contributions = await sql<{ note: string }[]>`
      select note from transfers where event = 'contribution' order by note`
    assert.deepEqual(contributions, [{ note: 'before' }])
    assert.equal((await verifyAll(sql)).good, true)
    assert.equal((await verifyAudits(sql)).good, true)
    await sql.end()
    await second.stop()
  },
)
