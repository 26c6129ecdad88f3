// The database as the rest of the server knows it: plain SQL, and one way to be somebody in it.
import postgres from 'postgres'
import type { z } from 'zod'
import { Problem } from '#problems.ts'

type Types = { bigint: number }
export type Sql = postgres.Sql<Types>
/** One transaction. Nothing else can ask the database on a person's behalf. */
export type Tx = postgres.TransactionSql<Types>

const iso = (value: string) => new Date(value).toISOString()
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
  return postgres(url, {
    max: options.max ?? 10,
    onnotice() {},
    connect_timeout: 10,
    idle_timeout: 300,
    connection: { application_name: options.name ?? 'healthfund', ...timeouts },
    types: types as unknown as { bigint: postgres.PostgresType<number> },
  })
}

export async function rows<S extends z.ZodType>(
  shape: S,
  query: PromiseLike<readonly unknown[]>,
): Promise<z.output<S>[]> {
  return shape.array().parse(await query)
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
