// `npm test`: everything; or, with names of files and folders, the tests in them and nothing else.
// Each file is a process of its own. What a file reports must be all of it: one that ends before it
// said so, or stays open when it is through, has failed.
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import type { TestEvent } from 'node:test/reporters'
import { buildIfStale } from '#lib/built.server.ts'
import { check, quick } from './check.ts'
import { calendar } from './clock/calendar.ts'
import { shareDatabase } from './database.ts'

const root = path.resolve(import.meta.dirname, '..')
/** What hangs is a failure, not a wait. */
const test_within_ms = 300_000
const file_within_ms = 600_000
/** What was left open when all tests were through: a connection, a timer, a process. */
const end_within_ms = 10_000

/** Where to begin when the suite takes too long. */
const shown_slowest = 30

/** Of one run; `broken` are the files in which anything failed. */
export type Totals = { passed: number; failed: number; broken: string[] }

async function main(words: string[]): Promise<boolean> {
  const flags = words.filter((word) => word.startsWith('-'))
  const places = words.filter((word) => !word.startsWith('-'))
  const pattern = patternIn(flags)
  const files = filesIn(places)
  const everything = places.length === 0 && !process.env.HEALTHFUND_CLOCK
  const checked = !everything || (await check(quick)) === 0
  if (everything) await buildIfStale(root)
  const totals = await testAll(files, pattern)
  process.send?.(totals)
  const later = !everything || (await calendar())
  return checked && later && totals.failed === 0 && totals.broken.length === 0
}

function patternIn(flags: string[]): string | undefined {
  const name = '--test-name-pattern='
  const unknown = flags.filter((flag) => !flag.startsWith(name))
  if (unknown.length > 0) {
    throw new Error(`'${unknown.join(' ')}' is not known. There are: --on, --tz, ${name}…`)
  }
  return flags.at(-1)?.slice(name.length)
}

/** Those with a browser first: they take longest, and nobody is to wait for one at the end. */
function filesIn(places: string[]): string[] {
  const wanted = places.length > 0 ? places : ['src', 'test']
  const found = wanted.flatMap((place) => {
    const names = globSync(/\.\w+$/.test(place) ? place : `${place}/**/*.test.ts`, { cwd: root })
    if (names.length === 0) throw new Error(`There is no test in ${place}.`)
    return names.sort()
  })
  const in_browser = (name: string) => name.includes('e2e')
  return [...found.filter(in_browser), ...found.filter((name) => !in_browser(name))]
}

async function testAll(files: string[], pattern: string | undefined): Promise<Totals> {
  const [begun_at, all] = [performance.now(), new AbortController()]
  const stop = () => all.abort(new Error('stopped'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  const report = new spec()
  report.pipe(process.stdout)
  const totals: Totals = { passed: 0, failed: 0, broken: [] }
  const took: [seconds: number, file: string][] = []
  const waiting = [...files]
  const database = await shareDatabase()
  async function work() {
    for (let file = waiting.shift(); file && !all.signal.aborted; file = waiting.shift()) {
      const from = performance.now()
      const result = await testFile(file, pattern, all.signal)
      took.push([Math.round((performance.now() - from) / 1000), file])
      for (const event of result.events) report.write(event)
      totals.passed += result.passed
      totals.failed += result.failed
      if (result.fault || result.failed > 0) totals.broken.push(file)
      if (result.fault) console.log(`✖ ${file}: ${result.fault}`)
    }
  }
  try {
    // Twice as many as there are cores: half of the time a file waits for a page, a disk, a clock.
    await Promise.all(Array.from({ length: availableParallelism() * 2 }, work))
  } finally {
    await database.end()
  }
  await new Promise((done) => report.end(done))
  const seconds = Math.round((performance.now() - begun_at) / 1000)
  const slowest = took.sort(([a], [b]) => b - a).slice(0, shown_slowest)
  if (took.length > shown_slowest)
    console.log(`\nLongest: ${slowest.map(([took_s, file]) => `${file} ${took_s} s`).join(', ')}`)
  const broken = totals.broken.length > 0 ? `; not good: ${totals.broken.join(', ')}` : ''
  console.log(
    `\n${totals.passed} tests passed, ${totals.failed} failed, ` +
      `in ${files.length} files and ${seconds} seconds${broken}`,
  )
  return totals
}

type FileResult = { events: TestEvent[]; passed: number; failed: number; fault?: string }

async function testFile(file: string, pattern: string | undefined, stop: AbortSignal) {
  const name = path.join(root, file)
  const limit = new AbortController()
  const after = (ms: number, why: string) =>
    setTimeout(() => limit.abort(new Error(why)), ms).unref()
  const late = after(file_within_ms, `it did not end within ${file_within_ms / 1000} seconds`)
  let open: NodeJS.Timeout | undefined
  let told: number | undefined
  const result: FileResult = { events: [], passed: 0, failed: 0 }
  const options = { files: [name], timeout: test_within_ms, concurrency: true }
  const signal = AbortSignal.any([stop, limit.signal])
  const patterns = pattern ? { testNamePatterns: [pattern] } : {}
  for await (const event of run({ ...options, ...patterns, signal }) as AsyncIterable<TestEvent>) {
    const { type, data } = event
    if (data === undefined) continue
    if (type === 'test:summary' && data.file === name) {
      told = data.counts.tests
      open = after(end_within_ms, 'all tests were through, but something stayed open')
    }
    if (type === 'test:pass' || type === 'test:fail') {
      if (data.name !== name && data.details.type !== 'suite')
        result[type === 'test:pass' ? 'passed' : 'failed'] += 1
      if (data.name === name && type === 'test:fail')
        result.fault = 'something around its tests failed'
      if (data.name === name && type === 'test:pass') continue
    }
    // What is said of a run of one file would be said of each.
    const file = 'file' in data ? data.file : undefined
    if (file || !/^test:(diagnostic|plan|summary)$/.test(type)) result.events.push(event)
  }
  clearTimeout(late)
  clearTimeout(open)
  const fault = faultOf(result, told, limit.signal)
  return fault ? { ...result, fault } : result
}

function faultOf(
  { passed, failed, fault }: FileResult,
  told: number | undefined,
  limit: AbortSignal,
) {
  if (limit.aborted) return (limit.reason as Error).message
  if (told === undefined) return 'it ended before it had said how its tests went'
  if (told !== passed + failed) return `it has ${told} tests, and ${passed + failed} were heard of`
  return fault
}

process.exitCode = await main(process.argv.slice(2)).then(
  (good) => (good ? 0 : 1),
  (error: Error) => {
    console.error(error.message)
    return 1
  },
)
