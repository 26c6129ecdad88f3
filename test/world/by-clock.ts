// One installation whose clock is moved: its server and its PostgreSQL run through all of it, and what comes by the
// clock is done.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { connect, type Sql } from '#lib/db.server.ts'
import { openClock, parseMoment } from '../clock/clock.ts'
import { root, startServer } from '../server-process.ts'
import { until } from '../until.ts'
import { claimFaults } from './claims.ts'
import { peopleAt } from './people.ts'

const run = promisify(execFile)

export type World = Awaited<ReturnType<typeof openWorld>>

/** Its clock stands at ten o'clock of the first day. */
export async function openWorld(first_day: string, settings: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'world-'))
  const at = (words: string) => parseMoment(words.includes('T') ? words : `${words}T10:00Z`)
  const clock = await openClock(path.join(folder, 'clock'), at(first_day))
  const own = { DEMO: 'off', PROVIDER_TWO_STEP: 'off', ADVISORY_REGISTRY: 'off' }
  const env = { ...clock.env, ...own, ...settings, DATABASE_URL: '' }
  const server = await startServer({ folder, env: { ...env, AUTH_PASSWORD_MEMORY_MIB: '19' } })
  const command = { ...process.env, ...env, DATA_FOLDER: folder, NODE_TEST_CONTEXT: '' }
  const readLog = (name: string) => readFile(path.join(folder, 'postgres', name), 'utf8')
  const [password, pid_file] = [await readLog('password'), await readLog('data/postmaster.pid')]
  const login = `healthfund:${password.trim()}@127.0.0.1:${pid_file.split('\n')[3]}`
  const sql = connect(`postgres://${login}/postgres`, { max: 2 })
  const people = peopleAt(server, sql)
  return {
    ...people,
    server,
    sql,
    clock,
    /** Moves to ten o'clock of that day and runs the schedule, twice, as each day does. */
    async on(day: string) {
      await idle(sql)
      await clock.set(at(day))
      for (let times = 0; times < 2; times += 1) await runHousekeeping(sql)
    },
    rotateKeys: () =>
      run(process.execPath, ['src/commands/keys.server.ts', 'rotate-signing'], {
        cwd: root,
        env: command,
      }),
    /** Signed in on this day. */
    as: async (email: string) => (await people.signIn(email)).api,
    async close() {
      await sql.end()
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

/** Everything in the crontab, whatever that is by then, and what follows from it. */
export async function runHousekeeping(sql: Sql) {
  await sql`
    select graphile_worker.add_job(identifier, job_key => 'kept ' || identifier)
    from graphile_worker._private_known_crontabs`
  await idle(sql)
}

/** Runs all jobs that are due, but for those that repeat each second. */
async function idle(sql: Sql) {
  await until(async () => {
    const jobs = await sql<{ task: string; last_error: string | null }[]>`
      select task_identifier as task, last_error from graphile_worker.jobs
      where run_at <= now()
        and coalesce(key, '') not in ('funds:seal', 'claims:count', 'audit:seal')`
    for (const { task, last_error } of jobs) assert.equal(last_error, null, task)
    return jobs.length === 0
  }, 'all jobs done')
}

export async function recordsAreWhole(
  world: World,
  { company, admin }: { company: string; admin: string },
) {
  const api = await world.as(admin)
  assert.equal((await api.funds.verify({})).good, true)
  const { good, sentence } = await api.audit.verify({})
  assert.ok(good, sentence)
  assert.deepEqual(await claimFaults(world.sql, company), [])
}
