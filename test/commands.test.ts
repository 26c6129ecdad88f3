// Every command says what it does, does nothing else when asked for that, and refuses by name what it does not take.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startEmbedded, stopUnused } from '#lib/embedded.server.ts'
import { commands } from '../src/commands/commands.mjs'
import { runCommand } from './command-run.ts'
import { root } from './server-process.ts'

let folder: string
before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'healthfund-commands-'))))
after(() => rm(folder, { recursive: true }))

const run = (words: string[], env: Record<string, string> = {}) =>
  runCommand(words, { DATA_FOLDER: path.join(folder, 'data'), ...env })

describe('the front of all commands', () => {
  test('each has its script, and each script its sentence', async () => {
    const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    delete scripts.postinstall
    const listed = Object.entries(commands).filter(([, { unlisted }]) => !unlisted)
    assert.deepEqual(Object.keys(scripts).toSorted(), listed.map(([name]) => name).toSorted())
    for (const [name, { about }] of Object.entries(commands))
      assert.match(about, /^[A-Z].+\.$/, name)
  })

  test('--help says what each does, and does nothing', async () => {
    for (const [name, { about, flags = {} }] of Object.entries(commands)) {
      const { code, out, fault } = await run([name, '--help'])
      assert.deepEqual([code, fault], [0, ''], name)
      assert.match(out, new RegExp(`^npm run ${name}\\b`))
      for (const word of [about, ...Object.keys(flags).map((flag) => `--${flag}`)])
        assert.ok(out.includes(word), `${name}: ${word}`)
    }
    assert.deepEqual(await readdir(folder), [])
  })

  test('without a command it lists them, and does nothing', async () => {
    for (const words of [[], ['--help'], ['-h']]) {
      const { code, out, fault } = await run(words)
      assert.deepEqual([code, fault], [0, ''])
      for (const [name, { about, unlisted }] of Object.entries(commands))
        assert.equal(out.includes(`npm run ${name.padEnd(14)} ${about}`), !unlisted, name)
    }
    assert.deepEqual(await readdir(folder), [])
  })

  const refused: [words: string[], because: RegExp, env?: Record<string, string>][] = [
    [['strat'], /^There is no 'strat'\. There are: start, /],
    [['backup', '--witout-key'], /^There is no --witout-key: npm run backup -- --help says/],
    [['backup', '-k'], /^There is no -k: /],
    [['backup', '--without-key=no'], /^--without-key takes nothing: /],
    [['backup', 'here', 'there'], /^'there' is too much: npm run backup -- \[folder\]/],
    [
      ['backup'],
      /^npm kept --without-key: write npm run backup -- --without-key$/,
      { npm_config_without_key: 'true' },
    ],
    [['admin', 'end-sessions'], /^Say which <super-admin\|.*> <email> \[name\]: npm run admin/],
    [['restore'], /^Say which <folder>: npm run restore -- <folder> \[flags\]$/],
    [['reset', '--yes'], /^--yes wants a data folder: /],
    [['start', 'now'], /^'now' is too much: npm run start$/],
    [['bench', '--ful'], /^There is no --ful: /],
    [['admin', 'super-admin', 'nora', 'Nora'], /^nora is no email address\.$/],
    [['doctor', '--bundle', 'no/such/folder/x'], /^There is no folder for no\/such\/folder\/x\.$/],
    [['keys', 'bogus'], /^There is no keys bogus: rotate, rotate-signing, or nothing\.$/],
  ]

  test('what is not taken is refused by name, and nothing is done', async () => {
    for (const [words, because, env] of refused) {
      const { code, out, fault } = await run(words, env)
      assert.deepEqual([code, out], [1, ''], words.join(' '))
      assert.match(fault, because)
    }
    assert.deepEqual(await readdir(folder), [])
  })

  test('a fault of the settings or of the database is one sentence', async () => {
    const [away, without] = ['postgres://a:b@127.0.0.1:1/c', 'postgres://127.0.0.1:1/c']
    const faults: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: away }, /^Nothing answers at 127\.0\.0\.1:1: is the database running, and/],
      [{ DATABASE_URL: without }, /^Nothing answers at 127\.0\.0\.1:1: /],
      [{ DATABASE_URL: 'mysql://a' }, /^These settings need attention:\n {2}DATABASE_URL: must be/],
      [{ PORT: '99999' }, / PORT: must be a whole number from 0 to 65535$/],
      [{ HOST: 'not a host' }, / HOST: must be an address or a name$/],
      [{ LOG_LEVEL: 'loud' }, / LOG_LEVEL: must be one of trace, debug, info, /],
      [{ DEMO: 'maybe' }, / DEMO: must be on or off$/],
    ]
    for (const [env, because] of faults) {
      const { code, fault } = await run(['ledger:verify'], env)
      assert.equal(code, 1)
      assert.match(fault, because)
      assert.doesNotMatch(fault, /\n\s+at /)
    }
  })

  test('what looks or copies makes no installation where none is', async () => {
    const DATA_FOLDER = path.join(folder, 'mistyped')
    const all = [['doctor'], ['ledger:verify'], ['backup'], ['admin', 'end-sessions', 'a@b.test']]
    for (const words of all) {
      const { code, fault } = await run(words, { DATA_FOLDER })
      assert.equal(code, 1)
      assert.match(fault, /^There is no installation in .*: set DATA_FOLDER to the one you mean/)
    }
    assert.ok(!(await readdir(folder)).includes('mistyped'))
  })

  test('keys makes none', async () => {
    const { code, fault } = await run(['keys'])
    assert.equal(code, 1)
    assert.match(fault, /^There is no key yet: the first npm start makes it\.$/)
  })
})

