// Work that must not be done in the server's process: on strangers' files, heavy, or in native code. It is done by processes that
// may neither write files nor start programs, know no secret, have a limit of time and memory, and are started again when they
// die.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isProblemCode, Problem, type ProblemCode } from '#problems.ts'
import type { Log } from './log.server.ts'

type WorkerJob = { what: string; [more: string]: unknown }
type WorkerAnswer = { answer: unknown; parts: { name: string; bytes: Uint8Array }[] }
export type WorkerPool = ReturnType<typeof openWorkerPool>

type WorkerPoolOptions = {
  /** The program of a process: reads frames, answers frames. */
  program: URL
  /** How many work side by side. */
  size: number
  within_ms: number
  /** The problem of a task that took longer. */
  too_slow: ProblemCode
  /** The problem of a task that took more memory. */
  too_heavy: ProblemCode
  /** The problem of a failure that nobody foresaw; where it went wrong is in the log. */
  broken: ProblemCode
  memory_mb?: number
  /** How far their priority is below the server's, as the system counts it: 0 to 19. */
  niceness?: number
  /** How many pieces may wait before new ones are turned away. */
  waiting_max?: number
  idle_ms?: number
  log: Log
}

type QueuedJob = {
  job: WorkerJob
  bytes: Uint8Array
  again: boolean
  done: (answer: WorkerAnswer) => void
  failed: (error: unknown) => void
}

const watch_ms = 200
/** The last words of V8 where a process's heap is full, before what it stood in. */
const heap_is_full = 'JavaScript heap out of memory'
const words_kept = 16_384

export function openWorkerPool(options: WorkerPoolOptions) {
  const { size, waiting_max = 50, idle_ms = 60_000 } = options
  const waiting: QueuedJob[] = []
  const free: WorkerProcess[] = []
  const all = new Set<WorkerProcess>()
  let closed = false

  function next() {
    for (;;) {
      const task = waiting[0]
      const worker = task && (takeAlive(free, all) ?? (all.size < size ? another() : undefined))
      if (!task || !worker) return
      waiting.shift()
      void work(worker, task)
    }
  }

  function another(): WorkerProcess {
    const worker = new WorkerProcess(options)
    all.add(worker)
    return worker
  }

  async function work(worker: WorkerProcess, task: QueuedJob) {
    try {
      task.done(await worker.work(task.job, task.bytes))
    } catch (error) {
      if (error instanceof Died && task.again && !closed) {
        // Somebody ended the process: the work was not to blame, so it is begun again, once.
        waiting.unshift({ ...task, again: false })
      } else task.failed(error instanceof Died ? new Problem('unavailable') : error)
    }
    if (worker.alive && !closed) free.push(worker)
    else {
      all.delete(worker)
      worker.end()
    }
    next()
    worker.restAfter(idle_ms, () => {
      const at = free.indexOf(worker)
      if (at < 0) return
      free.splice(at, 1)
      all.delete(worker)
      worker.end()
    })
  }

  return {
    run(job: WorkerJob, bytes: Uint8Array): Promise<WorkerAnswer> {
      if (closed) return Promise.reject(new Problem('unavailable'))
      if (waiting.length >= waiting_max) return Promise.reject(new Problem('busy'))
      return new Promise((done, failed) => {
        waiting.push({ job, bytes, again: true, done, failed })
        next()
      })
    },
    /** The processes at work or at rest. */
    pids: () => [...all].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    close() {
      closed = true
      for (const worker of all) worker.end()
      for (const task of waiting.splice(0)) task.failed(new Problem('unavailable'))
    },
  }
}

/** One that ended while at rest would fail the work that it was given. */
function takeAlive(free: WorkerProcess[], all: Set<WorkerProcess>): WorkerProcess | undefined {
  for (let worker = free.pop(); worker; worker = free.pop()) {
    if (worker.alive) return worker
    all.delete(worker)
  }
  return undefined
}

class Died extends Error {}

const root = fileURLToPath(new URL('../../', import.meta.url))
/** All that a parser may read: a fault in one must not read keys, settings or anybody's files. */
const readable = [
  ...['node_modules/', 'src/', 'package.json'].map((name) => root + name),
  `${realpathSync(`${root}node_modules`)}/`, // packages may lie elsewhere, behind a link
]

export const confining_options = [
  '--permission',
  ...readable.map((place) => `--allow-fs-read=${place}`),
  '--allow-addons',
  '--allow-worker',
  '--max-semi-space-size=4', // what one task leaves behind goes soon
  '--disable-warning=SecurityWarning',
  '--disable-warning=ExperimentalWarning',
]

