// Jobs: enqueued by SQL inside the act's own transaction (`add_job`), run here, as the owner.
import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker'
import { Pool } from 'pg'
import { z } from 'zod'
import { keep_alive_ms } from './connection.server.ts'
import type { Sql } from './db.server.ts'
import type { Log } from './log.server.ts'
import { streamTo } from './several-hosts.server.ts'
import type { Tracer } from './tracing.server.ts'

type Input = Record<string, unknown>
/**
 * A job gets its input and the owner's connection: it may see everything, so it must know for whom it acts. A long job checks
 * whether the worker is `ending`, and leaves the rest to another job.
 */
export type Task = (
  input: Input,
  tools: { sql: Sql; log: Log; ending?: AbortSignal },
) => Promise<void>
export type Tasks = Record<string, Task>

type WorkerOptions = {
  url: string
  sql: Sql
  log: Log
  tasks: Tasks
  /** Lines of `minute hour day month weekday task`, in UTC. */
  schedule: string[]
  tracer?: Tracer | undefined
  /** How many jobs it does at once. */
  concurrency?: number
}

const retry_ms = 2_000
/** A clock this far from what was expected has not run: the machine slept, or the time was set. */
const slept_ms = 10 * 60_000

/** Works until it is stopped; when the database is back after an outage, so is the worker. */
export async function startWorker(options: WorkerOptions) {
  const pool = workerPool(options.url, options.log)
  const ending = new AbortController()
  const locks = new Set<string>()
  const events = eventsInto(locks)
  let runner: Runner | undefined
  let busy: Busy = { jobs: 0 }
  let broken = Promise.withResolvers<string>()
  // The library's pool shuts down if it could not mark jobs as done. If two of its jobs met that at once, the shutdown never
  // ends.
  events.on('pool:fatalError', ({ workerPool: { id } }) => {
    if (id === busy.pool) broken.resolve(id)
  })
  const startRunner = () => {
    busy = { jobs: 0 }
    return begin(pool, options, { events, busy }, ending.signal)
  }
  // The library would make up for each minute of a sleep, or wait until a clock that was set back catches up. A new runner does
  // what is due once.
  for (const surprise of ['cron:overdueTimer', 'cron:prematureTimer'] as const) {
    events.on(surprise, ({ currentTimestamp, expectedTimestamp }) => {
      if (Math.abs(currentTimestamp - expectedTimestamp) > slept_ms)
        void runner?.stop().catch(() => {})
    })
  }
  try {
    runner = await startRunner()
  } catch (error) {
    await pool.end()
    throw error
  }
  const working = (async () => {
    while (!ending.signal.aborted) {
      try {
        broken = Promise.withResolvers()
        runner ??= await startRunner()
        const gone = await Promise.race([runner.promise, broken.promise])
        if (gone) {
          void setFree(options.sql, { locks, busy }, ending.signal)
          await leave(runner)
        }
      } catch (error) {
        options.log.error({ err: error }, 'the worker stopped and will try again')
        await pause(retry_ms)
      }
      runner = undefined
    }
  })()
  return {
    /** The names under which its jobs are locked. */
    locks: () => [...locks],
    async stop() {
      ending.abort()
      await runner?.stop().catch(() => {}) // it may just have stopped by itself
      await working
      await pool.end()
    },
  }
}

/** The jobs under way in one run of the library, and the name under which they are locked. */
type Busy = { jobs: number; pool?: string }

/** A leaving runner may finish its jobs for this long; the next one waits no longer. */
async function leave(runner: Runner) {
  const stopped = runner.stop().catch(() => {}) // it may just have stopped by itself
  await Promise.race([stopped, pause(retry_ms)])
  throw new Error('Jobs could not be crossed off')
}

/**
 * Unlocks a dead pool's jobs when none of them runs any more: those not marked as done are done again, once there is a database.
 */
async function setFree(
  sql: Sql,
  { locks, busy }: { locks: Set<string>; busy: Busy },
  ending: AbortSignal,
) {
  const { pool } = busy
  if (!pool) return
  while (!ending.aborted) {
    locks.add(pool)
    await pause(retry_ms, undefined, { signal: ending }).catch(() => {})
    if (busy.jobs > 0) continue
    locks.delete(pool)
    const unlocking = sql`select graphile_worker.force_unlock_workers(${[pool]}::text[])`
    if (
      await unlocking.then(
        () => true,
        () => false,
      )
    )
      return
  }
}

/** A connection that breaks while nobody uses it is worth a line, not the process. */
export function workerPool(url: string, log: Pick<Log, 'warn'>) {
  const application_name = 'healthfund worker'
  const pool = new Pool({
    connectionString: url,
    ...streamTo(url),
    max: 5,
    application_name,
    keepAlive: true,
    keepAliveInitialDelayMillis: keep_alive_ms,
  })
  const note = (error: Error) => log.warn(`A connection of the worker broke: ${error.message}`)
  pool.on('error', note)
  pool.on('connect', (client) => client.on('error', note))
  return pool
}

/** A job is locked under the name of its pool: those of ours that live. */
function eventsInto(locks: Set<string>) {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => locks.add(workerPool.id))
  events.on('pool:release', ({ workerPool }) => locks.delete(workerPool.id))
  return events
}

const begin = (
  pgPool: Pool,
  { sql, log, tasks, schedule, tracer, concurrency = 2 }: WorkerOptions,
  { events, busy }: { events: WorkerEvents; busy: Busy },
  ending: AbortSignal,
) => {
  events.once('pool:create', ({ workerPool }) => (busy.pool = workerPool.id))
  return run({
    pgPool,
    events,
    taskList: toTaskList(tasks, { sql, log, ending }, busy, tracer),
    crontab: schedule.join('\n'),
    concurrency,
    // Notifications held until their undo time is over are sent soon after it.
    pollInterval: 300,
    // Jobs are marked as done in batches: else nobody awaits the library's statement, and a cut connection would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    noHandleSignals: true,
    logger: toLogger(log),
  })
}

function toTaskList(
  tasks: Tasks,
  tools: Parameters<Task>[1],
  busy: Busy,
  tracer?: Tracer,
): TaskList {
  const entries = Object.entries(tasks).map(([name, task]) => {
    const perform = async (payload: unknown) => {
      busy.jobs += 1
      try {
        await task(z.looseObject({}).catch({}).parse(payload), tools)
      } finally {
        busy.jobs -= 1
      }
    }
    const span = { name: `job ${name}`, kind: 'consumer' } as const
    return [
      name,
      tracer ? (payload: unknown) => tracer.within(span, () => perform(payload)) : perform,
    ]
  })
  return Object.fromEntries(entries)
}

const level_of: Record<string, 'error' | 'warn'> = { error: 'error', warning: 'warn' }
const toLogger = (log: Log) =>
  new Logger(() => (level, message) => log[level_of[level] ?? 'debug'](message))