describe('reset', () => {
  let data: string
  let place: string
  before(async () => {
    place = path.join(folder, 'resets')
    data = path.join(place, 'data')
    await mkdir(path.join(data, 'files/ab'), { recursive: true })
    await mkdir(path.join(data, 'backups/friday'), { recursive: true })
    await writeFile(path.join(data, 'files/ab/receipt'), 'x')
    await writeFile(path.join(data, 'backups/friday/manifest.json'), '{}')
    await writeFile(path.join(data, 'installation.key'), 'x')
    await writeFile(path.join(data, 'a letter'), 'x')
  })
  after(() => stopUnused(path.join(data, 'postgres')))

  const reset = (words: string[] = [], env: Record<string, string> = {}) =>
    run(['reset', ...words], { DATA_FOLDER: data, ...env })
  const all = () => readdir(data)
  const refuses = async (because: RegExp, words: string[] = [], env = {}) => {
    const before_it = await all()
    const { code, fault } = await reset(words, env)
    assert.equal(code, 1)
    assert.match(fault, because)
    assert.deepEqual(await all(), before_it)
  }

  test('refuses where no embedded database is', () =>
    refuses(/no embedded database in .*data: nothing/))

  test('refuses while somebody uses the database, and without being told which folder', async () => {
    const { stop } = await startEmbedded({ folder: path.join(data, 'postgres') })
    await refuses(/A server, a worker or a command still uses .*\. Stop it first\./, [
      '--yes',
      data,
    ])
    await stop()
    await refuses(/permanently\. If you mean it: --yes /)
    await refuses(/--yes names data, and the folder is /, ['--yes', 'data'])
  })

  test('refuses with a database that was given, and a folder that holds the key of one', async () => {
    const DATABASE_URL = 'postgres://a:b@127.0.0.1:1/fund'
    await refuses(/DATABASE_URL is set, and reset only ever/, ['--yes', data], { DATABASE_URL })
    await run(['ledger:verify'], { DATA_FOLDER: data, DATABASE_URL })
    await refuses(/holds files and the key of the database fund at 127\.0\.0\.1:1, too/, [
      '--yes',
      data,
    ])
    await rm(path.join(data, 'used-by'))
  })

  test('deletes what a start made, and nothing else', async () => {
    const { code, out, fault } = await reset(['--yes', data])
    assert.deepEqual([code, fault], [0, ''])
    assert.match(out, /is gone\. npm start makes a new one\.\nLeft as it was: a letter, backups$/)
    assert.deepEqual(await all(), ['a letter', 'backups'])
    assert.deepEqual(await readdir(path.join(data, 'backups/friday')), ['manifest.json'])
  })
})
