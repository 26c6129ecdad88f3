// Shared connections: a caller takes one, and waits if all are taken.
import { Connection, lossOf, type Options } from './connection.server.ts'

export type ConnectionKind = 'reads' | 'writes'
type WaitingCaller = {
  since: number
  until: number
  go: (connection: Connection | undefined) => void
}

const idle_ms = 300_000
/** With fewer turns, one slow statement would decide the estimate. */
const turns_to_know = 10
/** A new connection plans its first statements, so this many turns tell nothing about its later speed. */
const turns_to_learn = 50
/** How many times longer callers may wait while connections are new. */
const first_patience = 40

/** The callers waiting for a connection, in the order they came. */
class Queue {
  readonly #waiting: WaitingCaller[] = []
  /** Turns since somebody began to wait, and the average time between them; the last twenty count most. */
  #turns = 0
  #turn_ms = 0
  #turned_at: number | undefined

  get length() {
    return this.#waiting.length
  }

  get first() {
    return this.#waiting[0]
  }

  push(patience_ms: number, go: WaitingCaller['go']) {
    const since = performance.now()
    if (this.length === 0) this.#forget()
    this.#waiting.push({ since, until: since + patience_ms, go })
  }

  /** Refuses callers past their deadline: they would delay those behind them who can still be served in time. */
  sendAway() {
    const now = performance.now()
    while (this.first && this.first.until <= now) this.#waiting.shift()?.go(undefined)
  }

  /** `counts`: the previous turn was on a connection that is not new. */
  shift(counts: boolean) {
    const now = performance.now()
    if (counts && this.#turned_at !== undefined) {
      this.#turns += 1
      this.#turn_ms += (now - this.#turned_at - this.#turn_ms) / Math.min(this.#turns, 20)
    }
    this.#turned_at = now
    return this.#waiting.shift()
  }

  /** An earlier queue's speed tells nothing about a new one's. */
  #forget() {
    this.#turned_at = undefined
    this.#turns = this.#turn_ms = 0
  }

  /**
   * How long a caller who comes now would wait, by the length of the queue and its speed. The age of its first caller shows
   * overload too late: while it grows to a quarter of a second, four times too many callers make a queue of a whole one. And in a
   * queue that moves, the first may be old from waiting for new connections, and served in no time.
   */
  get late_ms() {
    if (!this.first) return 0
    const still = performance.now() - Math.max(this.first.since, this.#turned_at ?? 0)
    const known = this.#turns >= turns_to_know
    return known ? Math.max(still, this.length * this.#turn_ms) : still
  }
}

export class ConnectionPool {
  readonly #all = new Set<Connection>()
  readonly #free: Connection[] = []
  readonly #lent = new Set<Connection>()
  readonly #waiting: Record<ConnectionKind, Queue> = { reads: new Queue(), writes: new Queue() }
  readonly #make: (onLost: (connection: Connection) => void) => Connection
  readonly #max: number
  #reading = 0
  /** How many of those in use are new. */
  #learning = 0
  #closed: (() => void) | undefined
  #over = false

  constructor(url: string, options: Options, max: number) {
    this.#make = (onLost) => new Connection(url, options, onLost)
    this.#max = max
  }

  /** How many are open, in use or not. */
  get open() {
    return this.#all.size
  }

  waiting(kind: ConnectionKind) {
    return this.#waiting[kind].length
  }

  late_ms(kind: ConnectionKind) {
    return this.#waiting[kind].late_ms
  }

  /** How long a caller who comes now may wait: longer while connections are new. */
  patience_ms(busy_after_ms: number) {
    return this.#learning > 0 ? busy_after_ms * first_patience : busy_after_ms
  }

  /** Undefined if none became free in time. */
  async take(kind: ConnectionKind, patience_ms: number): Promise<Connection | undefined>
  async take(kind?: ConnectionKind): Promise<Connection>
  async take(
    kind: ConnectionKind = 'writes',
    patience_ms = Infinity,
  ): Promise<Connection | undefined> {
    if (this.#over) throw lossOf()
    if (kind === 'writes' || this.#another_may_read) {
      const connection =
        this.#free.pop() ?? (this.#all.size < this.#max ? this.#another() : undefined)
      if (connection) return this.#lend(connection, kind)
    }
    return new Promise((go) => this.#waiting[kind].push(patience_ms, go))
  }

  give(connection: Connection) {
    // Given back twice, it would have two holders.
    if (!this.#lent.delete(connection)) throw new Error('The connection is not lent')
    if (connection.reads) this.#reading -= 1
    connection.reads = false
    const learned = connection.turns > turns_to_learn
    if (!learned) this.#learning -= 1
    const { reads, writes } = this.#waiting
    reads.sendAway()
    writes.sendAway()
    const next = this.#first(this.#another_may_read ? reads.first : undefined, writes.first)
    if (next) {
      const kind = next === reads.first ? 'reads' : 'writes'
      this.#waiting[kind].shift(learned)
      // After the end there are no new connections: the caller gets the lost one, which says so.
      next.go(this.#lend(connection.lost && !this.#over ? this.#another() : connection, kind))
    } else if (!connection.lost) {
      this.#shed()
      connection.idle_since = performance.now()
      this.#free.push(connection)
    }
    if (this.#free.length === this.#all.size) this.#closed?.()
  }

  /** Closes the connection that has been free for longest, if none has been needed for long. */
  #shed() {
    const [first] = this.#free
    if (!first || performance.now() - first.idle_since < idle_ms) return
    this.#free.shift()
    this.#all.delete(first)
    void first.close()
  }

  /**
   * Readers get half of the connections: they wait only for the processor, which more of them would share (six did a fifth more
   * than twelve). Writers wait for the disk, where many go together.
   */
  get #another_may_read() {
    return this.#reading < Math.ceil(this.#max / 2)
  }

  #lend(connection: Connection, kind: ConnectionKind) {
    this.#lent.add(connection)
    connection.reads = kind === 'reads'
    connection.turns += 1
    if (connection.turns <= turns_to_learn) this.#learning += 1
    if (connection.reads) this.#reading += 1
    return connection
  }

  #first(read: WaitingCaller | undefined, write: WaitingCaller | undefined) {
    if (!read || !write) return read ?? write
    return read.since < write.since ? read : write
  }

  #another(): Connection {
    const connection = this.#make((lost) => {
      this.#all.delete(lost)
      const at = this.#free.indexOf(lost)
      if (at >= 0) this.#free.splice(at, 1)
    })
    this.#all.add(connection)
    return connection
  }

  /** Closes after everybody has given theirs back. */
  async close(within_ms?: number) {
    if (within_ms === undefined && this.#free.length < this.#all.size) {
      await new Promise<void>((resolve) => (this.#closed = resolve))
    }
    this.#over = true
    await Promise.all([...this.#all].map((connection) => connection.close(within_ms)))
  }
}
