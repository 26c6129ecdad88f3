// PostgreSQL's own archiving brings an installation back to a moment: what came before is there, what came after is not.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { verifyAll } from '#funds/verify.server.ts'
import { verifyAudits } from '#audit/verify.server.ts'
import { connect } from '#lib/db.server.ts'
import { isRoot, runAs, unprivilegedUser } from '#lib/unprivileged.server.ts'
import { installed, places } from './brought.ts'
import { root } from './command-run.ts'
import { freePort } from './free-port.ts'
import { openScene } from './scene.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const [found] = installed()
const given = process.env.DATABASE_URL
let folder: string
let prefix: string[]
const running = new Set<{ stop: () => Promise<void> }>()
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-moment-'))
  await chmod(folder, 0o755)
})
after(async () => {
  if (given === undefined) delete process.env.DATABASE_URL
  else process.env.DATABASE_URL = given
  for (const one of running) await one.stop()
  await rm(folder, { recursive: true })
})

const env = { PATH: process.env.PATH, LC_ALL: 'C' }
const as = (program: string, ...words: string[]) =>
  run('env', [...prefix, program, ...words], { cwd: '/', env })

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

/** Until the question is answered with yes: the server may be starting, or on its way to the moment. */
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
  { skip: found ? false : `no PostgreSQL is installed: ${places.join(', ')}` },
  async () => {
    const { bin } = found!
    const [data, archive] = [path.join(folder, 'data'), path.join(folder, 'archive')]
    const [base, back] = [path.join(folder, 'base'), path.join(folder, 'back/data')]
    for (const one of [data, archive, base, path.dirname(back)]) await mkdir(one, { mode: 0o700 })
    prefix = []
    if (isRoot()) {
      const user = await unprivilegedUser()
      for (const one of [data, archive, base, path.dirname(back)])
        await chown(one, user.uid, user.gid)
      prefix = await runAs(user, [bin, data])
    }
    const kind = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
    await as(path.join(bin, 'initdb'), `--pgdata=${data}`, ...kind, '--no-sync')
    const port = await freePort()
    const usual = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' }
    const archiving = {
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    }
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const first = await start(bin, data, { ...usual, ...archiving })
    await answered(url, 'true')

    process.env.DATABASE_URL = url
    const scene = await openScene()
    const boss = await scene.superAdmin()
    const company = await scene.company()
    const login = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    await as(path.join(bin, 'pg_basebackup'), ...login, '-D', base, '--checkpoint=fast')
    const pay = (reference: string) =>
      boss.api.funds.contribute({
        company_id: company.id,
        amount_cents: 100_000,
        occurred_on: '2026-01-05',
        reference,
      })
    await pay('before')
    const [{ moment }] = await scene.sql<[{ moment: string }]>`
      select clock_timestamp()::text as moment`
    await pay('after')
    const [{ last }] = await scene.sql<[{ last: string }]>`
      select pg_walfile_name(pg_switch_wal()) as last`
    await answered(url, `select last_archived_wal >= '${last}' from pg_stat_archiver`)
    const database = new URL(scene.database_url).pathname
    await scene.house.close(60_000)
    await rm(scene.config.DATA_FOLDER, { recursive: true })
    await first.stop()

    // Whoever PostgreSQL runs as may not reach this checkout.
    const script = path.join(folder, 'recover.sh')
    await copyFile(path.join(root, 'ops/postgres/recover.sh'), script)
    await chmod(script, 0o644)
    const words = [base, archive, moment, back]
    const { stdout } = await as('sh', script, ...words)
    assert.match(stdout, /Start PostgreSQL on/)
    const second = await start(bin, back, usual)
    await answered(url, 'not pg_is_in_recovery()')
    const sql = connect(`postgres://postgres@127.0.0.1:${port}${database}`, { max: 1 })
    const causes = await sql<{ cause: string }[]>`
      select cause from transfers where cause like 'contribution %' order by cause`
    assert.deepEqual(
      causes.map(({ cause }) => cause.replace('contribution ', '')),
      ['before'],
    )
    assert.equal((await verifyAll(sql)).good, true)
    assert.equal((await verifyAudits(sql)).good, true)
    await sql.end()
    await second.stop()
  },
)
