// Where the workloads play: a durable database of the bench's own, and a server in its own process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { startEmbedded } from '#lib/embedded.server.ts'

export type BenchStage = Awaited<ReturnType<typeof openStage>>
/** A database with a server on it. */
export type RunningServer = Pick<BenchStage, 'url' | 'origin' | 'pid'>

export async function openStage() {
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-bench-'))
  const postgres = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startEmbedded({ folder: path.join(folder, 'postgres') })
  const name = `healthfund_bench_${process.pid}`
  const admin = connect(postgres.url, { max: 1 })
  await admin.unsafe(`create database ${name}`)
  const url = databaseNamed(postgres.url, name)
  const server = await openServer(url, path.join(folder, 'data'))
  return {
    url,
    folder,
    ...server,
    async close() {
      server.stop()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Another database of the same PostgreSQL, with a server of its own: the same world, smaller. */
export async function openBeside({ url, folder }: BenchStage, name: string) {
  const admin = connect(url, { max: 1 })
  const database = `healthfund_bench_${process.pid}_${name}`
  await admin.unsafe(`create database ${database}`)
  const own_url = databaseNamed(url, database)
  const server = await openServer(own_url, path.join(folder, name))
  return {
    url: own_url,
    ...server,
    async close() {
      server.stop()
      await admin.unsafe(`drop database ${database} with (force)`)
      await admin.end()
    },
  }
}

export async function openServer(database_url: string, data_folder: string) {
  const env = {
    ...process.env,
    DATABASE_URL: database_url,
    DATA_FOLDER: data_folder,
    LOG_LEVEL: 'fatal',
    AUTH_AUTOCONFIRM: 'on',
    PROVIDER_TWO_STEP: 'off',
    SITE_URL: 'http://127.0.0.1',
  }
  const child = fork(new URL('server.ts', import.meta.url), {
    env,
    execArgv: ['--max-old-space-size=1024'], // as `npm start` has it
  })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`The server that is measured ended with ${code} before it listened`)
  })
  const [port] = (await Promise.race([once(child, 'message'), died])) as [number]
  died.catch(() => {}) // later it is stopped
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => child.kill() }
}

export const openPool = (url: string, max = 32): Sql => connect(url, { max, name: 'bench' })

export async function ask(
  origin: string,
  address: string,
  body: object,
): Promise<Record<string, never>> {
  const answer = await fetch(origin + address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, never>
}
