// Places of a cluster's parts: the ports that they keep, their passwords, and the files of ops/cluster filled in.
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')
export const host = '127.0.0.1'
/** A setting of all that is started for a cluster: its folder. */
export const mark = 'HEALTHFUND_CLUSTER'
export const names = ['one', 'two', 'three'] as const
export type NodeName = (typeof names)[number]

type Ports = {
  writes: number
  /** The port that leads to a standby. */
  reads: number
  /** The ports of the servers of Healthfund. */
  servers: number[]
  nodes: Record<NodeName, Record<'etcd' | 'peer' | 'postgresql' | 'rest', number>>
}
type Passwords = Record<'superuser' | 'replication' | 'owner', string>
export type Places = { ports: Ports; passwords: Passwords }

/** Chosen at the first start and kept: etcd knows its members by them. */
export async function placesIn(folder: string): Promise<Places> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  const file = path.join(folder, 'places.json')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept) return withReads(file, JSON.parse(kept) as Places)
  const [writes, reads, ...rest] = await freePorts(4 + names.length * 4)
  const nodes = names.map((name) => {
    const [etcd, peer, postgresql, rest_port] = rest.splice(0, 4)
    return [name, { etcd, peer, postgresql, rest: rest_port }]
  })
  const secret = () => randomBytes(24).toString('hex')
  const places = {
    ports: { writes, reads, servers: rest.splice(0, 2), nodes: Object.fromEntries(nodes) },
    passwords: { superuser: secret(), replication: secret(), owner: secret() },
  } as Places
  await writeFile(file, JSON.stringify(places, null, 2), { mode: 0o600 })
  return places
}

/** A cluster that was made before has no such port yet. */
async function withReads(file: string, places: Places): Promise<Places> {
  if (places.ports.reads) return places
  const [reads] = await freePorts(1)
  const whole = { ...places, ports: { ...places.ports, reads } } as Places
  await writeFile(file, JSON.stringify(whole, null, 2), { mode: 0o600 })
  return whole
}

/** Free ports below the range that the system gives to outgoing connections, so that a node that is down keeps its own. */
async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) found.add(port)
  }
  return [...found]
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    if (server.listening) {
      server.close()
      await once(server, 'close')
    }
  }
}

/** A file of ops/cluster with this cluster's values. */
export async function fillTemplate(name: string, values: Record<string, string | number>) {
  const text = await readFile(path.join(root, 'ops/cluster', name), 'utf8')
  return text.replace(/\$\{([A-Z_]+)\}/g, (_, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`ops/cluster/${name} asks for ${key}`)
    return String(value)
  })
}
