// Processor time by process, so that what is noisy in seconds can be told in work done.
import { execFileSync } from 'node:child_process'

const ticks_per_second = 100

/** Seconds of processor time used so far by the processes that PostgreSQL is made of, and by one of ours. */
export function cpuOf(pid: number | undefined) {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const postgres = lines
    .filter(
      (line) => /healthfund_bench_|walwriter|checkpointer/.test(line) && /postgres/.test(line),
    )
    .map((line) => Number(line.trim().split(/\s+/)[0]))
  return { postgres: sum(postgres), server: sum(pid ? [pid] : []), driver: sum([process.pid]) }
}

const sum = (pids: number[]) => pids.reduce((total, pid) => total + used(pid), 0)

function used(pid: number): number {
  try {
    const stat = execFileSync('cat', [`/proc/${pid}/stat`], { encoding: 'utf8' })
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticks_per_second
  } catch {
    return 0 // it ended meanwhile
  }
}
