// `npm test -- --on 2027-02-28T23:30Z …`, and so with `start`, `bench` and the others: the command
// on another day. Its data lies apart: what happened in the future would spoil what happens today.
//   --on <moment>, --on all (tests only: each day of days.ts, with a table)
//   --tz <zone>   of the server       --database-tz <zone>   the default of the tests' databases
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { constants } from 'node:os'
import path from 'node:path'
import { stopUnused } from '#lib/embedded.server.ts'
import { openClock, parseMoment } from './clock.ts'
import { roomFor } from '../test-folder.ts'
import { hostile_days, type HostileDay } from './days.ts'

/** The result of one run; `broken` are files in which anything failed. */
export type Totals = { passed: number; failed: number; broken: string[] }

const root = path.resolve(import.meta.dirname, '../..')

async function main([command = '', ...words]: string[]): Promise<number> {
  const at = take(words, '--on')
  const tz = zone(take(words, '--tz'))
  const database_tz = zone(take(words, '--database-tz'))
  const zones = { ...(tz && { tz }), ...(database_tz && { database_tz }) }
  const command_line = ['run.mjs', command, ...words]
  if (!at) return (await go(command_line, envOf(zones))).code
  if (command === 'test') return tests(at, zones, words)
  if (at === 'all') throw new Error('Only tests can be run on all days.')
  const moment = parseMoment(at)
  const DATA_FOLDER = process.env.DATA_FOLDER ?? `.data/on/${at.replaceAll(':', '')}`
  const { env } = await openClock(path.resolve(root, DATA_FOLDER, 'clock'), moment)
  console.log(`It is ${moment.toISOString()}, in ${DATA_FOLDER}.`)
  return (await go(command_line, { ...env, ...envOf(zones), DATA_FOLDER })).code
}

async function tests(at: string, zones: Partial<HostileDay>, words: string[]): Promise<number> {
  const chosen = at === 'all' ? hostile_days : [{ at, about: '' }]
  const good = await onDays(
    chosen.map((day) => ({ ...day, ...zones })),
    () => words,
  )
  return good ? 0 : 1
}

/**
 * Tests on each of the days, as many days side by side as there are lanes. Each lane has a PostgreSQL of its own,
 * which goes when it is through.
 */
export async function onDays(
  chosen: HostileDay[],
  wordsFor: (day: HostileDay, index: number) => string[],
  lanes = 1,
) {
  if (process.env.DATABASE_URL) {
    throw new Error('The PostgreSQL of DATABASE_URL has a clock of its own: leave it away.')
  }
  const waiting = chosen.map((day, index) => ({ day, index, moment: parseMoment(day.at) }))
  const lines: string[] = []
  let good = true
  async function inLane(lane: number) {
    const folder = path.join(root, `.data/on/test-${process.pid}-${lane}`)
    const TEST_POSTGRES = roomFor(path.join(folder, 'postgres'))
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { day, index, moment } = next
        const clock = await openClock(path.join(folder, 'clock'), moment)
        console.log(`\nIt is ${day.at} ${day.about && `(${day.about})`}`)
        const words = ['test/run.ts', ...wordsFor(day, index)]
        const env = { ...clock.env, ...envOf(day), TEST_POSTGRES }
        const { code, totals, stopped, output } = await go(words, env, lanes > 1)
        if (output) console.log(`\nOn ${day.at}\n${output}`)
        good &&= code === 0
        lines[index] = lineOf(day, totals)
        if (stopped) waiting.length = 0
      }
    } finally {
      await stopUnused(TEST_POSTGRES)
      for (const place of [TEST_POSTGRES, folder]) await rm(place, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane)))
  if (chosen.length > 1) console.log(`\n${lines.filter(Boolean).join('\n')}\n`)
  return good
}

function lineOf({ at, about, tz = '', database_tz = '' }: HostileDay, totals: Totals | undefined) {
  if (!totals) return `${at}  ended without a result`
  const { passed, failed, broken } = totals
  const counts = `${String(passed).padStart(4)} passed ${String(failed).padStart(3)} failed`
  return [`${at}  ${counts}  ${about}`, tz, database_tz && `database ${database_tz}`, ...broken]
    .filter(Boolean)
    .join('; ')
}

const envOf = ({ tz, database_tz }: Partial<HostileDay>) => ({
  ...(tz && { TZ: tz }),
  ...(database_tz && { TEST_DATABASE_TZ: database_tz }),
})

/** Runs to the end, and passes signals on. The output of one among several is kept together. */
async function go(words: string[], env: Record<string, string>, kept = false) {
  const spoken = kept ? 'pipe' : 'inherit'
  const child = spawn(process.execPath, words, {
    cwd: root,
    stdio: ['inherit', spoken, spoken, 'ipc'],
    env: { ...process.env, ...env },
  })
  let output = ''
  for (const out of [child.stdout, child.stderr])
    out?.setEncoding('utf8').on('data', (text: string) => (output += text))
  let totals: Totals | undefined
  let stopped = false
  child.on('message', (message) => (totals = message as Totals))
  // A terminal's Ctrl-C reaches the child by itself, and we outlive it to clean up.
  const pass = (signal: NodeJS.Signals) => {
    stopped = true
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of passed) process.on(signal, pass)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals]
  for (const signal of passed) process.off(signal, pass)
  return { code: code ?? 128 + constants.signals[signal], totals, stopped, output }
}

/** The value behind a word, `--on x` or `--on=x`; both are taken away. */
function take(words: string[], name: string): string | undefined {
  const index = words.findIndex((word) => word === name || word.startsWith(`${name}=`))
  if (index < 0) return undefined
  const [word = ''] = words.splice(index, 1)
  const value = word === name ? words.splice(index, 1)[0] : word.slice(name.length + 1)
  if (!value || value.startsWith('-')) throw new Error(`What is the value of ${name}?`)
  return value
}

function zone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    throw new Error(`'${name}' is no time zone. Write one as Pacific/Kiritimati.`)
  }
}

if (import.meta.main) {
  process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message)
    return 1
  })
}
