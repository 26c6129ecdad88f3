// A real standby: what reads long is read there and says as of when; requests are not; and without it all goes on.
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { backUp } from '#backups/backup.server.ts'
import { restore } from '#backups/restore.server.ts'
import { openWorker } from '#worker.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { Standby, standbyIn } from '#lib/standby.server.ts'
import { runCommand } from './command-run.ts'
import { contentsOf } from './database-contents.ts'
import { catchUp, openPrimary, openStandby, whilePaused, type PostgresServer } from './standby.ts'
import type { Company, Person } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import { until } from './until.ts'
import { fund } from './world/money.ts'

const log = makeLog('silent')
const database_url = process.env.DATABASE_URL
let folder: string
let primary: PostgresServer
let standby: PostgresServer
let scene: Scene
let boss: Person
let acme: Company
let there: Sql
let worker: Awaited<ReturnType<typeof openWorker>>

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-standby-'))
  await chmod(folder, 0o711)
  primary = await openPrimary(path.join(folder, 'primary'))
  standby = await openStandby(primary, path.join(folder, 'primary'), path.join(folder, 'standby'))
  process.env.DATABASE_URL = primary.url
  scene = await openScene({
    env: (url) => ({
      DATABASE_READ_URL: databaseNamed(standby.url, new URL(url).pathname.slice(1)),
      DATABASE_READ_LATE_SECONDS: '86400',
    }),
  })
  there = connect(
    databaseNamed(standby.superuser_url, new URL(scene.database_url).pathname.slice(1)),
  )
  boss = await scene.superAdmin()
  acme = await scene.company({ name: 'Acme' })
  worker = await openWorker(scene.config, scene.database_url, scene.sql, log)
})
after(async () => {
  await worker.stop()
  await there.end({ timeout: 0 })
  await scene.close()
  if (database_url === undefined) delete process.env.DATABASE_URL
  else process.env.DATABASE_URL = database_url
  await standby.stop()
  await primary.stop()
  await rm(folder, { recursive: true })
})

const reads = (late_seconds = 86_400) =>
  new Standby({
    primary: scene.sql,
    settings: { url: scene.config.DATABASE_READ_URL!, late_seconds },
    name: 'test',
    log,
  })

/** Whether only the standby was asked it since somebody last looked. */
async function onlyThere(question: RegExp) {
  assert.match(await standby.log(), question)
  assert.doesNotMatch(await primary.log(), question)
}

/** Sequences stand further on there: what a primary writes of them is ahead of what it gave out. */
const rowsIn = (lines: string[]) => lines.filter((line) => !/_seq\d* \d+$/.test(line))

async function report() {
  const report_input = { kind: 'fund_allocation', from: '2026-01', to: '2026-01' } as const
  const { id } = await boss.api.reports.generate(report_input)
  return until(async () => {
    const { reports } = await boss.api.reports.list({})
    const found = reports.find((one) => one.id === id)
    assert.notEqual(found?.status, 'failed', found?.fault ?? '')
    return found?.status === 'ready' && found
  })
}

const asOf = (file: Blob & { as_of?: string }) => file.as_of
const nowThere = async () =>
  (await scene.sql<[{ at: string }]>`select clock_timestamp() as at`)[0].at

