// The database as the rest of the server knows it: plain SQL, and one way to be somebody in it.
import type { z } from 'zod'
import type { Connection } from './connection.server.ts'
import { ConnectionPool } from './connections.server.ts'
import { listen, type Subscription } from './pg-listen.server.ts'
import { tagOf, type Tag } from './statements.server.ts'
import { Turn } from './turn.server.ts'
import { Problem } from '#problems.ts'

export { parts, type SqlPart, type Row, type Tag } from './statements.server.ts'

/** Many connections: a statement takes one for itself, `begin` one for a whole transaction. */
export type Sql = Tag & {
  /** Connections for transactions. */
  pool: ConnectionPool
  /**
   * Connections for single statements: a transaction may need one beside itself, and with a shared pool would wait for itself.
   */
  single: ConnectionPool
  begin: <T>(work: (tx: Tx) => Promise<T> | PromiseLike<T>) => Promise<T>
  /** Listens to a channel, also over broken connections: `missed` is called when a new one listens. */
  listen: (
    channel: string,
    onPayload: (payload: string) => void,
    missed: () => void,
  ) => Promise<Subscription>
  /** Closes after all connections were given back, or at the latest after this many seconds. */
  end: (how?: { timeout: number }) => Promise<void>
}
/** One transaction. Nothing else can ask the database on a person's behalf. */
export type Tx = Tag

export type ConnectOptions = {
  max?: number
  name?: string
  timeout_ms?: number
  connect_timeout_ms?: number
  /** Each statement is planned once on a connection, whatever its values (docs/decisions/024); see `planForValues`. */
  plans_once?: boolean
  /** Called when a connection breaks. */
  lost?: () => void
}

export function connect(url: string, options: ConnectOptions = {}): Sql {
  const { max = 10, name = 'healthfund', timeout_ms, connect_timeout_ms = 10_000 } = options
  const { plans_once, lost } = options
  const settings = {
    application_name: name,
    connect_timeout_ms,
    statement_timeout_ms: timeout_ms,
    plans_once,
    lost,
  }
  const pool = new ConnectionPool(url, settings, max)
  const single = new ConnectionPool(url, settings, max)
  const nowhere = () => Promise.reject(new Error('Rows are copied within a transaction'))
  const tag = tagOf({
    ask: (statement) => withConnection(single, ({ ask }) => ask(statement)),
    copyOut: nowhere,
    copyIn: nowhere,
  })
  return Object.assign(tag, {
    pool,
    single,
    begin: <T>(work: (tx: Tx) => Promise<T> | PromiseLike<T>) =>
      withConnection(pool, (connection) => inTransaction(connection, work)),
    listen: (channel: string, onPayload: (payload: string) => void, missed: () => void) =>
      listen(url, settings, channel, onPayload, missed),
    async end(how?: { timeout: number }) {
      const within_ms = how && how.timeout * 1000
      await Promise.all([pool.close(within_ms), single.close(within_ms)])
    },
  })
}

async function withConnection<T>(
  pool: ConnectionPool,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await pool.take()
  try {
    return await work(connection)
  } finally {
    pool.give(connection)
  }
}

async function inTransaction<T>(
  connection: Connection,
  work: (tx: Tx) => Promise<T> | PromiseLike<T>,
): Promise<T> {
  const { tx } = connection
  const turn = new Turn(connection)
  connection.failed = undefined
  try {
    await tx`begin`
    const answer = await work(turn.tx)
    turn.end()
    const commit = tx`commit`
    await commit
    // A failed statement whose error nobody awaited makes PostgreSQL roll back at the commit.
    if (commit.done !== 'COMMIT') throw connection.failed
    return answer
  } catch (error) {
    turn.end()
    await tx`rollback`.catch(() => {}) // the first error is the one to tell
    throw error
  }
}

export async function rows<S extends z.ZodType>(
  shape: S,
  query: PromiseLike<readonly unknown[]>,
): Promise<z.output<S>[]> {
  // Rows are parsed one by one: making a list's shape for one answer takes longer than the answer.
  return (await query).map((one) => shape.parse(one))
}

export async function row<S extends z.ZodType>(
  shape: S,
  query: PromiseLike<readonly unknown[]>,
): Promise<z.output<S>> {
  const [first] = await query
  if (first === undefined) throw new Problem('not_found')
  return shape.parse(first)
}

/** The same login and server under another database name. */
export function databaseNamed(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.href
}
