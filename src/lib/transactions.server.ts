// A request is one transaction, made by one person.
import { Problem } from '#problems.ts'
import type { Sql, Tx } from './db.server.ts'
import type { Connection } from './connection.server.ts'
import type { ConnectionKind } from './connections.server.ts'
import { already_failed } from './pg-query.server.ts'
import { Recent } from './recent.ts'
import { Turn } from './turn.server.ts'

/** A verified token's bearer, and where the request came from. */
export type Caller = {
  user_id: string
  session_id: string
  address: string
  request_id: string
  /** The hash of a company's key, which asks instead of a person. */
  key?: Buffer
}
type Committed<T> = { answer: T; published: string[] }

type ActOptions<A> = {
  sql: Sql
  /** Reads the actor from the stamp that `become` answers. */
  actorOf: (stamp: string) => A
  /** The actor of requests without a session. */
  visitor: A
  /** How often a transaction is tried before its failure is reported. */
  tries?: number
  /** The longest estimated wait for a connection before new requests are refused, and the most waiting ones. */
  busy_after_ms?: number
  waiting_max?: number
  /** Tells of each, where somebody wants to be told. */
  traced?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
}

/** A last statement that is not awaited before the commit is sent; if it fails, so does the act. */
export type Later = (statement: PromiseLike<unknown>) => void
type Work<A, T> = (tx: Tx, actor: A, later: Later) => Promise<T>
type Mode = { reads: boolean }

const stale = 'HF409'

/**
 * Opens transactions as people. `begin`, `become` and the act's first statement travel together. The server remembers each
 * session's actor, and `become` refuses a stale memory, so nothing is ever done in a role that a person no longer has.
 */
export class Transactions<A> {
  readonly #options: ActOptions<A>
  readonly #known = new Recent<string, string>(20_000)

  constructor(options: ActOptions<A>) {
    this.#options = options
  }

  /** Errors of connections that broke before a commit was sent: nothing was done. */
  readonly #undone = new WeakSet<Error>()

  async run<T>(caller: Caller | undefined, work: Work<A, T>, mode: Mode = { reads: false }) {
    const { tries = 4 } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      try {
        const once = () => this.#once(caller, work, mode)
        const { traced } = this.#options
        return await (traced ? traced(once) : once())
      } catch (error) {
        const undone = this.#undone.has(error as Error)
        if (attempt >= tries || !(undone || worthAnotherTry(error))) throw error
      }
    }
  }

  async #once<T>(caller: Caller | undefined, work: Work<A, T>, mode: Mode): Promise<Committed<T>> {
    const connection = await this.#take(mode)
    const { tx } = connection
    const turn = new Turn(connection)
    connection.failed = undefined
    const outcome = { commit: false }
    try {
      const begun = start(mode.reads ? tx`begin read only` : tx`begin`)
      const memory = caller && this.#known.get(caller.session_id)
      const became = caller && start(this.#become(tx, caller, memory))
      const last: PromiseLike<unknown>[] = []
      const perform = this.#perform(turn.tx, memory, became, (own_tx, actor) =>
        work(own_tx, actor, (statement) => last.push(start(statement))),
      )
      const answer = await afterwards(perform, begun, became)
      turn.end()
      outcome.commit = true
      return await this.#finish(connection, answer, mode, last)
    } catch (error) {
      turn.end()
      if (caller && (error as PgError).code?.startsWith('HF4'))
        this.#known.delete(caller.session_id)
      const { lost, failed, open } = connection
      this.#rollback(connection)
      // Another connection may be good, so the act is tried again; without one the caller is told.
      if (lost && open && !outcome.commit) this.#undone.add(lost)
      throw lost ?? ((error as PgError).code === already_failed ? failed : undefined) ?? error
    }
  }

  async #perform<T>(
    tx: Connection['tx'],
    memory: string | undefined,
    became: Promise<string> | undefined,
    work: (tx: Tx, actor: A) => Promise<T>,
  ) {
    const stamp = memory ?? (await became)
    const { visitor, actorOf } = this.#options
    return work(tx, stamp === undefined ? visitor : actorOf(stamp))
  }

  async #become(tx: Connection['tx'], caller: Caller, memory: string | undefined) {
    const { user_id, session_id, address, request_id, key } = caller
    const known = memory ?? null
    // Sent at once: whatever the act sends first must come behind it.
    const became = start(
      key
        ? tx<[{ stamp: string }]>`
            select become_key(${key}, ${known}, ${address}, ${request_id}) as stamp`
        : tx<[{ stamp: string }]>`
            select become(${user_id}, ${session_id}, ${known}, ${address}, ${request_id}) as stamp`,
    )
    const [row] = await became
    if (memory === undefined) this.#known.set(session_id, row.stamp)
    return row.stamp
  }

  async #finish<T>(
    connection: Connection,
    answer: T,
    mode: Mode,
    last: PromiseLike<unknown>[],
  ): Promise<Committed<T>> {
    if (mode.reads) {
      // A read commits without anybody waiting for it.
      void start(connection.tx`commit`)
      this.#options.sql.pool.give(connection)
      return { answer, published: [] }
    }
    const topics = start(connection.tx<{ published: string }[]>`
      select coalesce(current_setting('app.published', true), '') as published`)
    const committed = start(connection.tx`commit`)
    // A failed statement turned the commit into a rollback, whose own error says nothing; the last statements' does.
    await Promise.all(last)
    const [[row]] = await Promise.all([topics, committed])
    this.#options.sql.pool.give(connection)
    return { answer, published: row?.published.split(' ').filter(Boolean) ?? [] }
  }

  #rollback(connection: Connection) {
    const give = () => this.#options.sql.pool.give(connection)
    if (connection.lost) give()
    else connection.tx`rollback`.then(give, give)
  }

  async #take({ reads }: Mode) {
    const kind = reads ? 'reads' : 'writes'
    const { sql, busy_after_ms = Infinity } = this.#options
    const patience_ms = sql.pool.patience_ms(busy_after_ms)
    const connection = this.isBusy(kind) ? undefined : await sql.pool.take(kind, patience_ms)
    if (!connection) throw new Problem('busy')
    return connection
  }

  /** Refuses a request at once that could not be served in time, so that those inside are. Slow reads keep no writers out. */
  isBusy(kind: ConnectionKind) {
    const { sql, waiting_max = 1000, busy_after_ms = Infinity } = this.#options
    const { pool } = sql
    return pool.waiting(kind) >= waiting_max || pool.late_ms(kind) > pool.patience_ms(busy_after_ms)
  }
}

/** Starts a statement without waiting for it; whoever awaits it later still sees its error. */
export function start<Q extends PromiseLike<unknown>>(query: Q): Q {
  query.then(undefined, () => {})
  return query
}

/** The act's answer; but if the transaction failed to begin or become, that error. */
async function afterwards<T>(
  work: Promise<T>,
  begun: PromiseLike<unknown>,
  became: PromiseLike<unknown> | undefined,
): Promise<T> {
  const [done] = await Promise.allSettled([work])
  await begun
  await became
  if (done.status === 'rejected') throw done.reason
  return done.value
}

type PgError = { code?: string; constraint?: string }

/** Stale memory, a lost race between two transactions, or a duplicate of the same request that won. */
function worthAnotherTry(error: unknown): boolean {
  const { code, constraint } = error as PgError
  return (
    code === stale ||
    code === '40001' ||
    code === '40P01' ||
    constraint === 'answered_requests_pkey'
  )
}
