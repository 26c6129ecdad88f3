// Jobs: enqueued by SQL inside the act's own transaction (`add_job`), run here, as the owner.
import { Logger, run, type TaskList } from 'graphile-worker'
import { z } from 'zod'
import type { Sql } from './db.server.ts'
import type { Log } from './log.server.ts'

export type Input = Record<string, unknown>
/** A job gets its input and the owner's connection: it may see all, so it must know for whom it acts. */
export type Task = (input: Input, tools: { sql: Sql; log: Log }) => Promise<void>
export type Tasks = Record<string, Task>

export type WorkerOptions = {
  url: string
  sql: Sql
  log: Log
  tasks: Tasks
  /** Lines of `minute hour day month weekday task`, in UTC. */
  schedule: string[]
}

export async function startWorker({ url, sql, log, tasks, schedule }: WorkerOptions) {
  const runner = await run({
    connectionString: url,
    taskList: toTaskList(tasks, { sql, log }),
    crontab: schedule.join('\n'),
    concurrency: 2,
    noHandleSignals: true,
    logger: toLogger(log),
  })
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the worker stopped'))
  return { stop: () => runner.stop() }
}

function toTaskList(tasks: Tasks, tools: Parameters<Task>[1]): TaskList {
  const entries = Object.entries(tasks).map(([name, task]) => [
    name,
    async (payload: unknown) => task(z.looseObject({}).catch({}).parse(payload), tools),
  ])
  return Object.fromEntries(entries)
}

const level_of: Record<string, 'error' | 'warn'> = { error: 'error', warning: 'warn' }
const toLogger = (log: Log) =>
  new Logger(() => (level, message) => log[level_of[level] ?? 'debug'](message))
