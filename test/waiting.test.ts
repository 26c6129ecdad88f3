// A server that starts before its database does: it says so to everybody, and begins by itself.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from './free-port.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { root } from './server-process.ts'
import { until } from './until.ts'

let database: TestDatabase
let folder: string
before(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-waiting-'))
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** The way to the database, which is closed until it is opened. */
async function gate(port: number): Promise<Server> {
  const { hostname, port: real } = new URL(database.url)
  const server = createServer((from) => {
    const to = connect(Number(real), hostname)
    from.pipe(to).pipe(from)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one.on('error', () => other.destroy())
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return server
}

function start(url: string, port: number) {
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env
  const own = { PORT: String(port), DATABASE_URL: url, DATA_FOLDER: folder, LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, ['src/main.server.ts'], {
    cwd: root,
    env: { ...rest, ...own, DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (words: string) => (output += words))
  const untilOutput = async (words: RegExp) => {
    while (!words.test(output)) {
      const [code] = await Promise.race([
        once(child.stdout, 'data'),
        once(child.stderr, 'data'),
        once(child, 'exit'),
      ])
      if (typeof code === 'number') assert.fail(`It ended with ${code}: ${output}`)
    }
  }
  return { child, untilOutput, output: () => output }
}

test('without its database it is alive, not ready, and refuses; with it, it begins', async () => {
  const [way, port] = [await freePort(), await freePort()]
  const url = new URL(database.url)
  url.host = `127.0.0.1:${way}`
  const { child, untilOutput } = start(url.href, port)
  const at = `http://127.0.0.1:${port}`
  await untilOutput(
    new RegExp(`"database":"127.0.0.1:${way}".*does not answer: waiting until it does`),
  )
  const answered = () => fetch(`${at}/healthz`).then(({ ok }) => ok)
  await until(() => answered().catch(() => false))
  assert.equal((await fetch(`${at}/readyz`)).status, 503)
  const refused = await fetch(`${at}/api/claims`)
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '2')
  assert.equal(((await refused.json()) as { code: string }).code, 'unavailable')
  const opened = await gate(way)
  try {
    await untilOutput(/Healthfund \S+ is ready at/)
    assert.equal((await fetch(`${at}/readyz`)).status, 200)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    opened.close()
  }
})

test('what waits ends when it is told to', async () => {
  const [way, port] = [await freePort(), await freePort()]
  const { child, untilOutput } = start(`postgres://nobody@127.0.0.1:${way}/none`, port)
  await untilOutput(/does not answer/)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a wrong password is told at once, not waited for', async () => {
  const url = new URL(database.url)
  url.password = 'wrong'
  const { child, output } = start(url.href, await freePort())
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.match(output(), /refuses the login of DATABASE_URL: its name or password is wrong/)
})
