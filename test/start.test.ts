// The one command, as a new user gives it, and what people do to it afterwards.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { stopUnused } from '#lib/embedded.server.ts'
import { commandOf } from '#lib/processes.server.ts'
import { spokenFor } from '#lib/progress.mjs'
import { until } from './until.ts'

const root = path.resolve(import.meta.dirname, '..')
let folder: string
before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'healthfund-start-'))))
after(async () => {
  await stopUnused(path.join(folder, 'postgres'))
  await rm(folder, { recursive: true })
})

type Server = { process: ChildProcess; url: string; output: () => string }

function command(...words: string[]) {
  return commandWith({}, ...words)
}

function commandWith(settings: Record<string, string>, ...words: string[]) {
  const { DATABASE_URL: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const own = {
    PORT: '0',
    DATA_FOLDER: folder,
    DEMO: 'off',
    LOG_LEVEL: 'fatal',
    ADVISORY_REGISTRY: 'off',
    ...settings,
  }
  // A group of its own, so that signals can be sent as a terminal sends them: to all of it.
  const child = spawn(process.execPath, ['run.mjs', ...words], {
    cwd: root,
    env: { ...env, ...own },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (words: string) => (output += words))
  }
  return { process: child, output: () => output }
}

async function start(): Promise<Server> {
  const { process: child, output } = command('start')
  const address = /is ready at (http:\S+)/
  while (!address.test(output())) {
    const [code] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (typeof code === 'number') assert.fail(`It ended with ${code}: ${output()}`)
  }
  return { process: child, output, url: address.exec(output())![1]! }
}

async function end({ process: child }: Server, signal: NodeJS.Signals) {
  process.kill(-child.pid!, signal)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

async function postgres(): Promise<string> {
  const file = path.join(folder, 'postgres/data/postmaster.pid')
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  return pid > 0 ? commandOf(pid) : ''
}

const answers = async ({ url }: Server) => (await fetch(`${url}/readyz`)).status

test('it starts, and Ctrl-C ends all that it started', async () => {
  const server = await start()
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  assert.ok(server.output().includes(`Healthfund ${version} is ready at`))
  const alive = await fetch(`${server.url}/healthz`)
  assert.deepEqual(await alive.json(), { status: 'ok', version })
  const idle_s = Number(/\d+/.exec(alive.headers.get('keep-alive') ?? '')?.[0])
  assert.ok(idle_s > 120, 'a proxy closes its idle connections first')
  assert.equal(await answers(server), 200)
  assert.match(await postgres(), /postgres/)
  assert.equal(await end(server, 'SIGINT'), 0)
  assert.equal(await postgres(), '')
})

test('Ctrl-C while it starts ends its database, too', async () => {
  const { process: child } = command('start')
  const ended = once(child, 'exit')
  await until(async () => (await postgres()) !== '', 'PostgreSQL')
  process.kill(-child.pid!, 'SIGINT')
  await ended
  assert.equal(await postgres(), '')
})

test('whoever starts the server hears of each stage, while it loads as well', async () => {
  const { DATABASE_URL: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const own = { PORT: '0', DATA_FOLDER: folder, DEMO: 'off', LOG_LEVEL: 'fatal' }
  const child = spawn(process.execPath, ['src/main.server.ts'], {
    cwd: root,
    env: { ...env, ...own, ...spokenFor() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const messages: (string | null)[] = []
  while (messages.at(-1) !== null) {
    const [word] = (await Promise.race([once(child, 'message'), ended])) as [unknown]
    if (typeof word === 'number') assert.fail(`It ended with ${word}`)
    messages.push((word as { stage: string | null }).stage)
  }
  assert.deepEqual(messages, ['Opening the database', 'Setting up the database', null])
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('killed outright, with its database running on, it starts again', async () => {
  await end(await start(), 'SIGKILL')
  const server = await start()
  assert.equal(await answers(server), 200)
  assert.equal(await end(server, 'SIGTERM'), 0)
  assert.equal(await postgres(), '')
})

test('two servers share one database; one may go', async () => {
  const [one, two] = await Promise.all([start(), start()])
  await end(one, 'SIGTERM')
  assert.equal(await answers(two), 200)
  const reset = command('reset')
  assert.deepEqual(await once(reset.process, 'exit'), [1, null])
  assert.match(reset.output(), /Stop it first/)
  await end(two, 'SIGTERM')
  assert.equal(await postgres(), '')
})

test('where the port is taken, nothing is done', async () => {
  const one = await start()
  const elsewhere = path.join(folder, 'of-a-second')
  const second = commandWith({ PORT: new URL(one.url).port, DATA_FOLDER: elsewhere }, 'start')
  assert.deepEqual(await once(second.process, 'exit'), [1, null])
  assert.match(second.output(), /Port \d+ is taken/)
  assert.equal(existsSync(elsewhere), false)
  await end(one, 'SIGTERM')
})

test('a damaged data folder is one sentence', async () => {
  await writeFile(path.join(folder, 'postgres/data/global/pg_control'), 'x')
  const { process: child, output } = command('start')
  assert.deepEqual(await once(child, 'exit'), [1, null])
  const sentence = output().replaceAll(/^.*…( \d+ s)?\n/gm, '') // without what it was doing meanwhile
  assert.match(
    sentence,
    /^\s*The data folder .* cannot be used .* run `npm run reset`, which .*\.\s*$/,
  )
})

test('what is not known is answered with what is', async () => {
  const { process: child, output } = command('strat')
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.match(output(), /^There is no 'strat'\. There are: start, /)
})
