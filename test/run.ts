// `npm test`: everything; or, with names of files and folders, the tests in them and nothing else.
// A process plays several files, one after the other. What it reports must be all of it: one that
// ends before it said so, or stays open when it is through, has failed.
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import type { TestEvent } from 'node:test/reporters'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { check, quick } from './check.ts'
import { calendar } from './clock/calendar.ts'
import type { Totals } from './clock/on.ts'
import { shareDatabase } from './database.ts'
import { leftOut } from './rotation.ts'

const root = path.resolve(import.meta.dirname, '..')
const run_files = path.join(root, 'test/run-files.ts')
/** A test that hangs is a failure, not a wait. */
const test_within_ms = 300_000
const file_within_ms = 600_000
/** Test files of one process: more would save little, and a process that dies loses the results of all. */
const at_most = 12
/**
 * Objects of tests are mostly short-lived: with more room garbage is collected less often. What TurboFan compiles takes
 * longer than it saves in a process that ends so soon.
 */
const node_options = ['--max-semi-space-size=64', '--no-turbofan']
/** Handles left open when all tests were done: a connection, a timer, a process. */
const end_within_ms = 10_000

/** Where to begin when the suite takes too long. */
const shown_slowest = 30

const all = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => all.abort(new Error('stopped')))

async function main(words: string[]): Promise<boolean> {
  const flags = words.filter((word) => word.startsWith('-'))
  const places = words.filter((word) => !word.startsWith('-'))
  const pattern = patternIn(flags)
  const everything = places.length === 0 && !process.env.HEALTHFUND_CLOCK
  const found = filesIn(places)
  const left_out = everything ? leftOut() : []
  const files = browsersFirst(found.filter((file) => !left_out.includes(file)))
  if (everything) console.log(`Not this commit’s turn (CONTRIBUTING.md): ${left_out.join(', ')}`)
  const checked = !everything || (await check(quick)) === 0
  if (everything) await buildIfStale(root)
  const report = new spec()
  report.pipe(process.stdout)
  const { totals, summary } = await testAll(files, pattern, report)
  process.send?.(totals)
  const later = !everything || (!all.signal.aborted && (await calendar()))
  // Failures are told behind all else: of a long log many read no more than its end.
  await new Promise((done) => report.end(done))
  console.log(summary)
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

function filesIn(places: string[]): string[] {
  const folders = places.length > 0 ? places : ['src', 'test']
  return folders.flatMap((place) => {
    const names = globSync(/\.\w+$/.test(place) ? place : `${place}/**/*.test.ts`, { cwd: root })
    if (names.length === 0) throw new Error(`There is no test in ${place}.`)
    return names.sort()
  })
}

/** Test files with a browser come first, as they take longest. */
function browsersFirst(files: string[]): string[] {
  const in_browser = (name: string) => name.includes('e2e')
  return [...files.filter(in_browser), ...files.filter((name) => !in_browser(name))]
}

async function testAll(
  files: string[],
  pattern: string | undefined,
  report: InstanceType<typeof spec>,
) {
  const begun_at = performance.now()
  const totals: Totals = { passed: 0, failed: 0, broken: [] }
  const took: [seconds: number, file: string][] = []
  const faults: string[] = []
  const waiting = [...files]
  // One more than there are cores: a file waits for pages, disks and clocks, and with twice as many the same work takes
  // a tenth more of the processor.
  // Where others play beside us we are told how many are ours.
  const lanes = Number(process.env.TEST_LANES) || availableParallelism() + 1
  const database = await shareDatabase()
  async function work() {
    while (waiting.length > 0 && !all.signal.aborted) {
      // Fewer towards the end, so that all are through at about the same moment.
      const share = lanes === 1 ? at_most : Math.ceil(waiting.length / (lanes * 2))
      const next = waiting.splice(0, Math.min(at_most, share))
      const result = await testFiles(next, pattern, all.signal)
      for (const event of result.events) report.write(event)
      took.push(...result.took)
      totals.passed += result.passed
      totals.failed += result.failed
      totals.broken.push(...result.broken)
      if (result.fault) faults.push(`✖ ${result.fault}\n`)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, work))
  } finally {
    await database.end()
  }
  const seconds = Math.round((performance.now() - begun_at) / 1000)
  const slowest = took.sort(([a], [b]) => b - a).slice(0, shown_slowest)
  if (took.length > shown_slowest)
    console.log(`\nLongest: ${slowest.map(([took_s, file]) => `${file} ${took_s} s`).join(', ')}`)
  const broken = totals.broken.length > 0 ? `; not good: ${totals.broken.join(', ')}` : ''
  const counts = `${totals.passed} tests passed, ${totals.failed} failed`
  const summary = `\n${faults.join('')}${counts}, in ${files.length} files and ${seconds} seconds${broken}`
  return { totals, summary }
}

