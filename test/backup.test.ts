// A backup is all of it, as of one moment, and a restore is the same again or nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openServices } from '#services.server.ts'
import { filesBelow } from '#backups/archive.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { openDatabase } from '#lib/database.server.ts'
import { connect, databaseNamed } from '#lib/db.server.ts'
import own from '../package.json' with { type: 'json' }
import { backUp } from '#backups/backup.server.ts'
import { restore } from '#backups/restore.server.ts'
import { runCommand } from './command-run.ts'
import { contentsOf } from './database-contents.ts'
import { pharmacy, receiptPdf } from './world/papers.ts'
import { aKey } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import { until } from './until.ts'
import { fund, spread, utcToday } from './world/money.ts'

let scene: Scene
let folder: string
let data_folder: string
let places = 0
const backup = (name: string) => path.join(folder, name)
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-backup-'))
  data_folder = path.join(folder, 'data')
  scene = await openScene({ env: { DATA_FOLDER: data_folder } })
  await fillScene()
})
after(async () => {
  await scene.close()
  await rm(folder, { recursive: true })
})

/** People with odd names, money that moved, a file, jobs that wait, a mail. */
async function fillScene() {
  const boss = await scene.superAdmin()
  for (const name of ['Žuta Šuma', 'Back\\slash & "Tab"\tCo\n\\N']) {
    const company = await scene.company({ name: 'Odd' })
    await scene.sql`update companies set name = ${name} where id = ${company.id}`
    for (const who of ['Ana', 'Ben']) await company.hire(who)
    const money = { amount_cents: 500_000, reference: `first of ${name}` }
    await fund(boss, company, spread(50_000, 150_000, 30_000), money)
  }
  await mkdir(path.join(data_folder, 'files/ab'), { recursive: true })
  await writeFile(path.join(data_folder, 'files/ab/receipt'), Buffer.from([0, 255, 10, 13, 92]))
  await writeFile(path.join(data_folder, 'files/ab/half.draft'), 'ha')
  await mkdir(path.join(data_folder, 'files/probe'), { recursive: true })
  await writeFile(path.join(data_folder, 'files/probe/one'), 'tried')
}

/** An empty database on the same PostgreSQL, and an empty folder. */
async function emptyPlace() {
  const name = `restored_${process.pid}_${(places += 1)}`
  const server = connect(scene.database_url, { max: 1 })
  await server.unsafe(`create database ${name}`)
  const url = databaseNamed(scene.database_url, name)
  const sql = connect(url, { max: 2 })
  return {
    url,
    sql,
    data_folder: path.join(folder, name),
    async close() {
      await sql.end()
      await server.unsafe(`drop database ${name} with (force)`)
      await server.end()
    },
  }
}

