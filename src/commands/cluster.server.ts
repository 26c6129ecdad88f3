// `npm run cluster`: PostgreSQL that fails over, two servers and a worker on it, until Ctrl-C ends all of it.
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { claimFolder } from './cluster/alone.server.ts'
import { openDatabases, type Databases } from './cluster/databases.server.ts'
import type { ClusterProcess } from './cluster/part.server.ts'
import { findPrograms } from './cluster/programs.server.ts'
import { openServers, type Servers } from './cluster/servers.server.ts'
import { command } from './command.server.ts'

/** The delay that systemd has in Debian's files. */
const again_after_ms = 5_000

await command('cluster', async ({ config }) => {
  const programs = await findPrograms()
  if (typeof programs === 'string') throw new Error(programs)
  const folder = path.resolve(config.DATA_FOLDER, 'cluster')
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ending.abort())
  const leave = await claimFolder(folder)
  let databases: Databases | undefined
  let servers: Servers | undefined
  try {
    console.log(`The cluster starts in ${folder}`)
    databases = await openDatabases(programs, folder, ending.signal)
    const { url, read_url, server_ports: ports } = databases
    const env = { ...process.env, DATABASE_READ_URL: read_url }
    servers = await openServers({ folder, url, ports, env, signal: ending.signal })
    for (const part of [...databases.parts, ...servers.parts]) keep(part, ending.signal)
    console.log(await sentences(folder, databases, servers))
    await new Promise((resolve) => ending.signal.addEventListener('abort', resolve))
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    ending.abort()
    console.log('The cluster stops: each PostgreSQL writes down what it has')
    await servers?.stop()
    await databases?.stop()
    await leave()
  }
  console.log('The cluster has ended; its data stays.')
})

function keep(part: ClusterProcess, signal: AbortSignal) {
  part.onEnd = (message) => {
    if (signal.aborted) return
    console.log(`${message}: it starts again in ${again_after_ms / 1000} seconds`)
    void pause(again_after_ms, undefined, { signal }).then(
      () => part.start(),
      () => {}, // all of it ends
    )
  }
}

async function sentences(folder: string, databases: Databases, servers: Servers) {
  const members = await databases.members()
  const { command: words, file } = databases.ctl
  return [
    '',
    await servers.greeting(),
    '',
    `Servers: ${servers.origins.join(' and ')}`,
    `Nodes: ${members.map(({ name, role }) => `${name} (${role})`).join(', ')}`,
    `Logs and data: ${folder}`,
    `Ask Patroni: ${words.join(' ')} -c ${file} list`,
    'Ctrl-C ends all of it.',
  ].join('\n')
}
