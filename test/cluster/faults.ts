// Faults of a node: it dies, it falls silent, its disk is full.
import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  postmasterOf,
  type Databases,
  type ClusterNode,
} from '#commands/cluster/databases.server.ts'
import { names } from '#commands/cluster/places.server.ts'
import { isRoot } from '#lib/unprivileged.server.ts'
import { until } from '../until.ts'

const run = promisify(execFile)
const size = '400m'

/** Why no disk can be filled here; nothing where it can. */
export const whyNoDisk = () =>
  isRoot() ? undefined : 'only root makes a file system of a few megabytes'

/** Each node of PostgreSQL on a disk of its own. */
export async function smallDisks(folder: string) {
  const places = names.map((name) => path.join(folder, `node-${name}`))
  for (const place of places) {
    await mkdir(place, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', place])
  }
  await chmod(folder, 0o711)
  return () => {
    for (const place of places) execFileSync('umount', ['--lazy', place])
  }
}

const ballast = ({ folder }: ClusterNode) => path.join(folder, 'ballast')

/** Fills the disk to the last byte; PostgreSQL may use some of it meanwhile. */
export async function fillDisk(node: ClusterNode) {
  const { bavail, bsize } = await statfs(node.folder)
  await writeFile(ballast(node), Buffer.alloc(bavail * bsize)).catch((error: { code?: string }) => {
    if (error.code !== 'ENOSPC') throw error
  })
}

export const makeRoom = (node: ClusterNode) => rm(ballast(node), { force: true })

/** Patroni, PostgreSQL and all that it started, at once. */
export async function killNode(node: ClusterNode) {
  const postgresql = await postgresOf(node)
  await node.patroni.kill()
  for (const pid of postgresql) signal(pid, 'SIGKILL')
  await until(async () => (await postmasterOf(node)) === undefined, `the end of ${node.name}`)
}

/** Nothing of it moves; its connections stay open. As a machine does that the network has lost. */
export async function silence(node: ClusterNode): Promise<() => void> {
  const all = [node.patroni.pid!, ...(await postgresOf(node))]
  for (const pid of all) signal(pid, 'SIGSTOP')
  return () => {
    for (const pid of all) signal(pid, 'SIGCONT')
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // it has just ended
  }
}

async function postgresOf(node: ClusterNode): Promise<number[]> {
  const first = await postmasterOf(node)
  if (first === undefined) return []
  const all = await Promise.all((await readdir('/proc')).map(parentOf))
  return [first, ...all.filter(([, parent]) => parent === first).map(([pid]) => pid)]
}

async function parentOf(name: string): Promise<[pid: number, parent: number]> {
  const stat = Number(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : ''
  return [Number(name), Number(/\) \S (\d+)/.exec(stat)?.[1])]
}

/** Switches over to the synchronous standby. */
export async function switchOver({ ctl, members }: Databases) {
  const all = await members()
  const leader = all.find(({ role }) => role === 'leader')!.name
  const next = all.find(({ role }) => role === 'sync_standby')!.name
  const words = ['-c', ctl.file, 'switchover', '--force', 'healthfund']
  const whom = ['--leader', leader, '--candidate', next]
  await run('env', [...ctl.command, ...words, ...whom], {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8', HOME: '/' },
  })
}

/** The one that leads, as it knows itself; nothing, while they choose. */
export async function etcdLeader({ etcd_urls }: Databases) {
  const responses = names.map(async (name) => {
    const url = `${etcd_urls[name]}/v3/maintenance/status`
    const answer = await fetch(url, { method: 'POST', body: '{}' })
    const { leader, header } = (await answer.json()) as {
      leader: string
      header: { member_id: string }
    }
    return leader === header.member_id ? name : undefined
  })
  const found = await Promise.allSettled(responses)
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])).find(Boolean)
}