describe('a backup', () => {
  test('restored into an empty place is the same: rows, files, constraints, sequences, ledger', async () => {
    const made = await backUp({ url: scene.database_url, data_folder, to: backup('whole') })
    assert.ok(made.tables.some(({ name, rows }) => name === 'public.transfers' && rows > 0))
    const place = await emptyPlace()
    const { ledger } = await restore({ ...place, from: backup('whole') })
    assert.match(ledger, /all good/)
    assert.equal(made.version, own.version)
    assert.deepEqual(await contentsOf(place.sql), await contentsOf(scene.sql))
    assert.deepEqual(await filesBelow(path.join(place.data_folder, 'files')), ['ab/receipt'])
    assert.deepEqual(
      await readFile(path.join(place.data_folder, 'files/ab/receipt')),
      await readFile(path.join(data_folder, 'files/ab/receipt')),
    )
    const key = path.join(place.data_folder, 'installation.key')
    assert.equal((await stat(key)).mode & 0o777, 0o600)
    await place.close()
  })

  test('restored, it is a running product: people sign in and money moves', async () => {
    const place = await emptyPlace()
    await restore({ ...place, from: backup('whole') })
    const env = { DATA_FOLDER: place.data_folder, LOG_LEVEL: 'fatal' }
    const services = await openServices(readConfig(env), place.url)
    const answer = await services.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: 'provider1@healthfund.test',
        password: 'a quiet harbour at dawn',
      }),
    })
    assert.equal(answer.status, 200)
    await services.close()
    await place.close()
  })

  test('made while money moves is of one moment: its ledger verifies', async () => {
    const boss = await scene.superAdmin()
    const company = await scene.company({ name: 'Busy' })
    const ending = new AbortController()
    const done = { paid: 0 }
    const busy = Array.from({ length: 4 }, async () => {
      while (!ending.signal.aborted) {
        await boss.api.funds.contribute({
          company_id: company.id,
          amount_cents: 1_000,
          occurred_on: utcToday(),
          reference: aKey(),
        })
        done.paid += 1
      }
    })
    const reached = (amount: number) => until(() => done.paid >= amount, `${amount} contributions`)
    await reached(20)
    await backUp({ url: scene.database_url, data_folder, to: backup('busy') })
    await reached(done.paid + 20)
    ending.abort()
    await Promise.all(busy)
    const place = await emptyPlace()
    assert.match((await restore({ ...place, from: backup('busy') })).ledger, /all good/)
    const [moved] = await place.sql<[{ count: number }]>`
      select count(*)::int as count from transfers where company_id = ${company.id}`
    assert.ok(moved.count >= 20 && moved.count < done.paid, `${moved.count} of ${done.paid}`)
    await place.close()
  })
})

describe('a restore that was killed', () => {
  test('is no installation to start, and the next one begins again', async () => {
    const place = await emptyPlace()
    const env = { DATABASE_URL: place.url, DATA_FOLDER: place.data_folder }
    await place.sql.begin(async (tx) => {
      await tx`create schema private` // as the restore will: there it waits for us
      const child = spawn(process.execPath, ['src/commands/restore.server.ts', backup('whole')], {
        env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined },
        stdio: 'ignore',
      })
      const waiting = () => place.sql<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      const { pid } = await until(async () => (await waiting())[0], 'it has begun, and waits')
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      assert.deepEqual(await ended, [null, 'SIGKILL'])
      await place.sql`select pg_terminate_backend(${pid}::int)`
      await until(async () => (await waiting()).length === 0, 'its connection is gone')
    })
    const config = readConfig({ ...env, LOG_LEVEL: 'fatal' })
    await assert.rejects(openDatabase(config), /has not ended.*Give the same npm run restore again/)
    const elsewhere = { ...env, DATA_FOLDER: backup('elsewhere'), PORT: '0' }
    for (const name of ['start', 'worker', 'migrate', 'backup', 'doctor']) {
      const { code, fault } = await runCommand([name], elsewhere)
      assert.equal(code, 1, name)
      assert.match(fault, /^A restore into the database \S+ at \S+ has not ended: .* again/m, name)
    }
    await restore({ ...place, from: backup('whole') })
    assert.deepEqual(await filesBelow(path.join(place.data_folder, 'files')), ['ab/receipt'])
    const [found] = await place.sql`select count(*)::int as companies from companies`
    assert.deepEqual({ ...found }, { companies: 2 })
    await (await openDatabase(config)).stop()
    await place.close()
  })

  test('empties no other database that is named after it', async () => {
    const place = await emptyPlace()
    await mkdir(place.data_folder)
    await writeFile(path.join(place.data_folder, 'restoring'), '{"had_key":false}')
    const before_it = await contentsOf(scene.sql)
    const into = { url: scene.database_url, data_folder: place.data_folder }
    await assert.rejects(restore({ ...into, from: backup('whole') }), /There is data already/)
    assert.deepEqual(await contentsOf(scene.sql), before_it)
    await place.close()
  })
})

