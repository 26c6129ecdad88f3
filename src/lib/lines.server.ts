// Connections held for one transaction each. A line that breaks is never used again: what was sent on it
// fails, what comes later fails, and it is thrown away with its driver. (The driver's own `begin` and
// `reserve` leave such a connection half in its pool: docs/decisions/005.)
import postgres from 'postgres'

type Types = { bigint: number }
type Driver = postgres.Sql<Types>
type Options = postgres.Options<{ bigint: postgres.PostgresType<number> }>

export class Line {
  lost: Error | undefined
  readonly tx: Driver
  readonly #driver: Driver

  constructor(url: string, options: Options, onLost: (line: Line) => void) {
    this.#driver = postgres(url, {
      ...options,
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      onclose: () => {
        this.lost ??= Object.assign(new Error('The connection is lost'), {
          code: 'CONNECTION_LOST',
        })
        void this.#driver.end({ timeout: 0 })
        onLost(this)
      },
    }) as Driver
    this.tx = new Proxy(this.#driver, {
      apply: (driver, self, given) => {
        if (this.lost) throw this.lost
        return Reflect.apply(driver, self, given) as unknown
      },
    })
  }

  /** After a loss the driver would say yes on a new connection, where nothing was begun. */
  async commit() {
    await this.tx`commit`
    if (this.lost) throw this.lost
  }

  async close() {
    await this.#driver.end({ timeout: 5 })
  }
}

export class Lines {
  readonly #all = new Set<Line>()
  readonly #free: Line[] = []
  readonly #waiting: { since: number; go: (line: Line) => void }[] = []
  readonly #make: (onLost: (line: Line) => void) => Line
  readonly #max: number
  #closed: (() => void) | undefined

  constructor(url: string, options: Options, max: number) {
    this.#make = (onLost) => new Line(url, options, onLost)
    this.#max = max
  }

  /** How many are open, in use or not. */
  get open() {
    return this.#all.size
  }

  get waiting() {
    return this.#waiting.length
  }

  /** How long the first in the queue has been waiting: how late everybody behind will be. */
  get waited_ms() {
    const [first] = this.#waiting
    return first ? performance.now() - first.since : 0
  }

  async take(): Promise<Line> {
    const free = this.#free.pop()
    if (free) return free
    if (this.#all.size < this.#max) return this.#another()
    return new Promise((go) => this.#waiting.push({ since: performance.now(), go }))
  }

  give(line: Line) {
    const next = this.#waiting.shift()
    if (next) next.go(line.lost ? this.#another() : line)
    else if (!line.lost) this.#free.push(line)
    if (this.#free.length === this.#all.size) this.#closed?.()
  }

  #another(): Line {
    const line = this.#make((lost) => {
      this.#all.delete(lost)
      const at = this.#free.indexOf(lost)
      if (at >= 0) this.#free.splice(at, 1)
    })
    this.#all.add(line)
    return line
  }

  /** Once everybody has given theirs back. */
  async close() {
    if (this.#free.length < this.#all.size) {
      await new Promise<void>((resolve) => (this.#closed = resolve))
    }
    await Promise.all([...this.#all].map((line) => line.close()))
  }
}
