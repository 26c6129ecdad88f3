// What every `npm run` begins with, on any Node from 20 on: installs what is missing, then goes on under
// the Node that package.json names.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'

const root = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)
const bin = path.join(root, 'node_modules', '.bin')
const [command = 'start', ...more] = process.argv.slice(2)

const entries = {
  start: ['src/main.server.ts'],
  dev: ['--watch-preserve-output', '--watch-path=src', '--watch-path=db', 'src/main.server.ts'],
  worker: ['src/worker.server.ts'],
  keys: ['src/keys.server.ts'],
  reset: ['src/reset.server.ts'],
  'print-env': ['src/print-env.server.ts'],
  bench: ['bench/main.ts'],
}

process.chdir(root)
installIfMissing()
if (command === 'check') process.exit((await check()) ? 0 : 1)
else if (command === 'test') process.exit(await test())
else if (command === 'dev') await run('node', [...entries.dev, ...more], { NODE_ENV: 'development' })
else if (entries[command]) await run('node', [...entries[command], ...more])
else {
  console.error(`There is no '${command}'. There are: check, test, ${Object.keys(entries).join(', ')}`)
  process.exit(1)
}

/** Locked versions, once: the stamp says for which lock file. */
function installIfMissing() {
  const stamp_file = path.join(root, 'node_modules', '.installed')
  const lock = readFileSync(path.join(root, 'package-lock.json'))
  const stamp = createHash('sha256').update(lock).update(process.platform + process.arch).digest('hex')
  if (existsSync(stamp_file) && readFileSync(stamp_file, 'utf8') === stamp) return
  console.log('Installing what is missing…')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const done = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) {
    console.error('Installing failed: see above. Is the npm registry reachable?')
    process.exit(1)
  }
  writeFileSync(stamp_file, stamp)
}

/** Runs to its end and ends with it: signals are passed on, its exit code is ours. */
async function run(name, args, env = {}) {
  process.exit(await begin(name, args, env))
}

function begin(name, args, env = {}) {
  const compile_cache = path.join(root, 'node_modules', '.cache', 'node')
  const child = spawn(path.join(bin, name), args, {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compile_cache, ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  // A terminal's Ctrl-C reaches the child by itself; a signal to us alone must be passed on.
  const pass = (signal) => child.kill(signal)
  const ignore = () => {}
  process.on('SIGINT', process.stdin.isTTY ? ignore : pass)
  process.on('SIGTERM', pass)
  return new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
}

/** The quick part: types, lint, form, fences. */
async function check() {
  const write = more.includes('--write')
  if (write) await begin('node', ['src/print-env.server.ts', '--write'])
  const parts = [
    ['types', 'tsc', []],
    ['lint', 'oxlint', ['--type-aware', '--deny-warnings', '--quiet']],
    ['format', 'oxfmt', write ? [] : ['--check']],
  ]
  const ended = await Promise.all(parts.map(([, name, args]) => begin(name, args)))
  const failed = parts.filter((_, at) => ended[at] !== 0).map(([what]) => what)
  if (failed.length > 0) console.error(`\nNot good yet: ${failed.join(', ')}`)
  return failed.length === 0
}

/** Everything, or with arguments just those test files. */
async function test() {
  if (more.length === 0 && !(await check())) return 1
  const built = await begin('node', ['src/build.server.ts'])
  if (built !== 0) return built
  const files = more.length > 0 ? more : ['src/**/*.test.ts', 'test/**/*.test.ts']
  const side_by_side = `--test-concurrency=${Math.max(2, availableParallelism())}`
  return begin('node', ['--test', side_by_side, ...files], { LOG_LEVEL: 'fatal' })
}
