// A request is one transaction, made by one person.
import type postgres from 'postgres'
import { Problem } from '#problems.ts'
import type { Sql, Tx } from './db.server.ts'

/** A verified token's bearer, and where the request came from. */
export type Asking = { user_id: string; session_id: string; address: string; request_id: string }
export type Done<T> = { answer: T; told: string[] }

export type ActOptions<A> = {
  sql: Sql
  /** Reads the actor out of what `become` answers. */
  actorOf: (stamp: string) => A
  /** Who asks when nobody is signed in. */
  visitor: A
  /** How many requests may wait for a connection before new ones are turned away. */
  waiting_max?: number
}

type Work<A, T> = (tx: Tx, actor: A) => Promise<T>
type Mode = { reads: boolean }

const stale = 'HF409'
const tries = 4

/**
 * Opens transactions as people. `begin`, `become` and the act's first statement travel together: the
 * server remembers the actor of each session, and `become` refuses when that memory is stale, so
 * nothing is ever done as somebody one no longer is.
 */
export class Acting<A> {
  readonly #options: ActOptions<A>
  readonly #known = new Recent<string, string>(20_000)
  readonly #leaving = new Set<Promise<void>>()
  #waiting = 0

  constructor(options: ActOptions<A>) {
    this.#options = options
  }

  async act<T>(asking: Asking | undefined, work: Work<A, T>, mode: Mode = { reads: false }) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(asking, work, mode)
      } catch (error) {
        if (attempt >= tries || !worthAnotherTry(error)) throw error
      }
    }
  }

  async #once<T>(asking: Asking | undefined, work: Work<A, T>, mode: Mode): Promise<Done<T>> {
    const tx = await this.#reserve()
    try {
      const begun = sent(mode.reads ? tx`begin read only` : tx`begin`)
      const memory = asking && this.#known.get(asking.session_id)
      const became = asking && sent(this.#become(tx, asking, memory))
      const answer = await afterwards(this.#perform(tx, memory, became, work), begun, became)
      return await this.#finish(tx, answer, mode)
    } catch (error) {
      if (asking && (error as Coded).code?.startsWith('HF4')) this.#known.delete(asking.session_id)
      this.#release(tx, tx`rollback`)
      throw error
    }
  }

  async #perform<T>(
    tx: postgres.ReservedSql,
    memory: string | undefined,
    became: Promise<string> | undefined,
    work: Work<A, T>,
  ) {
    const stamp = memory ?? (await became)
    const { visitor, actorOf } = this.#options
    return work(tx as unknown as Tx, stamp === undefined ? visitor : actorOf(stamp))
  }

  async #become(tx: postgres.ReservedSql, asking: Asking, memory: string | undefined) {
    const { user_id, session_id, address, request_id } = asking
    const [row] = await tx<[{ stamp: string }]>`
      select become(${user_id}, ${session_id}, ${memory ?? null}, ${address}, ${request_id}) as stamp`
    if (memory === undefined) this.#known.set(session_id, row.stamp)
    return row.stamp
  }

  async #finish<T>(tx: postgres.ReservedSql, answer: T, mode: Mode): Promise<Done<T>> {
    if (mode.reads) {
      this.#release(tx, tx`commit`) // nothing was written: the answer need not wait
      return { answer, told: [] }
    }
    const topics = sent(tx<{ told: string }[]>`
      select coalesce(current_setting('app.told', true), '') as told`)
    await tx`commit`
    tx.release()
    const [row] = await topics
    return { answer, told: row?.told.split(' ').filter(Boolean) ?? [] }
  }

  #release(tx: postgres.ReservedSql, last: PromiseLike<unknown>) {
    const free = () => {
      tx.release()
      this.#leaving.delete(leaving)
    }
    const leaving: Promise<void> = Promise.resolve(last).then(free, free)
    this.#leaving.add(leaving)
  }

  /** Until every connection is back: a pool that ends earlier waits for them in vain. */
  async settled() {
    await Promise.all(this.#leaving)
  }

  async #reserve() {
    const { sql, waiting_max = 1000 } = this.#options
    if (this.#waiting >= waiting_max) throw new Problem('busy')
    this.#waiting += 1
    try {
      return await sql.reserve()
    } finally {
      this.#waiting -= 1
    }
  }
}

/** Starts a statement without waiting for it; whoever awaits it later still sees its error. */
function sent<Q extends PromiseLike<unknown>>(query: Q): Q {
  query.then(undefined, () => {})
  return query
}

/** The act's answer; but if the transaction could not even begin or become, that is the error to tell. */
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

type Coded = { code?: string; constraint_name?: string }

/** Stale memory, a lost race between two transactions, or a twin of the same request that won. */
function worthAnotherTry(error: unknown): boolean {
  const { code, constraint_name } = error as Coded
  return (
    code === stale ||
    code === '40001' ||
    code === '40P01' ||
    constraint_name === 'answered_requests_pkey'
  )
}

/** Remembers the last few; the oldest is forgotten first. */
export class Recent<K, V> extends Map<K, V> {
  readonly size_max: number

  constructor(size_max: number) {
    super()
    this.size_max = size_max
  }

  override set(key: K, value: V) {
    if (!this.has(key) && this.size >= this.size_max) this.delete(this.keys().next().value as K)
    return super.set(key, value)
  }
}
