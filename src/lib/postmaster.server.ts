// One PostgreSQL process over one data folder: found if it runs, launched if not, never two.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonIn, unusable, type Cluster } from './cluster.server.ts'
import { commandOf, isAlive } from './processes.server.ts'

const poll_ms = 10
const retry_ms = 100
/** Recovery after a crash replays what was not yet written to its place: that may take its time. */
const patience_ms = 5 * 60_000
const log_limit_bytes = 5_000_000

type Postmaster = { pid: number; port: number; ready: boolean }

/** The running PostgreSQL of this folder: reused, awaited or launched. */
export async function bringUp(cluster: Cluster, port?: number) {
  const deadline = Date.now() + patience_ms
  let launched = false
  while (Date.now() < deadline) {
    const found = await findPostmaster(cluster.data)
    if (found?.ready) return { port: found.port, launched }
    if (found) await sleep(poll_ms)
    else if (await launch(cluster, port, deadline)) launched = true
    else await sleep(retry_ms)
  }
  throw new Error(`PostgreSQL did not become ready; ${cluster.log} says why.`)
}

/** Reads postmaster.pid; a stale one, or one that names a stranger's process, counts as none. */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(data), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || !(await serves(pid, data))) return undefined
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/** SIGINT closes sessions and writes all, so that nothing needs recovery; SIGQUIT is at once. */
export async function shutDown(data: string, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const found = await findPostmaster(data)
  if (!found) return
  process.kill(found.pid, signal)
  const deadline = Date.now() + 9_000
  while (Date.now() < deadline && (await serves(found.pid, data))) await sleep(poll_ms)
}

/** Starts one and waits until it is ready. False: another was quicker, so look again. */
async function launch(cluster: Cluster, fixed_port: number | undefined, deadline: number) {
  await dropForeignPidFile(cluster.data)
  const port = fixed_port ?? (await choosePort(cluster))
  const settings = ['-D', cluster.data, '-p', String(port), ...cluster.settings]
  const log = await openLog(cluster.log)
  const child = spawn('env', [...cluster.command, ...settings], {
    cwd: '/',
    env: cluster.env,
    // A session of its own: Ctrl-C in the terminal must reach the server, not its database.
    detached: true,
    stdio: ['ignore', log.file.fd, log.file.fd],
  })
  try {
    await once(child, 'spawn')
    while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
      if ((await findPostmaster(cluster.data))?.ready) return true
      await sleep(poll_ms)
    }
  } finally {
    child.unref()
    await log.file.close()
  }
  const words = (await readFile(cluster.log)).subarray(log.from).toString()
  if (/lock file|shared memory block|Address already in use/.test(words)) return false
  throw unusable(cluster.folder, reasonIn(words))
}

/** PostgreSQL itself trusts a pid that is alive, even if by now it is somebody else's. */
async function dropForeignPidFile(data: string) {
  const text = await readFile(pidFile(data), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const pid = Number(text.split('\n')[0])
  const bogus = !(pid > 0) && Date.now() - (await stat(pidFile(data))).mtimeMs > 1_000
  if (bogus || (isAlive(pid) && !(await serves(pid, data)))) await rm(pidFile(data))
}

const pidFile = (data: string) => path.join(data, 'postmaster.pid')

const serves = async (pid: number, data: string) => (await commandOf(pid)).includes(data)

async function choosePort(cluster: Cluster): Promise<number> {
  const file = path.join(cluster.folder, 'port')
  const known = Number(await readFile(file, 'utf8').catch(() => ''))
  if (known > 0 && (await freePort(known))) return known
  const port = (await freePort(0)) ?? 0
  await writeFile(file, `${port}\n`)
  return port
}

async function freePort(wanted: number): Promise<number | undefined> {
  const probe = createServer()
  try {
    await once(probe.listen(wanted, '127.0.0.1'), 'listening')
  } catch {
    return undefined
  }
  const { port } = probe.address() as AddressInfo
  await once(probe.close(), 'close')
  return port
}

async function openLog(name: string) {
  const size = await stat(name).then(
    (found) => found.size,
    () => 0,
  )
  if (size > log_limit_bytes) await truncate(name)
  const from = size > log_limit_bytes ? 0 : size
  return { file: await open(name, 'a', 0o600), from }
}
