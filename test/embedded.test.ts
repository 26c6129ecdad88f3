// The embedded PostgreSQL survives what happens to it on people's machines.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { connect } from '#lib/db.server.ts'
import { startEmbedded, stopUnused } from '#lib/embedded.server.ts'
import { commandOf } from '#lib/processes.server.ts'
import { until } from './until.ts'

const run = promisify(execFile)

let place: string
before(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'embedded-'))
  const { url, stop } = await start(inFolder('owned'))
  await ask(url, 'create table kept as select 7 as answer')
  await stop()
})
after(() => rm(place, { recursive: true }))

const start = (folder: string) => startEmbedded({ folder, report() {} })
const inFolder = (name: string) => path.join(place, name)

async function ask(url: string, words: string) {
  const sql = connect(url, { max: 1 })
  try {
    return (await sql.unsafe(words))[0]?.['answer'] as unknown
  } finally {
    await sql.end()
  }
}

async function postmasterOf(folder: string): Promise<number | undefined> {
  const file = path.join(folder, 'data/postmaster.pid')
  return existsSync(file) ? Number((await readFile(file, 'utf8')).split('\n')[0]) : undefined
}

const runs = async (pid: number) => (await commandOf(pid)) !== ''

async function killPostgres(folder: string) {
  const pid = await postmasterOf(folder)
  process.kill(pid!, 'SIGKILL')
  await until(async () => !(await runs(pid!)))
}