describe('a restore refuses, and leaves nothing behind,', () => {
  const refuses = async (from: string, because: RegExp, key?: string) => {
    const place = await emptyPlace()
    await assert.rejects(restore({ ...place, from, key }), because)
    const [found] = await place.sql`
      select count(*)::int as tables from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and relkind = 'r'`
    assert.equal(found?.tables, 0)
    assert.deepEqual(await filesBelow(place.data_folder), [])
    await place.close()
  }

  test('a folder that is no backup, and a backup that was changed', async () => {
    await refuses(folder, /is no backup/)
    await cp(backup('whole'), backup('spoilt'), { recursive: true })
    await writeFile(path.join(backup('spoilt'), 'tables/public.companies.copy.gz'), 'x')
    await refuses(backup('spoilt'), /damaged: tables\/public.companies/)
  })

  test('one made with another key, or without its key', async () => {
    const other = Buffer.alloc(32, 7).toString('base64')
    await refuses(backup('whole'), /not the one the backup was made with/, other)
    const to = backup('keyless')
    await backUp({ url: scene.database_url, data_folder, to, with_key: false })
    await refuses(to, /set INSTALLATION_KEY/)
    const place = await emptyPlace()
    const key = await readFile(path.join(data_folder, 'installation.key'), 'utf8')
    await restore({ ...place, from: to, key })
    await place.close()
  })

  test('one of another version', async () => {
    await cp(backup('whole'), backup('later'), { recursive: true })
    const file = path.join(backup('later'), 'manifest.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    manifest.migrations.push({ name: '999_later.sql', hash: 'x' })
    await writeFile(file, JSON.stringify(manifest))
    await refuses(backup('later'), /another version: this one has no such db\/999_later.sql/)
  })

  test('one whose ledger is not good', async () => {
    const to = backup('forged')
    const company = await scene.company({ name: 'Forged' })
    const boss = await scene.superAdmin()
    await boss.api.funds.contribute({
      company_id: company.id,
      amount_cents: 1_000,
      occurred_on: utcToday(),
      reference: 'forged',
    })
    await scene.sql`update transfers set amount_cents = 999 where note = 'forged'`
    await backUp({ url: scene.database_url, data_folder, to })
    await refuses(to, /What was backed up is not good/)
    await scene.sql`update transfers set amount_cents = 1000 where note = 'forged'`
  })

  test('a place that holds data', async () => {
    const into = { url: scene.database_url, data_folder: path.join(folder, 'other') }
    const before_it = await contentsOf(scene.sql)
    await assert.rejects(restore({ ...into, from: backup('whole') }), /There is data already/)
    assert.deepEqual(await contentsOf(scene.sql), before_it)
  })
})

test('a backup into a file, or below one, says what is in the way', async () => {
  const file = path.join(folder, 'letter')
  await writeFile(file, 'x')
  const into = (to: string) => backUp({ url: scene.database_url, data_folder, to })
  await assert.rejects(into(file), /letter is there already: name a folder that is not there yet/)
  await assert.rejects(
    into(`${file}/new`),
    /There can be no folder \S+letter: a file is in the way/,
  )
  await assert.rejects(into(`${file}/a/new`), /There can be no folder \S+letter\/a: a file is in/)
})

describe('a backup of what has lost a file', () => {
  test('names each file that a row names and that is gone', async () => {
    const company = await scene.company({ name: 'Lossy' })
    const { api } = await company.hire('Cleo')
    const pdf = Buffer.from(await receiptPdf(pharmacy))
    for (const file_name of ['kept.pdf', 'lost.pdf'])
      await api.receipts.upload({ file_name }, { file: new Blob([pdf, file_name]) })
    const [lost] = await scene.sql<[{ storage_key: string }]>`
      select storage_key from receipts where file_name = 'lost.pdf'`
    await rm(path.join(data_folder, 'files', lost.storage_key))
    const made = await backUp({ url: scene.database_url, data_folder, to: backup('lossy') })
    assert.deepEqual(made.lost, [lost.storage_key])
  })
})
