// Processor time of the server and of PostgreSQL, and how busy the server’s one thread was.
import { readdirSync, readFileSync } from 'node:fs'
import type { EventLoopUtilization } from 'node:perf_hooks'

/** CPU times as the server reports them (server.ts). */
export type CpuFigures = { cpu_ms: number; loop: EventLoopUtilization; backend: number }
export type CpuReading = { server_ms: number; postgres_ms: number; loop: EventLoopUtilization }
/** The cost of one act; `busy` is the event loop's utilization meanwhile. */
export type Cost = { server_ms: number; postgres_ms: number; busy: number }

/** Why nothing can be known of PostgreSQL's processor time here; undefined where it can. */
export const unmeasured =
  process.platform !== 'linux' || process.env.DATABASE_URL
    ? 'its own PostgreSQL on Linux only'
    : undefined

export async function readCpu(origin: string): Promise<CpuReading | undefined> {
  if (unmeasured) return undefined
  const { cpu_ms, loop, backend } = (await (await fetch(`${origin}/cpu`)).json()) as CpuFigures
  return { server_ms: cpu_ms, postgres_ms: postgresTime(Number(statOf(backend)[1])), loop }
}

export function costBetween(before: CpuReading, after: CpuReading, acts: number): Cost {
  const active = after.loop.active - before.loop.active
  const idle = after.loop.idle - before.loop.idle
  return {
    server_ms: (after.server_ms - before.server_ms) / acts,
    postgres_ms: (after.postgres_ms - before.postgres_ms) / acts,
    busy: active / (active + idle),
  }
}

/** The fields behind the name in /proc/<pid>/stat: state, parent, … */
function statOf(pid: number | string) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const tick_ms = 10

/** CPU time of the postmaster, of its children that live and of those that have ended. */
function postgresTime(postmaster: number): number {
  const sum = (stat: string[], ...at: number[]) => at.reduce((all, i) => all + Number(stat[i]), 0)
  let ticks = sum(statOf(postmaster), 11, 12, 13, 14)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = statOf(pid)
      if (Number(stat[1]) === postmaster) ticks += sum(stat, 11, 12)
    } catch (error) {
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return ticks * tick_ms
}
