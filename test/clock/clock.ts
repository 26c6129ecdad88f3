// A clock that can be set and moved, for Node, PostgreSQL and Chromium alike: see clock.c and
// docs/decisions/011-a-clock-that-can-be-set.md.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const source = path.join(import.meta.dirname, 'clock.c')
const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/clock')

export type Clock = {
  /** The environment of a process that is to live by it. */
  env: Record<string, string>
  /** Sets the clock at once for every process that uses it, also for those that are running. */
  set: (at: Date) => Promise<void>
}

/** The file is made if need be; several clocks may run side by side. */
export async function openClock(file: string, at: Date): Promise<Clock> {
  const library = await compileClock(await readableFolder())
  await mkdir(path.dirname(file), { recursive: true, mode: 0o711 })
  const others = (process.env.LD_PRELOAD ?? '').split(/[\s:]+/).filter((name) => name !== library)
  const clock = {
    env: {
      LD_PRELOAD: [library, ...others].filter(Boolean).join(':'),
      HEALTHFUND_CLOCK: path.resolve(file),
    },
    set: (moment: Date) => write(file, moment.getTime() - trueNow()),
  }
  await clock.set(at)
  await prove(clock.env, at)
  return clock
}

/** 2027-01-01, 2027-02-28T23:30Z or 2027-02-28T18:30:00-05:00. Nothing is guessed. */
export function parseMoment(words: string): Date {
  const form = /^(\d{4}-\d\d-\d\d)(?:T((?:[01]\d|2[0-3]):\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d))?$/
  const [, day = '', time = '00:00', zone = 'Z'] = form.exec(words) ?? []
  const at = new Date(`${day}T${time}${zone}`)
  const midnight = new Date(`${day}T00:00Z`)
  // Date takes 31 February for 3 March.
  const is_day = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  if (!day || !is_day || Number.isNaN(at.getTime())) {
    throw new Error(
      `'${words}' is no moment. Write a day, as 2027-01-01, or a time with its offset, ` +
        'as 2027-02-28T23:30Z or 2027-02-28T18:30-05:00.',
    )
  }
  if (at.getUTCFullYear() < 2000 || at.getUTCFullYear() > 2199) {
    throw new Error(`The clock can be set from 2000 to 2199, not to ${words}.`)
  }
  return at
}

/** The true time: this process's own clock may be moved. */
function trueNow(): number {
  const own = process.env.HEALTHFUND_CLOCK
  const moved_by = own ? readFileSync(own).readBigInt64LE() : 0n
  return Date.now() - Number(moved_by / 1_000_000n)
}

/** The file is overwritten in place, as other processes have it mapped. */
async function write(file: string, moved_by_ms: number) {
  if (!existsSync(file)) {
    const empty = await open(file, 'a', 0o644)
    await empty.close()
  }
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(Math.round(moved_by_ms)) * 1_000_000n)
  const clock = await open(file, 'r+')
  try {
    await clock.write(bytes, 0, 8, 0)
  } finally {
    await clock.close()
  }
}

/** The library is compiled once for all runs; if several compile at the same moment, one copy is kept. */
export async function compileClock(folder: string): Promise<string> {
  if (process.platform !== 'linux') {
    throw new Error('The clock can be set on Linux only: it is moved by LD_PRELOAD.')
  }
  const text = await readFile(source)
  const hash = createHash('sha256').update(text).update(process.arch).digest('hex').slice(0, 12)
  const library = path.join(folder, `clock-${hash}.so`)
  if (existsSync(library)) return library
  const draft = await mkdtemp(`${library}.new-`)
  const made = path.join(draft, 'clock.so')
  const options = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror']
  try {
    await run('cc', [...options, '-o', made, source, '-ldl'])
    await chmod(made, 0o755)
    await rename(made, library)
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string }
    const reason =
      code === 'ENOENT'
        ? 'The clock needs a C compiler, cc: on Debian, apt-get install gcc libc6-dev.'
        : `The clock cannot be compiled: ${stderr}`
    throw new Error(reason, { cause: error })
  } finally {
    await rm(draft, { recursive: true })
  }
  return library
}

/** LD_PRELOAD knows no way to write a path that has blanks or colons in it. */
async function readableFolder(): Promise<string> {
  const folder = /[\s:]/.test(cache) ? await mkdtemp(path.join(tmpdir(), 'clock-')) : cache
  await mkdir(folder, { recursive: true, mode: 0o755 })
  if (folder !== cache) await chmod(folder, 0o755)
  return folder
}

/** The loader ignores what it cannot load, and a program without it would live on the true day. */
async function prove(env: Record<string, string>, at: Date) {
  const { stdout } = await run(process.execPath, ['-p', 'Date.now()'], {
    env: { ...process.env, ...env },
  })
  if (Math.abs(Number(stdout) - at.getTime()) > 60_000) {
    throw new Error(`The clock could not be set: this Node does not load ${env.LD_PRELOAD}.`)
  }
}
