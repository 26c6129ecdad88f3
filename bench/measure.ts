// How things are measured: rates with as many clients, ratios in one run, a table at the end.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { costBetween, readCpu, type Cost } from './cpu.ts'

export type Result = {
  workload: string
  name: string
  value: number
  unit: string
  /** The value it is compared with, in the same unit. */
  baseline: number | null
  ratio: number | null
  goal: string
  holds: boolean | null
  /** The cost of one act, if it is asked of a server by HTTP. */
  cost: Cost | null
}

export const results: Result[] = []

type ResultLine = Omit<Result, 'ratio' | 'baseline' | 'holds' | 'cost'> & {
  baseline?: number
  cost?: Cost | undefined
  holds: (ratio: number, value: number) => boolean
}

export function record({ baseline, holds, cost, ...line }: ResultLine) {
  const ratio = baseline === undefined ? null : line.value / baseline
  const result = {
    ...line,
    baseline: baseline ?? null,
    ratio,
    holds: holds(ratio ?? 0, line.value),
    cost: cost ?? null,
  }
  results.push(result)
  console.log(
    `  ${line.name}: ${shown(line.value)} ${line.unit}${ratio === null ? '' : `, ratio ${ratio.toFixed(2)}`}`,
  )
}

/** A measure that this machine could not take is reported, never left out. */
export function recordNotMeasured(workload: string, name: string, goal: string, why: string) {
  const nothing = { value: 0, unit: why, baseline: null, ratio: null, holds: null, cost: null }
  results.push({ workload, name, goal, ...nothing })
}

export type MeasuredRate = {
  per_second: number
  p50_ms: number
  p99_ms: number
  failed: number
  /** The statuses that were answered, where any failed. */
  refused_with?: string
  cost?: Cost | undefined
}

/** The rate of HTTP requests that the server answers to `clients` at once. */
export async function httpRate(
  options: autocannon.Options,
  clients = 32,
  seconds = 5,
): Promise<MeasuredRate> {
  const { origin } = new URL(options.url)
  const before = await readCpu(origin)
  const run = await autocannon({ connections: clients, duration: seconds, ...options })
  const after = await readCpu(origin)
  return {
    cost: before && after && costBetween(before, after, Math.max(run['2xx'], 1)),
    per_second: run['2xx'] / run.duration,
    p50_ms: run.latency.p50,
    p99_ms: run.latency.p99,
    failed: run.non2xx + run.errors,
    refused_with: `statuses ${Object.keys(run.statusCodeStats ?? {}).join(', ')}, ${run.errors} without an answer`,
  }
}

/** The same for anything that can be awaited. */
export async function rate(
  work: (client: number) => Promise<unknown>,
  clients = 32,
  seconds = 5,
): Promise<MeasuredRate> {
  const until = performance.now() + seconds * 1000
  const took: number[] = []
  const client = async (_: unknown, number: number) => {
    while (performance.now() < until) {
      const began = performance.now()
      await work(number)
      const ended = performance.now()
      // Calls that end after the time don’t count: with slow work they would be many.
      if (ended <= until) took.push(ended - began)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const at = percentiles(took)
  return { per_second: took.length / seconds, p50_ms: at(0.5), p99_ms: at(0.99), failed: 0 }
}

/** How long somebody waits who asks now and then, not as often as answers come. */
export async function waitsOf(work: () => Promise<unknown>, every_ms: number, ended: AbortSignal) {
  const took: number[] = []
  while (!ended.aborted) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
    await pause(every_ms)
  }
  const at = percentiles(took)
  return { p50_ms: at(0.5), p99_ms: at(0.99) }
}

function percentiles(took: number[]) {
  took.sort((a, b) => a - b)
  return (share: number) => took[Math.floor(took.length * share)] ?? 0
}

const shown = (value: number) => (value >= 100 ? Math.round(value).toString() : value.toFixed(2))

export async function report(file: URL) {
  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model,
    memory_gb: Math.round(totalmem() / 2 ** 30),
  }
  console.log(`\n${machine.cores} cores, ${machine.cpu}, ${machine.memory_gb} GB\n`)
  const last = await lastResults(file)
  console.table(
    results.map((result) => {
      const { workload, name, value, unit, baseline, ratio, goal, holds, cost } = result
      const before = last.get(idOf(result))
      return {
        '#': workload,
        what: name,
        measured: `${shown(value)} ${unit}`,
        baseline: baseline === null ? '' : shown(baseline),
        ratio: ratio === null ? '' : ratio.toFixed(2),
        goal,
        holds: holds === null ? 'not measured' : holds ? 'yes' : 'NO',
        'CPU ms, server + PostgreSQL': cost
          ? `${shown(cost.server_ms)} + ${shown(cost.postgres_ms)}`
          : '',
        'event loop': cost ? `${Math.round(cost.busy * 100)} %` : '',
        last: before ? comparedToLast(value, before.value) : '',
      }
    }),
  )
  await writeFile(
    file,
    `${JSON.stringify({ machine, at: new Date().toISOString(), results }, null, 2)}\n`,
  )
}

/**
 * The p50 of two things that are beside one another: both warmed alike, then asked in turns, one by one, so that
 * whatever else the machine does meets both.
 */
export async function sideBySide(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  seconds = 1.5,
): Promise<[number, number]> {
  const took: [number[], number[]] = [[], []]
  const timed = async (at: 0 | 1, work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    took[at].push(performance.now() - began)
  }
  const warm = 20
  const until = performance.now() + seconds * 1000
  for (let n = 0; n < warm * 2 || performance.now() < until; n += 1) {
    await timed(0, one)
    await timed(1, other)
  }
  const p50 = (all: number[]) => {
    const warmed = all.slice(warm).sort((a, b) => a - b)
    return warmed[Math.floor(warmed.length / 2)] ?? 0
  }
  return [p50(took[0]), p50(took[1])]
}

/** One after the other, three times each: what else the machine does meanwhile hits both. */
export async function leastInTurns(one: () => Promise<number>, other: () => Promise<number>) {
  const least = [Infinity, Infinity] as [number, number]
  for (let round = 0; round < 3; round += 1) {
    least[0] = Math.min(least[0], await one())
    least[1] = Math.min(least[1], await other())
  }
  return least
}

/** A result of the last run on this machine; what was measured stands in some names, too. */
const idOf = ({ workload, name, unit }: Result) =>
  `${workload} ${name.replaceAll(/\([^)]*\)|\d+/g, '')} ${unit}`

async function lastResults(file: URL): Promise<Map<string, Result>> {
  const text = await readFile(file, 'utf8').catch(() => '{"results": []}') // there was none
  const { results: last } = JSON.parse(text) as { results: Result[] }
  return new Map(last.map((result) => [idOf(result), result]))
}

/** Changes by a fifth are marked: a commit that makes one says so. */
function comparedToLast(now: number, before: number): string {
  const change = before === 0 ? 0 : now / before - 1
  const marked =
    Math.abs(change) >= 0.2 ? ` (${change > 0 ? '+' : ''}${Math.round(change * 100)} %)` : ''
  return shown(before) + marked
}
