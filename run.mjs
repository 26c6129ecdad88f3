// The beginning of every `npm run`, on any Node from 20 on: installs what is missing, then goes on
// under Node 24: the machine’s own, or the one that ops/node names.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseCommand } from './src/commands/commands.mjs'
import { speakFor, speaking, spokenFor } from './src/lib/progress.mjs'

const root = path.dirname(fileURLToPath(import.meta.url))
const modules = path.join(root, 'node_modules')
const bin = path.join(modules, '.bin')
const listed = path.join(modules, '.package-lock.json')
const node_major = 24
const major = parseInt(process.versions.node)
/** A Node of our own, for a machine with another version. It has a folder of its own, which no image has to carry. */
const node_home = path.join(root, 'ops/node')
const node_name = `node-${process.platform}-${process.arch}`
const shipped = path.join(node_home, 'node_modules', node_name, 'bin/node')
const [command, ...more] = process.argv.slice(2)
const parent = process.ppid
const progress = speaking()

// Less memory makes the garbage collected sooner: a server under load takes half of it. Large data is streamed.
const room = '--max-old-space-size=1024'
const watched = ['--watch-preserve-output', '--watch-path=src', '--watch-path=db']
const of = (name) => `src/commands/${name.replace(':', '-')}.server.ts`
const ways = {
  start: async () => (await spoken([of('build')])) || spoken([room, 'src/main.server.ts']),
  cluster: async () => (await spoken([of('build')])) || run([of('cluster')]),
  dev: () => run([...watched, 'src/main.server.ts'], { NODE_ENV: 'development' }),
  worker: () => run([room, of('worker')]),
  bench: () => run(['bench/main.ts', ...more]),
  check: () => run(['test/check.ts', ...more]),
  test: () => run(['test/run.ts', ...more]),
  'test:cluster': () => run(['--test-reporter=spec', 'test/cluster/play.ts']),
  looks: () => run(['test/run.ts', ...(more.length > 0 ? more : ['test/e2e'])], { LOOKS: 'all' }),
}
/** The others run without what is only for development, where somebody chose to leave it out. */
const for_development = ['check', 'test', 'test:cluster', 'looks', 'dev', 'bench']

process.chdir(root)
if (major < 20) giveUp(`Node 20 or newer is wanted, and this is ${process.versions.node}.`)
if (!livesElsewhen()) parseCommand(command, more) // before anything is installed
if (for_development.includes(command) && !existsSync('test')) {
  giveUp(
    `${command} is for development, and this is an installation without tests: take a checkout.`,
  )
}
// The PATH without the Node that is about to be replaced.
const places = (process.env.PATH ?? '').split(path.delimiter).filter((place) => place !== bin)
const PATH = places.join(path.delimiter)
await installNodeIfMissing()
await installIfMissing()
process.exit(
  await (livesElsewhen()
    ? onAnotherDay()
    : (ways[command] ?? (() => run([of(command), ...more])))()),
)

/** `--on <moment>`, `--tz <zone>`: the same command with its clock set. */
function livesElsewhen() {
  return more.some((word) => /^--(on|tz|database-tz)(=|$)/.test(word))
}

function onAnotherDay() {
  const program = 'test/clock/on.ts'
  if (!existsSync(program)) giveUp('The clock is set by the tests, which are not installed here.')
  return run([program, command, ...more])
}

async function installNodeIfMissing() {
  const lock = path.join(node_home, 'package-lock.json')
  if (major === node_major || !existsSync(lock)) return
  const wanted = listedIn(lock)[`node_modules/${node_name}`]
  if (!wanted) return // for this kind of machine there is none
  const there = path.join(node_home, 'node_modules', node_name, 'package.json')
  const isWhole = existsSync(there) && existsSync(shipped)
  if (isWhole && JSON.parse(readFileSync(there, 'utf8')).version === wanted.version) return
  console.error(`Installing Node ${wanted.version}`)
  await install([], PATH, node_home)
  if (!existsSync(shipped)) giveUp('npm left Node out: is the registry reachable? Try once more.')
}

async function installIfMissing() {
  if (isInstalled()) return
  console.error('Installing what is missing')
  await install([], PATH)
  // An older npm silently leaves out packages that don’t support the Node it runs on. Ours is there now: with it, a
  // newer npm brings the rest.
  if (lacking().length > 0 && existsSync(shipped)) {
    rmSync(listed, { force: true }) // some have what they left out on it
    const newer = ['exec', '--yes', '--package=npm@10', '--', 'npm']
    await install(newer, [path.dirname(shipped), PATH].join(path.delimiter))
  }
  if (isInstalled() && lacking().length === 0) return
  rmSync(listed, { force: true }) // so that the next start looks again
  giveUp('npm left packages out: is the registry reachable? Try once more.')
}

