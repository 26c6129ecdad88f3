// Several processes that answer at one port: the first one opens the database, does the jobs and starts the others,
// which answer requests. One that ends is started again; all of them end with the first.
import processes, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Log } from './log.server.ts'

/** The first process passes on where it opened the database to those that it starts. */
const opened_at = 'HEALTHFUND_OPENED_DATABASE'
const again_after_ms = 1_000
/** A process that does not answer in this time is left out of the figures. */
const figures_within_ms = 2_000

type Message =
  | { kind: 'gather'; id: number }
  | { kind: 'measure'; id: number }
  | { kind: 'measured'; id: number; figures: unknown }
  | { kind: 'gathered'; id: number; all: unknown[] }

/** The database of a process that another one started; nothing in the first one. */
export const openedDatabase = (): string | undefined =>
  processes.isWorker ? process.env[opened_at] : undefined

// Each process accepts connections itself. If the first one passed them on, a connection on its way to a killed process would
// stay open without an answer.
processes.schedulingPolicy = processes.SCHED_NONE

/** Comes back when all of them listen, and fails where one of them can't. */
export async function startProcesses(count: number, url: string, log: Log) {
  let stopping = false
  const start = () => processes.fork({ [opened_at]: url })
  await Promise.all(Array.from({ length: count }, start).map(untilListening))
  processes.on('exit', ({ process: { pid } }, code, signal) => {
    if (stopping) return
    log.error(
      { pid, code, signal },
      'a process that answers requests ended: another one is started',
    )
    setTimeout(() => stopping || start(), again_after_ms).unref()
  })
  processes.on('message', (asker, message: Message) => {
    if (message.kind === 'gather') void gather(asker, message.id)
  })
  return {
    async stop() {
      stopping = true
      await Promise.all(workers().map(end))
    },
  }
}

const workers = (): Worker[] => Object.values(processes.workers ?? {}).filter((one) => one != null)

async function end(worker: Worker) {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await ended
}

async function untilListening(worker: Worker) {
  const ended = once(worker, 'exit').then(() => {
    throw new Error('A process that answers requests ended before it listened: see above.')
  })
  await Promise.race([once(worker, 'listening'), ended])
  ended.catch(() => {}) // from here on it is started again
}

let last_id = 0

async function gather(asker: Worker, id: number) {
  const all = await Promise.all(workers().map(figuresOf))
  const found = all.filter((figures) => figures !== undefined)
  if (asker.isConnected()) asker.send({ kind: 'gathered', id, all: found } satisfies Message)
}

async function figuresOf(worker: Worker): Promise<unknown> {
  if (!worker.isConnected()) return undefined
  const id = (last_id += 1)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const listen = (message: Message) => {
    if (message.kind === 'measured' && message.id === id) resolve(message.figures)
  }
  worker.on('message', listen)
  worker.send({ kind: 'measure', id } satisfies Message)
  const late = setTimeout(resolve, figures_within_ms, undefined)
  try {
    return await promise
  } finally {
    clearTimeout(late)
    worker.off('message', listen)
  }
}

/** Asks each process at this port for its figures; where there is one, that one. */
export function gatherFromAll<Figures>(own: () => Promise<Figures>): () => Promise<Figures[]> {
  if (!processes.isWorker) return async () => [await own()]
  const waiting = new Map<number, (all: Figures[]) => void>()
  const send = (message: Message) => process.connected && process.send?.(message)
  process.on('message', (message: Message) => {
    if (message.kind === 'gathered') {
      waiting.get(message.id)?.(message.all as Figures[])
      waiting.delete(message.id)
    } else if (message.kind === 'measure') {
      const { id } = message
      // A process that can't measure itself is left out, like one that is too slow.
      own().then(
        (figures) => send({ kind: 'measured', id, figures }),
        () => send({ kind: 'measured', id, figures: undefined }),
      )
    }
  })
  return () =>
    new Promise((resolve) => {
      const id = (last_id += 1)
      waiting.set(id, resolve)
      send({ kind: 'gather', id })
    })
}
