// Three PostgreSQL, each kept by a Patroni, and an etcd that knows which is the primary. HAProxy in front leads writers to the
// primary.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '#lib/db.server.ts'
import { isAlive } from '#lib/processes.server.ts'
import { ClusterProcess } from './part.server.ts'
import {
  fillTemplate,
  host,
  isFree,
  names,
  placesIn,
  type NodeName,
  type Places,
} from './places.server.ts'
import { unprivilegedCommand, type ClusterPrograms } from './programs.server.ts'

const patience_ms = 90_000
const look_every_ms = 200
/** The megabytes that must be free on a node's disk. */
const least_mb = '64'

/** A node of PostgreSQL with its Patroni. */
export type ClusterNode = {
  name: NodeName
  patroni: ClusterProcess
  /** Sees that its disk does not fill up. */
  guard: ClusterProcess
  folder: string
  port: number
  rest: number
}

/** A node as Patroni reports it. */
export type ClusterMember = {
  name: NodeName
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
  timeline?: number
}

export type Databases = {
  /** The address of the primary, by way of HAProxy. */
  url: string
  /** The address of a standby, likewise. */
  read_url: string
  /** The nodes themselves, of which the driver finds the one that takes writes. */
  direct_url: string
  superuser_url: string
  nodes: ClusterNode[]
  etcd: Record<NodeName, ClusterProcess>
  etcd_urls: Record<NodeName, string>
  haproxy: ClusterProcess
  /** The ports that are kept for the servers of Healthfund. */
  server_ports: number[]
  parts: ClusterProcess[]
  /** How patronictl is run, and its file. */
  ctl: { command: string[]; file: string }
  /** Members as one of them sees the cluster, perhaps some seconds late. */
  members: () => Promise<ClusterMember[]>
  /** Waits until there is a primary and a synchronous standby, and all nodes stream. */
  whole: () => Promise<ClusterMember[]>
  stop: () => Promise<void>
}

export async function openDatabases(
  programs: ClusterPrograms,
  folder: string,
  signal?: AbortSignal,
): Promise<Databases> {
  const places = await placesIn(folder)
  const built = await build(programs, folder, places)
  const { etcd, nodes, haproxy } = built
  const of_nodes = nodes.flatMap(({ patroni, guard }) => [patroni, guard])
  const parts = [...Object.values(etcd), ...of_nodes, haproxy]
  const stop = async () => {
    await haproxy.stop()
    await Promise.all(nodes.map(stopNode))
    await Promise.all(Object.values(etcd).map((part) => part.stop()))
  }
  const members = async () => (await viewsOf(nodes))[0] ?? []
  const until = <T>(ask: () => T | Promise<T>, what: string) => waitFor(ask, what, signal)
  const whole = () => until(async () => wholeOf(await viewsOf(nodes)), 'a primary and two standbys')
  const { superuser, owner } = places.passwords
  const superuser_url = `postgres://postgres:${superuser}@${host}:${places.ports.writes}/postgres`
  const login = `postgres://healthfund:${owner}@`
  const hosts = nodes.map(({ port }) => `${host}:${port}`).join(',')
  const databases = {
    ...built,
    parts,
    members,
    whole,
    stop,
    superuser_url,
    server_ports: places.ports.servers,
    url: `${login}${host}:${places.ports.writes}/healthfund`,
    read_url: `${login}${host}:${places.ports.reads}/healthfund`,
    direct_url: `${login}${hosts}/healthfund?target_session_attrs=read-write`,
  }
  try {
    await requireFreePorts(places)
    await Promise.all(Object.values(etcd).map((part) => part.start()))
    await until(() => healthy(built.etcd_urls), 'etcd')
    await Promise.all([haproxy, ...of_nodes].map((part) => part.start()))
    await whole()
    await until(() => makeOwner(superuser_url, owner), 'HAProxy and the primary')
  } catch (error) {
    await stop()
    throw error
  }
  return databases
}

async function requireFreePorts({ ports }: Places) {
  const all = [
    ports.writes,
    ports.reads,
    ...Object.values(ports.nodes).flatMap((node) => Object.values(node)),
  ]
  for (const port of all)
    if (!(await isFree(port)))
      throw new Error(`Port ${port} of the cluster is taken: does it run already?`)
}