async function install(words, PATH, folder = root) {
  // Installs by the lock file without writing it, like `npm ci`, which would first remove what is there.
  const kinds = ['--include=dev', '--include=optional']
  // We say how far it is: an older npm would write over that line.
  const options = ['--no-save', ...kinds, '--no-audit', '--no-fund', '--no-progress']
  const wanted = Object.keys(packagesIn(path.join(folder, 'package-lock.json')))
  const there = () => wanted.filter((name) => isThere(path.join(folder, name)))
  progress.now(() => `Installing packages, ${there().length} of ${wanted.length}`)
  const npm = spawn('npm', [...words, 'install', ...options, '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH },
  })
  const status = await new Promise((resolve) => npm.on('error', resolve).on('close', resolve))
  progress.done()
  if (status !== 0) giveUp('npm could not install the packages: the reason is above.')
}

function isThere(name) {
  return existsSync(path.join(name, 'package.json'))
}

/** Checked after an installation only: an image carries less than was installed in it. */
function lacking() {
  const packages = Object.entries(listedIn('package-lock.json'))
  return packages.filter((one) => isWanted(one, ourLibc()) && !isThere(one[0]))
}

function ourLibc() {
  process.report.excludeNetwork = true // which would look up names
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

/** npm leaves a list of what lies in node_modules: all that is wanted here must be on it. */
function isInstalled() {
  try {
    const wanted = Object.entries(packagesIn('package-lock.json'))
    // All packages are compared, as npm 9 marks those for development differently here.
    const there = listedIn(listed)
    return wanted.every(([name, { version }]) => there[name]?.version === version)
  } catch {
    return false
  }
}

function listedIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function packagesIn(file) {
  return Object.fromEntries(Object.entries(listedIn(file)).filter((one) => isWanted(one)))
}

function isWanted([name, { dev, devOptional, optional, os, cpu, libc }], ours) {
  if (name === '') return false
  if ((dev || devOptional) && ![...for_development, 'build'].includes(command)) return false
  if (!optional) return true
  // Optional packages count if they are made for this machine.
  const fits = os?.includes(process.platform) && cpu?.includes(process.arch)
  return Boolean(fits && (!libc || libc.includes(ours)))
}

/** Runs a command like `run`, and reports progress until it has ended, also while it loads. */
async function spoken(args) {
  progress.now('Starting')
  const status = await run(args, spokenFor(), (child) => speakFor(child, progress))
  progress.done()
  return status
}

/** Runs to its end: signals are passed on, its exit code is ours. */
function run(args, env = {}, listen) {
  const node = nodeToUse()
  const child = spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', ...(listen ? ['ipc'] : [])],
    env: {
      NODE_COMPILE_CACHE: path.join(modules, '.cache/node'),
      // Passwords are hashed by as many threads as there are cores; files and names need some, too.
      UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism() + 2)),
      ...process.env,
      // Programs started from there, and tools written in JavaScript, are to find the same Node.
      PATH: [path.dirname(node), process.env.PATH].join(path.delimiter),
      ...env,
    },
  })
  listen?.(child)
  // A terminal's Ctrl-C reaches the child by itself; a signal to us alone must be passed on.
  const pass = (signal) => child.kill(signal)
  const passers = { SIGINT: process.stdin.isTTY ? () => {} : pass, SIGTERM: pass, SIGHUP: pass }
  for (const [signal, passer] of Object.entries(passers)) process.on(signal, passer)
  const watch = setInterval(() => isAbandoned() && child.kill(), 500)
  return new Promise((resolve) => {
    child.on('error', ({ message }) => giveUp(`${node} does not start: ${message}`))
    child.on('close', (code, signal) => {
      clearInterval(watch)
      for (const [signal, passer] of Object.entries(passers)) process.off(signal, passer)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/** A signal to npm ends its shell, and nobody tells us. */
function isAbandoned() {
  return Boolean(process.env.npm_lifecycle_event) && process.ppid !== parent
}

function nodeToUse() {
  if (major !== node_major && existsSync(shipped)) return shipped
  if (major < node_major) giveUp('On this machine Node 24 has to be installed.')
  return process.execPath
}

function giveUp(reason) {
  console.error(reason)
  process.exit(1)
}
