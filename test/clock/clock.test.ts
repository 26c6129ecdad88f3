// The clock can be set: for Node, PostgreSQL and Chromium alike, and moved while they run.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { connect } from '#lib/db.server.ts'
import { chromium } from 'playwright-core'
import { stopUnused } from '#lib/embedded.server.ts'
import { launchOptions } from '../browser.ts'
import { compileClock, openClock, parseMoment, type Clock } from './clock.ts'
import { hostile_days } from './days.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const at = parseMoment('2028-02-29T23:59Z')

let folder: string
let clock: Clock
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'clock-'))
  clock = await openClock(path.join(folder, 'clock'), at)
})
after(() => rm(folder, { recursive: true }))

const near = (found: number, expected: Date) =>
  assert.ok(Math.abs(found - expected.getTime()) < 60_000, new Date(found).toISOString())

/** A Node that lives by the clock and answers line by line. */
function listener(code: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    env: { ...process.env, ...clock.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return {
    async ask() {
      child.stdin.write('?')
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      return line.toString().trim()
    },
    async end() {
      child.stdin.end()
      await once(child, 'close')
    },
  }
}

test('Node lives on that day, and on another as soon as it is moved; durations are true', async () => {
  await clock.set(at)
  const listening = listener(`
    const begun = process.hrtime.bigint()
    process.stdin.on('data', () =>
      console.log(Date.now(), Number(process.hrtime.bigint() - begun) / 1e6))`)
  near(Number((await listening.ask()).split(' ')[0]), at)
  const later = parseMoment('2031-01-01')
  await clock.set(later)
  const [now, took_ms] = (await listening.ask()).split(' ').map(Number)
  near(now!, later)
  assert.ok(took_ms! < 60_000)
  await listening.end()
})

test('the embedded PostgreSQL lives on the same day, and moves with it', async () => {
  await clock.set(at)
  const place = path.join(folder, 'postgres')
  const services = listener(`
    const { startEmbedded } = await import('./src/lib/embedded.server.ts')
    const { url, stop } = await startEmbedded({ folder: ${JSON.stringify(place)}, settings: { fsync: 'off' } })
    process.stdin.on('data', () => console.log(url))
    process.stdin.on('end', stop)`)
  const sql = connect(await services.ask(), { max: 1 })
  const ask = async () => (await sql<[{ now: string }]>`select clock_timestamp() as now`)[0].now
  try {
    near(Date.parse(await ask()), at)
    const later = parseMoment('2028-03-01T00:00+14:00')
    await clock.set(later)
    near(Date.parse(await ask()), later)
  } finally {
    await sql.end()
    await services.end()
    await stopUnused(place)
  }
})

test('so does Chromium', async () => {
  await clock.set(at)
  const options = await launchOptions()
  const browser = await chromium.launch({
    ...options,
    env: { ...(options.env ?? process.env), ...clock.env },
  })
  try {
    const page = await browser.newPage()
    near(await page.evaluate(() => Date.now()), at)
  } finally {
    await browser.close()
  }
})

test('a process that cannot read the clock does not run on the true day', async () => {
  const env = { ...process.env, ...clock.env, HEALTHFUND_CLOCK: path.join(folder, 'none') }
  await assert.rejects(run('date', [], { env }), /The clock of HEALTHFUND_CLOCK cannot be read/)
})

test('days and times with an offset are moments', () => {
  const moments: [string, string][] = [
    ['2027-01-01', '2027-01-01T00:00:00.000Z'],
    ['2027-02-28T23:30Z', '2027-02-28T23:30:00.000Z'],
    ['2028-02-29T23:30:59-05:00', '2028-03-01T04:30:59.000Z'],
    ['2027-01-01T00:00+14:00', '2026-12-31T10:00:00.000Z'],
  ]
  for (const [words, expected] of moments) assert.equal(parseMoment(words).toISOString(), expected)
  for (const day of hostile_days)
    assert.equal(parseMoment(day.at).toISOString().slice(0, 10), day.at.slice(0, 10))
})

const nonsense = `
  |tomorrow|2027|2027-1-1|2027-02-29|2027-13-01|2027-00-10|2027-04-31Z|2027-01-01T12:00
  |2027-01-01T24:00Z|2027-01-01T12:60Z|2027-01-01 12:00Z|2027-01-01T12:00+25:00|1798761600
  |2027-01-01T12:00Z |02/28/2027|0001-01-01|9999-12-31`

test('nothing else is, and is refused by a sentence', () => {
  for (const words of nonsense.split(/\n *\||\|/)) {
    assert.throws(() => parseMoment(words), /is no moment\. Write a day|from 2000 to 2199/, words)
  }
})

const refused: [words: string[], sentence: RegExp][] = [
  [['test', '--on', '2027-02-29', 'src/none'], /^'2027-02-29' is no moment\. Write a day, as 2027/],
  [['test', '--on'], /^What is the value of --on\?$/],
  [['start', '--on=all'], /^Only tests can be run on all days\.$/],
  [['start', '--tz', 'Mars'], /^'Mars' is no time zone\. Write one as Pacific\/Kiritimati\.$/],
]

test('a command that is given nonsense says so and does nothing', async () => {
  for (const [words, sentence] of refused) {
    const output = await run(process.execPath, ['run.mjs', ...words], { cwd: root }).then(
      ({ stdout }) => assert.fail(stdout),
      ({ stderr }: { stderr: string }) => stderr.trim(),
    )
    assert.match(output, sentence)
  }
})

test('without a compiler, one sentence says what to install', async () => {
  const { PATH } = process.env
  process.env.PATH = folder
  try {
    await assert.rejects(
      compileClock(folder),
      /^Error: The clock needs a C compiler, cc: on Debian, /,
    )
  } finally {
    process.env.PATH = PATH
  }
})
