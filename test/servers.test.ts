// Real server processes, more than one on a database, and what happens when they are ended.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { isAlive } from '#lib/processes.server.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { killAndRestart, root, startServer, type Server } from './server-process.ts'
import { utcToday } from './world/money.ts'
import { aKey, apiFor, peopleAt, type Person } from './world/people.ts'
import { until } from './until.ts'

describe('servers', () => {
  let template: TestDatabase
  let folder: string
  let url: string
  let sql: Sql
  let one: Server
  let two: Server
  let several: Server
  let boss: Person
  let company_id: string
  before(async () => {
    await buildIfStale(root)
    template = await testDatabase() // keeps the shared PostgreSQL open
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-servers-'))
    const name = `test_${process.pid}_servers`
    const owner = connect(template.url, { max: 1 })
    await owner.unsafe(`create database ${name}`)
    await owner.end()
    url = databaseNamed(template.url, name)
    sql = connect(url, { max: 2 })
    ;[one, two] = await Promise.all([start(), start()])
    boss = await peopleAt(one, sql).superAdmin()
    const added = await boss.api.companies.add({
      name: 'Two Servers',
      currency: 'EUR',
      time_zone: 'UTC',
      admin_email: 'hr@servers.test',
    })
    company_id = added.id
  })
  after(async () => {
    for (const server of [one, two, several]) server?.process.kill('SIGKILL')
    await sql.end()
    const owner = connect(template.url, { max: 1 })
    await owner.unsafe(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
    await owner.end()
    await template.drop()
    await rm(folder, { recursive: true })
  })

  const start = () => startServer({ url, folder })

  test('that start together on an empty database run each migration once, and both serve', async () => {
    for (const { origin } of [one, two]) assert.equal((await fetch(`${origin}/readyz`)).status, 200)
    const files = (await readdir(path.join(root, 'db'))).filter((name) => name.endsWith('.sql'))
    const [found] = await sql`select count(*)::int as count from migrations`
    assert.equal(found?.count, files.length)
  })

  test('know each other’s accounts and sessions', async () => {
    const there = apiFor(two, boss.token)
    assert.equal((await there.users.me({})).id, boss.id)
    assert.equal((await there.companies.find({ id: company_id })).id, company_id)
  })

  test('tell each other’s open screens', async () => {
    const stream = await apiFor(two, boss.token).live.open({})
    const reader = stream.getReader()
    const decoder = new TextDecoder()
    let stream_text = decoder.decode((await reader.read()).value)
    const first = boss.api
    const { version } = await first.companies.find({ id: company_id })
    await first.companies.change({ id: company_id, version, name: 'Told', time_zone: 'UTC' })
    await first.companies.suspend({ id: company_id })
    await first.companies.activate({ id: company_id })
    while (!stream_text.includes('"supers"'))
      stream_text += decoder.decode((await reader.read()).value)
    await reader.cancel()
  })

  test('told to end (SIGTERM) finish the requests under way, take no new ones, and exit', async () => {
    const server = await start()
    const held = await holdCompany()
    const waiting = apiFor(server, boss.token).companies.suspend({ id: company_id })
    await held.blocksSomebody()
    const ended = once(server.process, 'exit') as Promise<[number | null]>
    server.process.kill('SIGTERM')
    await untilRefused(server)
    await held.release()
    assert.equal((await waiting).status, 'suspended')
    assert.equal((await ended)[0], 0)
    await boss.api.companies.activate({ id: company_id })
  })

  test('told to end while somebody’s screen is open do not wait for it', async () => {
    const server = await start()
    const stream = await apiFor(server, boss.token).live.open({})
    const reader = stream.getReader()
    await reader.read()
    const ended = once(server.process, 'exit') as Promise<[number | null]>
    server.process.kill('SIGTERM')
    while (!(await reader.read()).done);
    assert.equal((await ended)[0], 0)
  })

  test('killed outright under load lose nothing that was acknowledged, and do nothing twice', async () => {
    const acknowledged = new Set<string>()
    const enough = new AbortController()
    const client = async () => {
      while (!enough.signal.aborted) {
        const reference = aKey()
        // A retry is the same request with the same key, until it is answered.
        const input = { company_id, amount_cents: 1_000, occurred_on: utcToday(), reference }
        const options = { idempotency_key: reference }
        const contribute = () => boss.api.funds.contribute(input, options)
        await until(() => contribute().catch(() => false), 'the answer to a contribution')
        acknowledged.add(reference)
      }
    }
    const clients = Array.from({ length: 12 }, client)
    for (let times = 1; times <= 3; times += 1) {
      const served = acknowledged.size
      await until(() => acknowledged.size >= served + 60)
      one = await killAndRestart(one, { url, folder })
    }
    const served = acknowledged.size
    await until(() => acknowledged.size >= served + 60)
    enough.abort()
    await Promise.all(clients)
    const rows = await sql<{ note: string }[]>`
      select note from transfers where company_id = ${company_id} and event = 'contribution'`
    const posted = rows.map(({ note }) => note)
    assert.equal(new Set(posted).size, posted.length, 'nothing twice')
    assert.deepEqual(
      [...acknowledged].filter((reference) => !posted.includes(reference)),
      [],
    )
    const { good, sentence } = await verifyAll(sql)
    assert.ok(good, sentence)
  })

  test('of several processes each is told, one that is killed is followed by another, all end together', async () => {
    several = await startServer({ url, folder, env: { PROCESSES: '2' } })
    const pids = async () => {
      const text = await (await fetch(`${several.origin}/metrics`)).text()
      const readings = text.matchAll(/^healthfund_process_memory_bytes\{pid="(\d+)"\} (\d+)$/gm)
      return [...readings].map(([, pid, bytes]) => (assert.ok(Number(bytes) > 1e7), Number(pid)))
    }
    const first = await pids()
    assert.equal(first.length, 2)
    assert.ok(!first.includes(several.process.pid!), 'who does the jobs answers nothing')
    process.kill(first[0]!, 'SIGKILL')
    const next = await until(async () => {
      const now = await pids().catch(() => undefined) // the connection may have been to the killed one
      return now?.length === 2 && !now.includes(first[0]!) && now
    }, 'another process')
    assert.ok(next.includes(first[1]!), 'the other one goes on')
    assert.equal((await apiFor(several, boss.token).users.me({})).id, boss.id)
    const ended = once(several.process, 'exit') as Promise<[number | null]>
    several.process.kill('SIGTERM')
    assert.equal((await ended)[0], 0)
    for (const pid of next) assert.ok(!isAlive(pid), `${pid} ended`)
  })

  test('of several processes none outlives the first, whatever kills it', async () => {
    several = await startServer({ url, folder, env: { PROCESSES: '2' } })
    several.process.kill('SIGKILL')
    await untilRefused(several)
  })

  /** A lock that a request on this company must wait for. */
  async function holdCompany() {
    const holder = connect(url, { max: 1 })
    const line = await holder.pool.take()
    await line.tx`begin`
    await line.tx`select from companies where id = ${company_id} for update`
    return {
      async blocksSomebody() {
        await until(async () => {
          const [found] = await sql`
            select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
            where a.datname = current_database() and not l.granted
              and a.application_name = 'healthfund requests'`
          return found?.count > 0
        }, 'somebody who waits')
      },
      async release() {
        await line.tx`commit`
        holder.pool.give(line)
        await holder.end()
      },
    }
  }
})

const untilRefused = ({ origin }: Server) =>
  until(
    () =>
      fetch(`${origin}/healthz`).then(
        () => false,
        () => true,
      ),
    'a refusal',
  )
