// The embedded PostgreSQL: shared by all servers on one data folder, restarted when it dies, and stopped by the last server that
// stops. One that a killed server left running is taken over.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bare_process, openDataFolder, owner, passwordIn } from './data-folder.server.ts'
import { reasonIn, unusable, type DataFolder } from './data-folder.server.ts'
import { connect, type Sql } from './db.server.ts'
import { commandOf } from './processes.server.ts'

type EmbeddedOptions = {
  folder: string
  settings?: Record<string, string>
  /** How long a PostgreSQL that another server started may take to be ready. */
  patience_ms?: number
  /** Told when PostgreSQL has died and cannot be brought back at once. */
  report?: (fault: unknown) => void
}
export type Embedded = { url: string; stop: () => Promise<void> }

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { folder, settings = {}, patience_ms = 60_000, report = console.error } = options
  const opened = { ...(await openDataFolder(folder, settings)), patience_ms }
  let stopping = false
  let rejoining: Promise<void> | undefined
  let place: RunningPostgres | undefined
  place = await takePlace(opened, onLoss)
  const { url, port } = place

  function onLoss() {
    if (place && !stopping) rejoining ??= rejoin().finally(() => (rejoining = undefined))
  }
  async function rejoin(): Promise<void> {
    if (stopping) return
    try {
      place = await takePlace(opened, onLoss, port) // the url is out
    } catch (fault) {
      report(fault)
      await sleep(1_000)
      await rejoin()
    }
  }
  async function stop() {
    stopping = true
    await rejoining
    // A PostgreSQL that does not answer is gone already.
    if (place) await leave(place.sql, opened.data).catch(() => undefined)
  }
  return { url, stop }
}

/** Stops the PostgreSQL of a folder; false if a server still uses it, or if it can't be asked. */
export async function stopUnused(folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => folder)
  const data = path.join(real, 'data')
  const password = await passwordIn(real).catch(() => '')
  const deadline = performance.now() + ending_ms
  for (; ; await sleep(poll_ms)) {
    const found = await findRunning(data)
    if (!found) return true
    try {
      return await leave(connect(addressOf(password, found.port), { max: 1 }), data)
    } catch (error) {
      if (passes(error) && performance.now() < deadline) continue
      const which = `The PostgreSQL of ${real} (process ${found.pid})`
      const why = (error as Error).message
      const todo = `If not: kill ${found.pid}`
      throw new Error(`${which} does not say if it is in use (${why}). ${todo}`, { cause: error })
    }
  }
}

const poll_ms = 10
const ending_ms = 9_000
const log_limit_bytes = 5_000_000

type OpenedFolder = DataFolder & { patience_ms: number }
type RunningPostgres = { sql: Sql; url: string; port: number }

/** Joins the users of this PostgreSQL, by a shared lock that is held as long as the server runs. */
async function takePlace(
  opened: OpenedFolder,
  lost: () => void,
  fixed?: number,
): Promise<RunningPostgres> {
  const deadline = performance.now() + opened.patience_ms
  let port = fixed ?? usualPort(opened.data)
  let launched = false
  for (; ; await sleep(poll_ms)) {
    const found = await findRunning(opened.data)
    if (!found && (await launch(opened, port, deadline))) launched = true
    else if (!found && !fixed) port += 1 // somebody may have it
    if (found && !found.ready && performance.now() > deadline) throw unready(opened, found.pid)
    if (!found?.ready) continue
    if (fixed && found.port !== fixed) throw new Error('PostgreSQL is back on another port.')
    const url = addressOf(opened.password, found.port)
    const sql = connect(url, { max: 1, name: 'healthfund place', lost })
    try {
      await sql`select pg_advisory_lock_shared(hashtext('healthfund'), hashtext('in use'))`
      return { sql, url, port: found.port }
    } catch (error) {
      await sql.end({ timeout: 0 })
      if (passes(error) && performance.now() < deadline) continue
      // A damaged PostgreSQL may restart forever and never stop in order, so it is stopped at once; not one that has too many
      // connections.
      if (launched && codeOf(error) !== '53300') await shutDown(opened.data, 'SIGQUIT')
      throw unusable(opened.folder, (error as Error).message)
    }
  }
}

