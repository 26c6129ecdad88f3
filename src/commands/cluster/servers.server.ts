// Two servers of Healthfund and a worker on a cluster's database, as processes of their own.
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ClusterProcess } from './part.server.ts'
import { host } from './places.server.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const look_every_ms = 100

type ServersOptions = {
  folder: string
  /** The database of the first server. */
  url: string
  /** The same database, as the second server reaches it. */
  second_url?: string
  ports: number[]
  env?: NodeJS.ProcessEnv
  signal?: AbortSignal
}

export type Servers = {
  parts: ClusterProcess[]
  origins: string[]
  /** The greeting of the first one. */
  greeting: () => Promise<string>
  stop: () => Promise<void>
}

export async function openServers(options: ServersOptions): Promise<Servers> {
  const data = path.join(options.folder, 'healthfund')
  await mkdir(data, { recursive: true, mode: 0o700 })
  const logOf = (name: string) => path.join(options.folder, `${name}.log`)
  await rm(logOf('worker'), { force: true }) // what it says is waited for
  const part = (name: string, url: string, program: string, port?: number) =>
    new ClusterProcess({
      name,
      command: [process.execPath, '--max-old-space-size=1024', program],
      cwd: root,
      log: logOf(name),
      env: {
        ...options.env,
        DATABASE_URL: url,
        DATA_FOLDER: data,
        WORKER: 'off',
        ...(port ? { PORT: String(port), HOST: host } : { LOG_LEVEL: 'info' }),
      },
    })
  const { url, second_url = url } = options
  const servers = options.ports.map((port, at) =>
    part(`server-${at + 1}`, at === 1 ? second_url : url, 'src/main.server.ts', port),
  )
  const worker = part('worker', url, 'src/commands/worker.server.ts')
  const parts = [...servers, worker]
  const stop = async () => {
    await Promise.all(parts.map((one) => one.stop()))
  }
  const origins = options.ports.map((port) => `http://${host}:${port}`)
  try {
    const waits = () => readFile(logOf('worker'), 'utf8').then((log) => /waits for jobs/.test(log))
    const answers = (origin: string) => () =>
      fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    // The first one makes the tables; the others would only wait for it.
    const all_ready = [...origins.map(answers), waits]
    await servers[0]?.start()
    for (const is_ready of all_ready.slice(0, 1)) await ready(parts, is_ready, options.signal)
    await Promise.all(parts.slice(1).map((one) => one.start()))
    for (const is_ready of all_ready.slice(1)) await ready(parts, is_ready, options.signal)
  } catch (error) {
    await stop()
    throw error
  }
  const greeting = async () => {
    const log = await readFile(logOf('server-1'), 'utf8')
    return log.slice(log.lastIndexOf('\nHealthfund ')).trim()
  }
  return { parts, origins, greeting, stop }
}

async function ready(
  parts: ClusterProcess[],
  is_ready: () => Promise<boolean>,
  signal?: AbortSignal,
) {
  while (!(await is_ready())) {
    signal?.throwIfAborted()
    const ended = parts.find(({ ended_with }) => ended_with !== undefined)
    if (ended) throw new Error(`${ended.name} did not start (${ended.ended_with}): see its log.`)
    await pause(look_every_ms)
  }
}
