// A real PostgreSQL of our own, beside the server: made at the first start, shared by all servers
// on one folder, brought back when it dies, ended by the last of them that stops.
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  owner,
  prepareCluster,
  readPassword,
  reasonIn,
  unusable,
  type Cluster,
} from './cluster.server.ts'
import { connect, type Sql } from './db.server.ts'
import { bringUp, findPostmaster, shutDown } from './postmaster.server.ts'

type EmbeddedOptions = {
  folder: string
  /** Off for tests: quicker, and a power cut may damage the data. */
  durable?: boolean
  settings?: Record<string, string>
  /** Told when PostgreSQL has died and cannot be brought back at once. */
  report?: (fault: unknown) => void
}
export type Embedded = { url: string; stop: () => Promise<void> }

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  try {
    return await start(options)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    const aboutFiles = syscall && !syscall.startsWith('spawn')
    throw aboutFiles ? unusable(options.folder, message) : error
  }
}

async function start(options: EmbeddedOptions): Promise<Embedded> {
  const { folder, durable = true, settings = {}, report = console.error } = options
  const cluster = await prepareCluster(folder, durable, settings)
  let stopping = false
  let rejoining: Promise<void> | undefined
  let place = await takePlace(cluster, onLoss)
  const { url, port } = place

  function onLoss() {
    if (!stopping) rejoining ??= rejoin().finally(() => (rejoining = undefined))
  }
  async function rejoin(): Promise<void> {
    if (stopping) return
    try {
      // On the port it had: the url is out.
      place = await takePlace(cluster, onLoss, port)
    } catch (fault) {
      report(fault)
      await sleep(1_000)
      await rejoin()
    }
  }
  async function stop() {
    stopping = true
    await rejoining
    // If it cannot be asked it is gone already.
    await leave(place.sql, cluster.data).catch(() => undefined)
  }
  return { url, stop }
}

/** Ends the PostgreSQL of a folder; false if a server still uses it. */
export async function stopUnused(folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => folder)
  const data = path.join(real, 'data')
  const found = await findPostmaster(data)
  if (!found) return true
  try {
    const url = addressOf(await readPassword(real), found.port)
    return await leave(placeAt(url), data)
  } catch {
    // One that cannot be asked serves nobody.
    await shutDown(data, 'SIGQUIT')
    return true
  }
}

const retry_ms = 50
const patience_ms = 30_000

type Place = { sql: Sql; url: string; port: number }

/** Among those who use this PostgreSQL: a lock held, shared, for as long as the server runs. */
async function takePlace(cluster: Cluster, onLoss: () => void, port?: number): Promise<Place> {
  const deadline = Date.now() + patience_ms
  let launched = false
  for (;;) {
    const found = await bringUp(cluster, port)
    if (port && found.port !== port) throw new Error('PostgreSQL is back on another port.')
    launched ||= found.launched
    const url = addressOf(await readPassword(cluster.folder), found.port)
    try {
      return { sql: await hold(url, onLoss), url, port: found.port }
    } catch (error) {
      if (!passes(error) || Date.now() > deadline) {
        // A damaged one may restart itself for ever and never come to an orderly end.
        if (launched) await shutDown(cluster.data, 'SIGQUIT')
        throw await refusal(cluster, error as Error)
      }
      await sleep(retry_ms)
    }
  }
}

async function hold(url: string, onLoss: () => void): Promise<Sql> {
  let held = false
  const sql = placeAt(url, () => held && onLoss())
  try {
    await sql`select pg_advisory_lock_shared(hashtext('healthfund'), hashtext('in use'))`
    held = true
    return sql
  } finally {
    if (!held) await sql.end({ timeout: 0 })
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

const placeAt = (url: string, lost: () => void = () => {}) =>
  connect(url, { max: 1, name: 'healthfund place', lost })

const addressOf = (password: string, port: number) =>
  `postgres://${owner}:${password}@127.0.0.1:${port}/postgres`

/** It is ending or was killed at this moment: another look helps. */
const passing = ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'CONNECTION_LOST']
const passes = (error: unknown) => passing.includes((error as { code?: string }).code ?? '')

async function refusal(cluster: Cluster, error: Error & { code?: string }) {
  const wrong = error.code === '28P01' && 'the file `password` is not the one it was made with'
  const logged = passes(error) && reasonIn(await readFile(cluster.log, 'utf8'))
  return unusable(cluster.folder, wrong || logged || error.message)
}
