// One process of a cluster: started, ended, and begun again where somebody else ended it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { mark } from './places.server.ts'

type ProcessOptions = {
  name: string
  /** Arguments of env(1): settings, how to run it, the program and its arguments. */
  command: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  log: string
  /** The signal that ends it in order. */
  signal?: NodeJS.Signals
}

const patience_ms = 30_000

export class ClusterProcess {
  readonly name: string
  readonly #options: ProcessOptions
  #child: ChildProcess | undefined
  #stopping = false
  /** Called when it ended though nobody here stopped it. */
  onEnd: ((message: string) => void) | undefined

  constructor(options: ProcessOptions) {
    this.name = options.name
    this.#options = options
  }

  get pid(): number | undefined {
    return this.lives ? this.#child?.pid : undefined
  }

  get ended_with(): string | number | undefined {
    return this.#child?.signalCode ?? this.#child?.exitCode ?? undefined
  }

  get lives(): boolean {
    return this.#child !== undefined && this.ended_with === undefined
  }

  async start(): Promise<this> {
    const { command, env, cwd = '/', log } = this.#options
    const file = await open(log, 'a', 0o600)
    this.#stopping = false
    const child = spawn('env', command, {
      cwd,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', [mark]: path.dirname(log), ...env },
      stdio: ['ignore', file.fd, file.fd],
      // Ctrl-C in the terminal must reach the program that keeps the cluster, which ends it part by part.
      detached: true,
    })
    this.#child = child
    child.once('exit', (code, signal) => {
      if (!this.#stopping) this.onEnd?.(`${this.name} ended (${signal ?? code})`)
    })
    await Promise.race([once(child, 'spawn'), once(child, 'error')])
    await file.close()
    return this
  }

  /** Stops it in order; after half a minute at once. */
  async stop(): Promise<void> {
    this.#stopping = true
    const child = this.#child
    if (!child || !this.lives) return
    const ended = once(child, 'exit')
    child.kill(this.#options.signal ?? 'SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), patience_ms)
    await ended
    clearTimeout(timer)
  }

  /** A sudden end, as when a machine loses its power. */
  async kill(): Promise<void> {
    this.#stopping = true
    const child = this.#child
    if (!child || !this.lives) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}
