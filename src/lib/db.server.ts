// The database as the rest of the server knows it: plain SQL, and one way to be somebody in it.
import postgres from 'postgres'
import type { z } from 'zod'
import { ConnectionPool } from './connections.server.ts'
import { Problem } from '#problems.ts'

type Types = { bigint: number }
/** Many connections. `begin` takes one of the pool’s, so that a broken one can do no harm. */
export type Sql = postgres.Sql<Types> & { pool: ConnectionPool }
/** One transaction. Nothing else can ask the database on a person's behalf. */
export type Tx = postgres.TransactionSql<Types>

/** '2026-03-01 09:30:00.123456+00' → '2026-03-01T09:30:00.123Z'; a list has hundreds of them. */
const iso = (value: string) =>
  value[10] === ' ' && value.endsWith('+00')
    ? `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
    : new Date(value).toISOString()
const plain = (value: string) => value

/** Amounts are numbers (checked to be exact), instants ISO strings, calendar dates never instants. */
const types = {
  bigint: { to: 20, from: [20], serialize: String, parse: exact },
  instant: { to: 1184, from: [1184], serialize: plain, parse: iso },
  day: { to: 1082, from: [1082], serialize: plain, parse: plain },
}

function exact(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new Error(`${value} is too large to be exact`)
  return number
}

export type ConnectOptions = { max?: number; name?: string; timeout_ms?: number }

export function connect(url: string, options: ConnectOptions = {}): Sql {
  const timeouts = options.timeout_ms ? { statement_timeout: options.timeout_ms } : {}
  const max = options.max ?? 10
  const settings = {
    onnotice() {},
    connect_timeout: 10,
    idle_timeout: 300,
    connection: { application_name: options.name ?? 'healthfund', ...timeouts },
    types: types as unknown as { bigint: postgres.PostgresType<number> },
  }
  const sql = postgres(url, { ...settings, max })
  const pool = new ConnectionPool(url, settings, max)
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    pool,
    begin: <T>(work: (tx: Tx) => Promise<T>) => within(pool, work),
    async end(how?: { timeout?: number }) {
      await Promise.all([pool.close(), end(how)])
    },
  })
}

async function within<T>(pool: ConnectionPool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const connection = await pool.take()
  try {
    await connection.tx`begin`
    const answer = await work(connection.tx as unknown as Tx)
    await connection.commit()
    return answer
  } catch (error) {
    if (!connection.lost) await connection.tx`rollback`.catch(() => {}) // the first error is the one to tell
    throw error
  } finally {
    pool.give(connection)
  }
}

export async function rows<S extends z.ZodType>(
  shape: S,
  query: PromiseLike<readonly unknown[]>,
): Promise<z.output<S>[]> {
  // Each by itself: a shape of a list that is made for one answer takes longer than the answer.
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
