// A PostgreSQL and a standby of it, made of the binaries that the product brings, each with a log of what it was asked.
import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bare_process, openDataFolder } from '#lib/data-folder.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { startEmbedded } from '#lib/embedded.server.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const settings = {
  fsync: 'off',
  log_statement: 'all',
  log_line_prefix: '%a: ',
  autovacuum: 'off', // what it takes away would end what is read on the standby
}

export type PostgresServer = {
  url: string
  superuser_url: string
  /** The statements it was sent since the last look. */
  log: () => Promise<string>
  stop: () => Promise<void>
}

export async function openPrimary(folder: string): Promise<PostgresServer> {
  const { url, stop } = await startEmbedded({ folder, settings })
  return { url, superuser_url: await superuser(folder, url), log: reader(`${folder}/log`), stop }
}

async function superuser(folder: string, url: string): Promise<string> {
  const own = new URL(url)
  own.username = 'postgres'
  own.password = (await readFile(path.join(folder, 'superuser-password'), 'utf8')).trim()
  return own.href
}

function reader(file: string) {
  let read = 0
  return async () => {
    const log_text = await readFile(file, 'utf8')
    const fresh = log_text.slice(read)
    read = log_text.length
    return fresh
  }
}

/** A copy of its folder, made while it runs, that replays from then on what the primary writes. */
export async function openStandby(
  primary: PostgresServer,
  from: string,
  folder: string,
): Promise<PostgresServer> {
  const data = path.join(folder, 'data')
  const sql = connect(primary.superuser_url, { max: 1 })
  try {
    await sql`select pg_backup_start('standby', fast => true)`
    const own = /\/(postmaster\.(pid|opts)|pg_wal\/.+|log)$/
    await cp(from, folder, { recursive: true, filter: (name) => !own.test(name) })
    const [{ label }] = await sql<[{ label: string }]>`
      select labelfile as label from pg_backup_stop(wait_for_archive => false)`
    await writeFile(path.join(data, 'backup_label'), label)
  } finally {
    await sql.end()
  }
  await mkdir(path.join(data, 'pg_wal'), { recursive: true, mode: 0o700 })
  await writeFile(path.join(data, 'standby.signal'), '')
  const { hostname, port: primary_port, password } = new URL(primary.superuser_url)
  const follows = `host=${hostname} port=${primary_port} user=postgres password=${password}`
  await appendFile(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${follows}'\n`)
  return start(folder)
}

async function start(folder: string): Promise<PostgresServer> {
  const { command, log, password } = await openDataFolder(folder, settings)
  const port = await freePort()
  const out = openSync(log, 'a')
  const stdio = ['ignore', out, out] as StdioOptions
  const child = spawn('env', [...command, '-p', String(port)], { ...bare_process, stdio })
  closeSync(out)
  const url = `postgres://healthfund:${password}@127.0.0.1:${port}/postgres`
  const superuser_url = await superuser(folder, url)
  await until(() => {
    if (child.exitCode !== null) throw new Error('The standby did not start: see its log')
    return follows(superuser_url)
  }, 'a standby that follows')
  return {
    url,
    superuser_url,
    log: reader(log),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
    },
  }
}

async function follows(url: string): Promise<boolean> {
  const sql = connect(url, { max: 1 })
  try {
    const [row] = await sql<[{ yes: boolean }]>`
      select exists (select from pg_stat_wal_receiver where status = 'streaming') as yes`
    return row.yes
  } catch {
    return false
  } finally {
    await sql.end()
  }
}

/** Waits for the standby: on a busy machine that may take longer than a read waits. */
export async function catchUp(primary: Sql, there: Sql) {
  const [{ position }] = await primary<[{ position: string }]>`
    select pg_current_wal_flush_lsn()::text as position`
  await until(async () => {
    const [found] = await there<[{ yes: boolean }]>`
      select pg_last_wal_replay_lsn() >= ${position}::pg_lsn as yes`
    return found.yes
  }, 'a standby that has caught up')
}

/** Acts while the standby replays nothing. */
export async function whilePaused<T>(there: Sql, act: () => Promise<T>): Promise<T> {
  await there`select pg_wal_replay_pause()`
  await until(async () => {
    const [row] = await there<[{ state: string }]>`select pg_get_wal_replay_pause_state() as state`
    return row.state === 'paused'
  })
  try {
    return await act()
  } finally {
    await there`select pg_wal_replay_resume()`
  }
}