class WorkerProcess {
  alive = true
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #options: WorkerPoolOptions
  readonly #answers: AsyncGenerator<{ head: FrameHead; body: Buffer }>
  readonly #heap_full: Promise<boolean>
  #rest: NodeJS.Timeout | undefined

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    const memory = `--max-old-space-size=${Math.round((options.memory_mb ?? 1024) / 2)}`
    const program = fileURLToPath(options.program)
    const rights = [...confining_options, `--allow-fs-read=${program}`]
    this.#child = spawn(process.execPath, [...rights, memory, program], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { UV_THREADPOOL_SIZE: '2', PATH: process.env.PATH ?? '' },
      windowsHide: true,
    })
    let words = ''
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-words_kept)
    })
    this.#heap_full = new Promise((resolve) => {
      this.#child.stderr.once('end', () => resolve(words.includes(heap_is_full)))
      this.#child.once('error', () => resolve(false))
    })
    this.#child.once('exit', () => (this.alive = false))
    this.#child.once('error', () => (this.alive = false))
    this.#child.stdin.on('error', () => {}) // it died: its exit tells
    this.#answers = frames(this.#child.stdout) as AsyncGenerator<{ head: FrameHead; body: Buffer }>
    if (this.pid !== undefined) yieldTo(this.pid, options.niceness ?? 5)
    this.#child.unref()
  }

  get pid() {
    return this.#child.pid
  }

  async work(job: WorkerJob, bytes: Uint8Array): Promise<WorkerAnswer> {
    clearTimeout(this.#rest)
    const { too_slow, too_heavy, within_ms } = this.#options
    let refusal: ProblemCode | undefined
    const stop = (code: ProblemCode) => {
      refusal ??= code
      this.end()
    }
    const late = setTimeout(() => stop(too_slow), within_ms)
    const watch = setInterval(
      () => void this.#isTooHeavy().then((heavy) => heavy && stop(too_heavy)),
      watch_ms,
    )
    try {
      writeFrame(this.#child.stdin, { ...job, sizes: [bytes.length] }, [bytes])
      const { value } = await this.#answers.next().catch(() => ({ value: undefined }))
      if (!value) {
        this.end()
        if (await this.#heap_full) refusal ??= too_heavy
        throw refusal ? new Problem(refusal) : new Died('The process ended')
      }
      return this.#read(value)
    } finally {
      clearTimeout(late)
      clearInterval(watch)
    }
  }

  #read({ head, body }: { head: FrameHead; body: Buffer }): WorkerAnswer {
    if (isProblemCode(head.problem)) throw new Problem(head.problem)
    if (head.fault) {
      this.#options.log.warn({ fault: head.fault }, 'a file could not be worked on')
      throw new Problem(this.#options.broken)
    }
    let at = 0
    const parts = (head.names ?? []).map((name, index) => {
      const size = head.sizes[index] ?? 0
      at += size
      return { name, bytes: body.subarray(at - size, at) }
    })
    return { answer: head.answer, parts }
  }

  async #isTooHeavy(): Promise<boolean> {
    if (process.platform !== 'linux') return false
    const statm = await readFile(`/proc/${this.pid}/statm`, 'utf8').catch(() => '')
    const resident_mb = (Number(statm.split(' ')[1] ?? 0) * 4096) / 2 ** 20
    return resident_mb > (this.#options.memory_mb ?? 1024)
  }

  restAfter(idle_ms: number, rest: () => void) {
    clearTimeout(this.#rest)
    this.#rest = setTimeout(rest, idle_ms).unref()
  }

  end() {
    this.alive = false
    clearTimeout(this.#rest)
    this.#child.kill('SIGKILL')
  }
}

/** The server's answers come before its files' pictures. */
function yieldTo(pid: number, niceness: number) {
  try {
    setPriority(pid, niceness)
  } catch {
    // it ended already, or the machine does not let us: then they share evenly
  }
}

type FrameHead = {
  sizes: number[]
  names?: string[]
  answer?: unknown
  problem?: string
  fault?: string
}

/** A frame: the length of its head in four bytes, the head as JSON, the bytes whose sizes the head tells. */
export function writeFrame(to: NodeJS.WritableStream, head: object, bodies: Uint8Array[]) {
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  to.write(Buffer.concat([length, json]))
  for (const body of bodies) to.write(body)
}

export async function* frames(from: Readable) {
  let have: Buffer[] = []
  let size = 0
  const incoming = from[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  async function take(length: number): Promise<Buffer | undefined> {
    while (size < length) {
      const { value, done } = await incoming.next()
      if (done) return undefined
      have.push(value)
      size += value.length
    }
    const [first, ...others] = have
    const whole = first && others.length === 0 ? first : Buffer.concat(have)
    have = [whole.subarray(length)]
    size -= length
    return whole.subarray(0, length)
  }
  for (;;) {
    const length = await take(4)
    const json = length && (await take(length.readUInt32BE()))
    if (!json) return
    const head = JSON.parse(json.toString()) as { sizes: number[] }
    const body = await take(head.sizes.reduce((sum, next) => sum + next, 0))
    if (!body) return
    yield { head, body }
  }
}