type Verdict = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>
type Result = Totals & {
  events: TestEvent[]
  took: [seconds: number, file: string][]
  /** The files whose tests were heard of since the last file was through. */
  within: Set<string>
  fault?: string
}

async function testFiles(files: string[], pattern: string | undefined, stop: AbortSignal) {
  const limit = new AbortController()
  const after = (ms: number, why: string) =>
    setTimeout(() => limit.abort(new Error(why)), ms).unref()
  const within_ms = file_within_ms * files.length
  const late = after(within_ms, `it did not end within ${within_ms / 1000} seconds`)
  let open: NodeJS.Timeout | undefined
  let reported: number | undefined
  const result: Result = {
    passed: 0,
    failed: 0,
    broken: [],
    events: [],
    took: [],
    within: new Set(),
  }
  const process_of = { files: [run_files], argv: files, execArgv: node_options }
  const options = { ...process_of, timeout: test_within_ms }
  const signal = AbortSignal.any([stop, limit.signal])
  const patterns = pattern ? { testNamePatterns: [pattern] } : {}
  const begun: Begun[] = []
  for await (const event of run({ ...options, ...patterns, signal }) as AsyncIterable<TestEvent>) {
    const { type, data } = event
    if (data === undefined) continue
    if (type === 'test:summary' && data.file === run_files) reported = data.counts.tests
    if (type === 'test:pass' || type === 'test:fail') count(result, event, files)
    // The summary comes when the process ends, which is what something open keeps from happening.
    if (result.took.length === files.length)
      open ??= after(end_within_ms, 'all tests were through, but something stayed open')
    // A warning about a process would be repeated for each.
    const of_process = 'name' in data && data.name === run_files
    const file = 'file' in data ? data.file : undefined
    if (of_process || (!file && /^test:(diagnostic|plan|summary)$/.test(type))) continue
    result.events.push(event)
    if (type === 'test:start') begun.splice(data.nesting, Infinity, { name: data.name, event })
    if (type === 'test:fail') nameInFull(event, begun.slice(0, data.nesting + 1))
  }
  clearTimeout(late)
  clearTimeout(open)
  const fault = faultOf(result, reported, limit.signal)
  return fault ? { ...result, broken: files, fault: `${files.join(', ')}: ${fault}` } : result
}

type Begun = { name: string; event: Extract<TestEvent, { type: 'test:start' }> }

/** The name of a failed test with those around it, from its file on: the list of failures has its own name alone. */
function nameInFull(failed: Extract<TestEvent, { type: 'test:fail' }>, begun: Begun[]) {
  const name = begun.map((one) => one.name).join(' › ')
  for (const { data } of [failed, begun.at(-1)!.event]) data.name = name
}

function count(result: Result, { type, data }: Verdict, files: string[]) {
  const good = type === 'test:pass'
  const suite = data.details.type === 'suite'
  if (data.name !== run_files && !suite) result[good ? 'passed' : 'failed'] += 1
  if (data.name === run_files && !good) result.fault = 'something around its tests failed'
  if (data.nesting === 1 && data.file) result.within.add(path.relative(root, data.file))
  if (data.nesting > 0 || !suite || !files.includes(data.name)) return
  const others = files.filter((file) => file !== data.name && result.within.has(file))
  if (others.length > 0)
    result.fault = `tests of ${others.join(', ')} were played as of ${data.name}`
  result.within.clear()
  result.took.push([Math.round(data.details.duration_ms / 1000), data.name])
  if (!good) result.broken.push(data.name)
}

function faultOf(
  { passed, failed, fault }: Result,
  reported: number | undefined,
  limit: AbortSignal,
) {
  if (limit.aborted) return (limit.reason as Error).message
  if (reported === undefined) return 'ended before it was said how its tests went'
  const finished = passed + failed
  return reported === finished
    ? fault
    : `there are ${reported} tests, and ${finished} were heard of`
}

process.exitCode = await main(process.argv.slice(2)).then(
  (good) => (good ? 0 : 1),
  (error: Error) => {
    console.error(error.message)
    return 1
  },
)