/** Gives the place up, and ends PostgreSQL if it was the last. */
async function leave(sql: Sql, data: string): Promise<boolean> {
  try {
    const [answer] = await sql<{ last: boolean }[]>`
      select pg_advisory_unlock_shared(hashtext('healthfund'), hashtext('in use')),
             pg_try_advisory_lock(hashtext('healthfund'), hashtext('in use')) as last`
    if (!answer?.last) return false
    await shutDown(data, 'SIGINT')
    return true
  } finally {
    await sql.end({ timeout: 0 })
  }
}

const addressOf = (password: string, port: number) =>
  `postgres://${owner}:${password}@127.0.0.1:${port}/postgres`

/**
 * The port for this folder, the same at each start if it is free. It lies below the range that the system gives to outgoing
 * connections.
 */
const usualPort = (data: string) =>
  20_000 + (createHash('sha256').update(data).digest().readUInt16BE() % 12_000)

/** Errors of a server that is ending or was killed at this moment: another look helps. */
const passing = ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'CONNECTION_LOST']
const passes = (error: unknown) => passing.includes(codeOf(error))
const codeOf = (error: unknown) => (error as { code?: string }).code ?? ''

const unready = ({ folder, log, patience_ms }: OpenedFolder, pid: number) =>
  new Error(
    `The PostgreSQL of ${folder} (process ${pid}) was not ready within ${Math.round(patience_ms / 1000)} seconds. ` +
      `It may still be recovering: ${log} says so. Then try again.`,
  )

const pidFile = (data: string) => path.join(data, 'postmaster.pid')
const serves = async (pid: number, data: string) => (await commandOf(pid)).includes(data)

/** A pid file that was left over counts as none, even if its number is another process by now. */
async function findRunning(data: string) {
  const lines = (await readFile(pidFile(data), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0) || !(await serves(pid, data))) return undefined
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/** Waits until PostgreSQL is ready. False: another look helps, as another server was quicker or the port is taken. */
async function launch({ folder, data, log, command }: DataFolder, port: number, deadline: number) {
  const file = await open(log, 'a', 0o600)
  if ((await file.stat()).size > log_limit_bytes) await file.truncate()
  const { size } = await file.stat()
  const child = spawn('env', [...command, '-p', String(port)], {
    ...bare_process,
    // A session of its own: Ctrl-C in the terminal must reach the server, not its database.
    detached: true,
    stdio: ['ignore', file.fd, file.fd],
  })
  child.unref()
  await once(child, 'spawn')
  await file.close()
  // After a crash PostgreSQL first replays its log, which may take a while.
  while (child.exitCode === null && child.signalCode === null) {
    if ((await findRunning(data))?.ready) return true
    await sleep(poll_ms)
  }
  const words = (await readFile(log)).subarray(size).toString()
  const locked = /lock file ".*" (already exists|is empty)|bogus data in lock file/.test(words)
  // PostgreSQL trusts a pid that is alive, even if by now it is somebody else's.
  if (locked && !(await findRunning(data))) await rm(pidFile(data), { force: true })
  const again = locked || /shared memory block|Address already in use/.test(words)
  if (again && performance.now() < deadline) return false
  throw unusable(folder, reasonIn(words))
}

/** SIGINT closes sessions and writes all, so that nothing needs recovery; SIGQUIT is at once. */
async function shutDown(data: string, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const found = await findRunning(data)
  if (!found) return
  process.kill(found.pid, signal)
  const deadline = performance.now() + ending_ms
  while (performance.now() < deadline && (await serves(found.pid, data))) await sleep(poll_ms)
}
