// A start never fails for the demo's sake: what of it cannot be made is taken away, and the product is served.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { root, startServer, type Server } from './server-process.ts'
import { until } from './until.ts'

describe('a start, and a demo world that cannot be made', () => {
  let database: TestDatabase
  let folder: string
  let sql: Sql
  let server: Server | undefined
  before(() => buildIfStale(root))
  beforeEach(async () => {
    database = await testDatabase()
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-demo-'))
    sql = connect(database.url, { max: 2 })
  })
  afterEach(async () => {
    await end()
    await sql.end()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const start = async (DEMO: 'on' | 'off') =>
    (server = await startServer({
      url: database.url,
      folder,
      env: { DEMO, WORKER: 'off', LOG_LEVEL: 'error' },
    }))
  async function end() {
    if (!server) return
    const ended = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    await ended
    server = undefined
  }

  /** Refuses the second company, like a rule that the demo's plan does not know. */
  const refuse = () =>
    sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$
        begin
          if (select count(*) from companies) = 0 then return new; end if;
          raise exception 'no such company today';
        end $$;
      create trigger refuse before insert on companies for each row execute function refuse()`)

  async function servesNothingButTheProduct({ origin, output }: Server) {
    assert.match(output, /Make the first one, once: http\S+\/auth\/setup\?token=/)
    assert.doesNotMatch(output, /Demo logins|WARNING/)
    assert.equal((await fetch(`${origin}/readyz`)).status, 200)
    const about = (await (await fetch(`${origin}/api/site`)).json()) as { demo: unknown }
    assert.equal(about.demo, null)
    const [left] = await sql`
      select (select count(*)::int from auth.users) as users,
        (select count(*)::int from companies) as companies,
        (select count(*)::int from demo_world) as worlds`
    assert.deepEqual({ ...left }, { users: 0, companies: 0, worlds: 0 })
  }

  test('it says so in one sentence and serves the empty product', async () => {
    await refuse()
    const empty = await start('on')
    assert.equal(empty.output.match(/The demo world could not be made.*/g)?.length, 1, empty.output)
    assert.match(empty.output, /"message":"no such company today"/)
    assert.match(empty.output, /"msg":"the demo world could not be made"/)
    await servesNothingButTheProduct(empty)
  })

  test('killed in the midst of it, a start with DEMO off serves the empty product', async () => {
    await killedHalfway()
    await servesNothingButTheProduct(await start('off'))
  })

  test('killed in the midst of it, the next start takes it away and begins again', async () => {
    await killedHalfway()
    const half = await schema()
    const next = begin()
    await until(async () => (await schema()) !== half, 'half a world is taken away')
    const begun = () => sql`select from demo_world`.then(({ length }) => length > 0)
    await until(() => begun().catch(() => false), 'another is begun') // its table is not there at first
    await next.kill()
  })

  test('it is not made where somebody is already, and nothing of theirs is lost', async () => {
    await sql`insert into companies (name) values ('Ours')`
    const ours = await start('on')
    assert.doesNotMatch(ours.output, /demo/i)
    assert.match(ours.output, /Make the first one, once/)
    assert.deepEqual([...(await sql`select name from companies`)], [{ name: 'Ours' }])
  })

  test('nor where another server runs, empty as it is', async () => {
    const first = await start('off')
    const second = await start('on')
    assert.match(second.output, /The demo world was not made: another server or worker runs/)
    await servesNothingButTheProduct(second)
    await end()
    server = first
  })

  test('a worker beside it begins when the world is there', async () => {
    await sql.begin(async (tx) => {
      await tx`lock table companies in share mode`
      const [making, worker] = [begin(), begin('src/commands/worker.server.ts')]
      await until(async () => worker.output().includes('waits until'), 'the worker waits')
      assert.deepEqual([...(await sql`select kind from private.processes`)], [])
      await making.kill()
      await worker.kill()
    })
  })

  test('a worker that is stopped while it waits for the world has not failed', async () => {
    const [ended] = await sql.begin(async (tx) => {
      await tx`lock table demo_world in access exclusive mode`
      const worker = begin('src/commands/worker.server.ts')
      await until(() => isWaitedFor('demo_world'), 'the worker looks for it')
      const ended = worker.kill('SIGTERM')
      await until(() => worker.output().includes('the worker stops'))
      return [ended] // what it asks next has no connection any more
    })
    assert.deepEqual(await ended, [0, null])
  })

  /** A server whose making of the world is not waited for. */
  function begin(program = 'src/main.server.ts') {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const own = { DATABASE_URL: database.url, DATA_FOLDER: folder, DEMO: 'on', PORT: '0' }
    const child = spawn(process.execPath, [program], {
      cwd: root,
      env: { ...env, ...own, LOG_LEVEL: 'info', WORKER: 'off' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (words: string) => (output += words))
    return {
      output: () => output,
      kill(signal: NodeJS.Signals = 'SIGKILL') {
        const ended = once(child, 'exit')
        child.kill(signal)
        return ended
      },
    }
  }

  /** A reset drops the whole schema, so this changes. */
  async function schema() {
    const [found] = await sql`select oid from pg_namespace where nspname = 'public'`
    return found?.oid as number | undefined
  }

  async function isWaitedFor(table: string) {
    const [found] = await sql<[{ waits: boolean }]>`select exists (
      select from pg_locks where relation = ${table}::regclass and not granted) as waits`
    return found.waits
  }

  /** Kills the demo with its server; its first company waits for our lock, so it stops there. */
  async function killedHalfway() {
    await sql.begin(async (tx) => {
      await tx`lock table companies in share mode`
      const next = begin()
      await until(() => isWaitedFor('companies'), 'its first company')
      await next.kill()
    })
    const [left] = await sql`select finished_at from demo_world`
    assert.deepEqual({ ...left }, { finished_at: null })
  }
})