/** Another server process, which prints its url and then serves until it is killed. */
function otherServer(folder: string) {
  const module = new URL('../src/lib/embedded.server.ts', import.meta.url)
  const code = `const { startEmbedded } = await import('${module}')
    console.log((await startEmbedded({ folder: '${folder}' })).url)`
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function urlOf(server: ReturnType<typeof otherServer>): Promise<string> {
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  return line.toString().trim()
}

test('the first start makes a database that only its owner can enter', async () => {
  const folder = inFolder('owned')
  const { url, stop } = await start(folder)
  try {
    assert.equal(await ask(url, `select current_setting('server_encoding') as answer`), 'UTF8')
    assert.equal(await ask(url, `select current_setting('timezone') as answer`), 'UTC')
    assert.equal(await ask(url, `select lower('ÉÜ') as answer`), 'éü')
    const stranger = new URL(url)
    stranger.password = 'guess'
    await assert.rejects(ask(stranger.href, 'select 1'), { code: '28P01' })
    for (const [name, mode] of [
      ['data', 0o700],
      ['password', 0o600],
      ['log', 0o600],
    ] as const)
      assert.equal((await stat(path.join(folder, name))).mode & 0o777, mode, name)
  } finally {
    await stop()
  }
})

test('its owner makes databases and logins, and is no superuser', async () => {
  const folder = inFolder('owned')
  const { url, stop } = await start(folder)
  try {
    const role = `rolsuper, rolreplication, rolbypassrls, rolcreatedb, rolcreaterole`
    const question = `select array[${role}]::text as answer from pg_roles where rolname = current_user`
    assert.equal(await ask(url, question), '{f,f,f,t,t}')
    for (const statement of [
      `copy (select 1) to program 'true'`,
      `select pg_read_file('PG_VERSION')`,
      'alter system set fsync = off',
    ])
      await assert.rejects(ask(url, statement), { code: '42501' }, statement)
    const superuser = new URL(url)
    superuser.username = 'postgres'
    superuser.password = (await readFile(path.join(folder, 'superuser-password'), 'utf8')).trim()
    assert.equal(await ask(superuser.href, 'select current_user as answer'), 'postgres')
    assert.equal((await stat(path.join(folder, 'superuser-password'))).mode & 0o777, 0o600)
  } finally {
    await stop()
  }
})

test('searching by similarity knows letters outside ASCII', async () => {
  const { url, stop } = await start(inFolder('owned'))
  try {
    await ask(url, 'create extension if not exists pg_trgm')
    assert.equal(await ask(url, `select similarity('École', 'ÉCOLE') as answer`), 1)
    assert.equal(await ask(url, `select cardinality(show_trgm('É')) as answer`), 2)
  } finally {
    await stop()
  }
})

test('servers on one folder share it, and the last to stop ends it', async () => {
  const folder = inFolder('owned')
  const [one, two] = await Promise.all([start(folder), start(folder)])
  assert.equal(one.url, two.url)
  const pid = await postmasterOf(folder)
  assert.equal(await stopUnused(folder), false)
  await one.stop()
  assert.equal(await ask(two.url, 'select 1 as answer'), 1)
  await two.stop()
  assert.ok(!(await runs(pid!)))
  assert.equal(await stopUnused(folder), true)
})

test('a server killed outright leaves its PostgreSQL to the next one', async () => {
  const folder = inFolder('owned')
  const killed = otherServer(folder)
  const url = await urlOf(killed)
  const pid = await postmasterOf(folder)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const next = await start(folder)
  assert.equal(next.url, url)
  assert.equal(await postmasterOf(folder), pid)
  await next.stop()
  assert.ok(!(await runs(pid!)))
})

test('PostgreSQL killed outright is back by itself, with what was written', async () => {
  const folder = inFolder('owned')
  const { url, stop } = await start(folder)
  try {
    await ask(url, 'create table written as select 8 as answer')
    await killPostgres(folder)
    await until(() => ask(url, 'select answer from written').then(Boolean, () => false))
    assert.equal(await ask(url, 'select answer from written'), 8)
  } finally {
    await stop()
  }
  assert.equal(await postmasterOf(folder), undefined)
})

test('both killed outright, the next start recovers', async () => {
  const folder = inFolder('owned')
  const server = otherServer(folder)
  await urlOf(server)
  server.kill('SIGKILL')
  await once(server, 'exit')
  await killPostgres(folder)
  const { url, stop } = await start(folder)
  assert.equal(await ask(url, 'select answer from kept'), 7)
  await stop()
})

test("a pid file that names a stranger's process, or nothing, is not believed", async () => {
  const folder = inFolder('owned')
  const file = path.join(folder, 'data/postmaster.pid')
  const { uid, gid } = await stat(path.join(folder, 'data'))
  const own = process.getuid?.() === 0 ? { uid, gid } : {}
  const stranger = spawn('sleep', ['60'], { ...own, stdio: 'ignore' })
  const of_stranger = `${stranger.pid}\n${folder}/data\n1\n1\n\n127.0.0.1\n\nready   \n`
  try {
    for (const words of [of_stranger, '', 'x\n']) {
      await writeFile(file, words)
      const { url, stop } = await start(folder)
      assert.equal(await ask(url, 'select answer from kept'), 7)
      await stop()
    }
    assert.ok(await runs(stranger.pid!))
  } finally {
    stranger.kill()
  }
})

test('a port that somebody took meanwhile is left to him', async () => {
  const folder = inFolder('owned')
  const before_it = await start(folder)
  await before_it.stop()
  const port = Number(new URL(before_it.url).port)
  const taker = createServer().listen(port, '127.0.0.1')
  await once(taker, 'listening')
  try {
    const { url, stop } = await start(folder)
    assert.notEqual(Number(new URL(url).port), port)
    await stop()
  } finally {
    taker.close()
  }
  const after_it = await start(folder)
  assert.equal(after_it.url, before_it.url, 'otherwise it has the same at each start')
  await after_it.stop()
})

test('first starts at the same moment make one database', async () => {
  const folder = inFolder('raced')
  const servers = [otherServer(folder), otherServer(folder), otherServer(folder)]
  const urls = await Promise.all(servers.map(urlOf))
  assert.equal(new Set(urls).size, 1)
  assert.equal(await ask(urls[0]!, `select 1 as answer`), 1)
  for (const server of servers) server.kill('SIGKILL')
  await Promise.all(servers.map((server) => once(server, 'exit')))
  await until(() => stopUnused(folder))
  const drafts = (await readdir(place)).filter((name) => name.startsWith('raced.new'))
  assert.deepEqual(drafts, [])
})

test('a first start killed half-way is done again', async () => {
  const folder = path.join(place, 'cut', 'postgres')
  await mkdir(path.dirname(folder))
  const server = otherServer(folder)
  await until(async () =>
    (await readdir(path.dirname(folder))).some((name) => name.startsWith('postgres.new')),
  )
  server.kill('SIGKILL')
  await once(server, 'exit')
  const { url, stop } = await start(folder)
  assert.equal(await ask(url, 'select 1 as answer'), 1)
  await stop()
  assert.deepEqual(await readdir(path.dirname(folder)), ['postgres'])
})

const damages: [name: string, about: RegExp, harm: (data: string) => Promise<void>][] = [
  [
    'a table is lost',
    /"postgres" does not exist/,
    (data) => rm(`${data}/base/5`, { recursive: true }),
  ],
  ['settings are garbled', /postgresql\.conf/, (data) => writeFile(`${data}/postgresql.conf`, '=')],
  ['the heart is garbled', /pg_control/, (data) => writeFile(`${data}/global/pg_control`, 'x')],
  ['the version is garbled', /PG_VERSION/, (data) => writeFile(`${data}/PG_VERSION`, 'x')],
  ['the password is lost', /password/, (data) => rm(`${data}/../password`)],
  ['the data is lost', /data is missing/, (data) => rm(data, { recursive: true })],
]

test('a damaged folder is one sentence that says what to do', async () => {
  for (const [number, [name, about, harm]] of damages.entries()) {
    const folder = inFolder(`damaged-${number}`)
    await run('cp', ['-a', inFolder('owned'), folder])
    await harm(path.join(folder, 'data'))
    const fault = await start(folder).then(
      () => assert.fail(`${name}, and it started`),
      (error: Error) => error.message,
    )
    assert.match(fault, about)
    assert.match(
      fault,
      /^The data folder \S+ cannot be used \(.+\): if it is damaged, restore a backup, or run `npm run reset`/,
    )
    assert.doesNotMatch(fault, /\n/)
    assert.ok(await stopUnused(folder))
  }
})

test('the data of another PostgreSQL is not touched', async () => {
  const folder = inFolder('older')
  await run('cp', ['-a', inFolder('owned'), folder])
  await writeFile(path.join(folder, 'data/PG_VERSION'), '15\n')
  const why = /initialized by PostgreSQL version 15, which is not compatible with this version 18/
  await assert.rejects(start(folder), why)
  await writeFile(path.join(folder, 'data/PG_VERSION'), '18\n')
  const { url, stop } = await start(folder)
  assert.equal(await ask(url, 'select answer from kept'), 7)
  await stop()
})