test('a report is read on the standby, and its list and its files say as of when', async () => {
  await fund(boss, acme, undefined, { amount_cents: 123_400, reference: 'just before' })
  const before = await nowThere()
  // A machine that is very busy may replay it too late.
  const { id, as_of } = await until(async () => {
    await Promise.all([primary.log(), standby.log()])
    const made = await report()
    return made.as_of !== null && made.as_of >= before && made
  }, 'a report that knows what was done just before')
  await onlyThere(/from private\.report_movements\(\$1/)
  const csv = await (await boss.api.reports.file({ id, format: 'csv' })).text()
  assert.ok(csv.includes(`as_of,${as_of}`), csv.slice(0, 400))
})

test('verification and exports are read there, as the person who asks, and taken down on the primary', async () => {
  const { api } = acme.admin
  const mia = await acme.hire('Mia')
  const before = await nowThere()
  await catchUp(scene.sql, there)
  await primary.log()
  await standby.log()
  const ledger = await api.funds.verify({})
  assert.equal(ledger.good, true)
  assert.ok(ledger.as_of >= before)
  assert.equal((await api.audit.verify({})).good, true)
  await onlyThere(/from verify_ledger/)
  const people = await api.employees.export({})
  assert.ok((await people.text()).includes(mia.email))
  for (const file of [
    people,
    await api.audit.export({}),
    await api.audit.export_sign_ins({}),
    await api.funds.export_statement({}),
  ])
    assert.ok(asOf(file)! >= before)
  await onlyThere(/from audit_log l where/)
  const [taken] = await scene.sql<[{ files: number }]>`
    select count(*)::int as files from audit_log
    where table_name = 'downloads' and company_id = ${acme.id}`
  assert.equal(taken.files, 4)
})

test('a person’s data is read there and kept by the primary', async () => {
  const ana = await acme.hire('Ana')
  const { id } = await ana.api.privacy.request_export({})
  await standby.log()
  await until(async () => {
    const [found] = (await ana.api.privacy.exports({})).exports
    return found?.status === 'ready'
  })
  assert.match(await standby.log(), /from receipts\s+where person_id/)
  const zip = await ana.api.privacy.download_export({ id })
  const files = unzipSync(new Uint8Array(await zip.arrayBuffer()))
  assert.match(strFromU8(files['README.txt']!), /As it was on 20/)
  assert.match(strFromU8(files['data.json']!), new RegExp(ana.email))
})

test('no other request reads there', async () => {
  await standby.log()
  await acme.admin.api.employees.list({})
  await acme.admin.api.audit.list({})
  await boss.api.companies.list({})
  await boss.api.system.health({})
  const requests = (await standby.log()).split('\n').filter((line) => /requests/.test(line))
  assert.deepEqual(requests, [])
})

test('one that is behind says so by its time; who may, the primary says at once; beyond the bound it is not read', async () => {
  const { admin } = acme
  const other = await scene.company({ name: 'Other' })
  await whilePaused(there, async () => {
    const before = await nowThere()
    const late = await acme.hire('Late')
    const people = await admin.api.employees.export({})
    assert.ok(asOf(people)! <= before)
    assert.ok(!(await people.text()).includes(late.email))
    const { employees } = await admin.api.employees.list({ search: late.email })
    assert.equal(employees.length, 1, 'a request is answered where writes are')
    // The primary answers people whom the standby does not know yet.
    const again = await scene.signIn(admin.email)
    const all = await again.api.employees.export({})
    assert.equal(asOf(all), undefined)
    assert.ok((await all.text()).includes(late.email))
    await scene.sql`update profiles set status = 'suspended' where id = ${other.admin.id}`
    await assert.rejects(other.admin.api.employees.export({}), { code: 'not_signed_in' })
    const strict = reads(0)
    const at = await strict.read(async (_, at) => at)
    assert.equal(at.standby, false)
    assert.match(strict.state!.fault!, /seconds late$/)
    await strict.close()
  })
})

test('what ends a read there is done again on the primary: a conflict with what is replayed, a standby that dies', async () => {
  await there`alter system set max_standby_streaming_delay = 0`
  await there`select pg_reload_conf()`
  await scene.sql`create table waste as select n from generate_series(1, 1000) n`
  const places: boolean[] = []
  const one = reads()
  const found = await one.read(async (tx, { standby }) => {
    places.push(standby)
    const [before] = await tx<[{ rows: number }]>`select count(*)::int as rows from waste`
    if (standby) {
      await scene.sql`delete from waste where n > 10`
      await scene.sql`vacuum waste`
      await until(async () => tx`select count(*) from waste`.then(() => false)) // is ended meanwhile
    }
    return before.rows
  })
  assert.deepEqual([places, found], [[true, false], 10])
  await scene.sql`drop table waste`
  await there`alter system reset max_standby_streaming_delay`
  await there`select pg_reload_conf()`
  await one.close()
})

test('the walls hold there: nobody is nobody, nobody becomes somebody by a setting, and nothing is written', async () => {
  const url = urlFor('healthfund_request', scene.config.DATABASE_READ_URL!)
  const sql = connect(url, { max: 1 })
  try {
    assert.deepEqual([...(await sql`select from profiles`)], [])
    const forged = sql.begin(async (tx) => {
      await tx`select set_config('app.actor', 'super_admin', true)`
      return tx`select from profiles`
    })
    await assert.rejects(forged, { code: '42501' })
    await assert.rejects(sql`select publish('x'), nextval('audit_log_id_seq')`, /denied|read-only/)
    const owner = connect(scene.config.DATABASE_READ_URL!, { max: 1 })
    await assert.rejects(owner`delete from profiles`, { code: '25006' })
    await owner.end()
  } finally {
    await sql.end()
  }
})

test('a backup of the standby is whole: restored, each table has the rows of the primary', async () => {
  await worker.stop()
  const [data_folder, to] = [scene.config.DATA_FOLDER, path.join(folder, 'backup')]
  const was = rowsIn(await contentsOf(scene.sql))
  const before = await nowThere()
  await catchUp(scene.sql, there)
  await standby.log()
  await primary.log()
  const place = { url: scene.database_url, data_folder, to }
  const made = await backUp({ ...place, standby: standbyIn(scene.config)! })
  assert.equal(made.read_from, 'standby')
  assert.ok(made.as_of! >= before)
  await onlyThere(/copy "public"\."transfers"/)
  const name = `${new URL(scene.database_url).pathname.slice(1)}_back`
  await scene.sql`create database ${scene.sql(name)}`
  const url = databaseNamed(scene.database_url, name)
  const { ledger } = await restore({ url, data_folder: path.join(folder, 'back'), from: to })
  assert.match(ledger, /all good$/)
  const back = connect(url, { max: 1 })
  assert.deepEqual(rowsIn(await contentsOf(back)), was)
  await back.end()
  await scene.sql`drop database ${scene.sql(name)} with (force)`
  worker = await openWorker(scene.config, scene.database_url, scene.sql, log)
})

const commandEnv = () => ({ ...scene.env, DATABASE_URL: scene.database_url })

test('commands say where they read, and the doctor and System health how it stands', async () => {
  const verified = await runCommand(['ledger:verify'], commandEnv())
  assert.match(verified.out, /all good, as of 20.*Z, read from the standby$/)
  assert.match((await runCommand(['doctor'], commandEnv())).out, /good {3}Standby: it can be read/)
  await scene.services.look()
  const { standby: part } = await boss.api.system.health({})
  assert.equal(part?.state, 'good')
})

test('without it all goes on, from the primary, and whoever looks is told', async () => {
  await there.end({ timeout: 0 })
  const one = reads()
  const places: boolean[] = []
  await one.read(async (tx, at) => {
    places.push(at.standby)
    if (at.standby) await standby.stop()
    await tx`select count(*) from transfers`
  })
  assert.deepEqual(places, [true, false])
  await one.close()

  assert.equal((await report()).as_of, null)
  assert.equal((await acme.admin.api.funds.verify({})).good, true)
  assert.equal(asOf(await acme.admin.api.employees.export({})), undefined)
  const to = path.join(folder, 'without')
  const place = { url: scene.database_url, data_folder: scene.config.DATA_FOLDER, to }
  const made = await backUp({ ...place, standby: standbyIn(scene.config)! })
  assert.equal(made.read_from, 'primary')
  const verified = await runCommand(['ledger:verify'], commandEnv())
  assert.match(verified.out, /all good$/)
  assert.match(
    (await runCommand(['doctor'], commandEnv())).out,
    /LOOK {3}Standby: it does not answer/,
  )
  await scene.services.look()
  const { standby: part, operational } = await boss.api.system.health({})
  assert.match(part!.sentence, /^The standby isn’t read: it does not answer/)
  assert.deepEqual([part!.state, operational], ['notice', true])
})