async function build(programs: ClusterPrograms, folder: string, { ports, passwords }: Places) {
  const folders = names.flatMap((name) => [`etcd-${name}`, `node-${name}`]).concat('haproxy')
  const at = (name: string) => path.join(folder, name)
  for (const name of folders) await mkdir(at(name), { recursive: true, mode: 0o700 })
  const prefix = await unprivilegedCommand(programs, folders.map(at))
  const all = { HOST: host, NETWORK: `${host}/32`, PROGRAMS: programs.postgresql }
  const common = {
    ...all,
    ETCD_HOSTS: names.map((name) => `${host}:${ports.nodes[name].etcd}`).join(','),
    ALL_ETCD: names.map((name) => `${name}=http://${host}:${ports.nodes[name].peer}`).join(','),
    SUPERUSER_PASSWORD: passwords.superuser,
    REPLICATION_PASSWORD: passwords.replication,
  }
  const written = async (what: string, name: string, values: Record<string, string | number>) => {
    const file = path.join(at(name), what)
    await writeFile(file, await fillTemplate(what, { ...common, FOLDER: at(name), ...values }))
    await chmod(file, 0o644) // whose folder nobody else gets into
    return file
  }
  const part = (name: string, ...words: string[]) =>
    new ClusterProcess({
      name,
      command: [...prefix, ...words],
      log: path.join(folder, `${name}.log`),
    })
  const etcd = {} as Record<NodeName, ClusterProcess>
  const nodes: ClusterNode[] = []
  for (const name of names) {
    const { etcd: client, peer, postgresql: port, rest } = ports.nodes[name]
    const etcd_values = { NAME: name, CLIENT_PORT: client, PEER_PORT: peer }
    const etcd_file = await written('etcd.yml', `etcd-${name}`, etcd_values)
    etcd[name] = part(`etcd-${name}`, programs.etcd, '--config-file', etcd_file)
    const patroni_values = { NAME: name, PORT: port, REST_PORT: rest }
    const file = await written('patroni.yml', `node-${name}`, patroni_values)
    const patroni = part(`node-${name}`, programs.patroni, file)
    const guard_file = await written('guard.sh', `node-${name}`, {})
    const watched = [file, name, at(`node-${name}`), least_mb, programs.patronictl]
    const guard = part(`guard-${name}`, 'sh', guard_file, ...watched)
    nodes.push({ name, patroni, guard, folder: at(`node-${name}`), port, rest })
  }
  const lines = nodes.map((n) => `  server ${n.name} ${host}:${n.port} check port ${n.rest}`)
  const servers = { PORT: ports.writes, READ_PORT: ports.reads, SERVERS: lines.join('\n') }
  const haproxy_file = await written('haproxy.cfg', 'haproxy', servers)
  return {
    etcd,
    etcd_urls: Object.fromEntries(
      names.map((name) => [name, `http://${host}:${ports.nodes[name].etcd}`]),
    ) as Record<NodeName, string>,
    nodes,
    haproxy: part('haproxy', programs.haproxy, '-db', '-f', haproxy_file),
    ctl: {
      command: [...prefix, programs.patronictl],
      file: path.join(at('node-one'), 'patroni.yml'),
    },
  }
}

/** Whether all three answer; later on two are enough. */
const healthy = async (urls: Record<NodeName, string>): Promise<boolean> => {
  const responses = Object.values(urls).map((url) => fetch(`${url}/health`))
  return Promise.all(responses).then(
    (answers) => answers.every(({ ok }) => ok),
    () => false,
  )
}

/** Each reachable node's view of the cluster. */
async function viewsOf(nodes: ClusterNode[]): Promise<ClusterMember[][]> {
  const answers = nodes.map(async ({ rest }) => {
    const signal = AbortSignal.timeout(2_000)
    const answer = await fetch(`http://${host}:${rest}/cluster`, { signal })
    return ((await answer.json()) as { members: ClusterMember[] }).members
  })
  const views = await Promise.allSettled(answers)
  return views.flatMap((view) => (view.status === 'fulfilled' ? [view.value] : []))
}

/** The view on which all nodes agree; undefined while one of them does not know yet what the others do. */
function wholeOf(views: ClusterMember[][]): ClusterMember[] | undefined {
  const leaders = new Set(views.map((view) => view.find(({ role }) => role === 'leader')?.name))
  const all = views.length === names.length && leaders.size === 1 && views.every(isWhole)
  return all ? views[0] : undefined
}

function isWhole(members: ClusterMember[]): boolean {
  const roles = members.map(({ role }) => role).toSorted()
  const run = members.every(({ state }) => state === 'running' || state === 'streaming')
  return roles.join() === 'leader,replica,sync_standby' && run
}

/** The login of DATABASE_URL is no superuser, as ops/database/owner.sh makes it. */
async function makeOwner(superuser_url: string, password: string): Promise<boolean> {
  const sql = connect(superuser_url, { max: 1, connect_timeout_ms: 2_000 })
  try {
    const [role] = await sql`select from pg_roles where rolname = 'healthfund'`
    if (!role)
      await sql.unsafe(`create role healthfund login createrole createdb password '${password}'`)
    const [database] = await sql`select from pg_database where datname = 'healthfund'`
    if (!database) await sql`create database healthfund owner healthfund`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** The process of PostgreSQL itself, while there is one. */
export async function postmasterOf({ folder }: ClusterNode): Promise<number | undefined> {
  const text = await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return pid > 0 && isAlive(pid) ? pid : undefined
}

/** Patroni takes its PostgreSQL along; where it was killed itself, we do. */
async function stopNode(node: ClusterNode) {
  await node.guard.stop()
  await node.patroni.stop()
  const pid = await postmasterOf(node)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT')
  await waitFor(() => !isAlive(pid), `the end of ${node.name}`)
}

async function waitFor<T>(ask: () => T | Promise<T>, what: string, signal?: AbortSignal) {
  const deadline = performance.now() + patience_ms
  for (;;) {
    signal?.throwIfAborted()
    const found = await ask()
    if (found) return found as Exclude<T, undefined | false>
    if (performance.now() > deadline) throw new Error(`The cluster did not come: ${what}`)
    await pause(look_every_ms)
  }
}
