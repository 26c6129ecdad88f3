// A connection, held for one statement or one transaction. Statements sent before an answer has come travel together. A broken
// connection is never used again: statements sent on it fail, so do later ones, and it is thrown away.
import { Client, DatabaseError } from 'pg'
import { CopyIn, CopyOut } from './pg-copy.server.ts'
import { PgQuery, PgStatement, type Prepared } from './pg-query.server.ts'
import { streamTo } from './several-hosts.server.ts'
import {
  compose,
  tagOf,
  type Column,
  type StatementLine,
  type Statement,
  type Tag,
} from './statements.server.ts'
import { typeOf, wireValue, type Value } from './pg-values.server.ts'

export type Options = {
  application_name: string
  connect_timeout_ms: number
  statement_timeout_ms?: number | undefined
  plans_once?: boolean | undefined
  /** Called when it breaks unexpectedly. */
  lost?: (() => void) | undefined
}

/** A plan made for an empty table would go on reading all of it when it has grown (docs/decisions/024). */
const planned_once = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

type AnyStatement = Statement<readonly unknown[]>

/** A peer silent for this long is asked whether it lives; after ten seconds without an answer it counts as dead. */
export const keep_alive_ms = 5_000
/** Statements of one connection. Some differ each time (cursors, filters of SCIM); PostgreSQL keeps what is not closed. */
const prepared_max = 1000
/** The code with which a primary that has become a standby refuses to write. */
const writes_nothing = '25006'

export class Connection {
  lost: Error | undefined
  /** The error that failed the transaction: all later ones only say that it has failed. */
  failed: unknown
  /** Whether its holder only reads. */
  reads = false
  /** Whether it was ever connected. */
  open = false
  /** The moment since when nobody has it. */
  idle_since = 0
  /** How often somebody has had it. */
  turns = 0
  /**
   * The tag of whoever has the connection now. A transaction is written with a tag that ends with its turn (`turn.server.ts`).
   */
  readonly tx: Tag
  readonly line: StatementLine
  readonly #client: Client
  readonly #prepared = new Map<string, Prepared>()
  readonly #onLost: () => void
  #copying = false
  #in_transaction = false
  /** The last query; statements join it while it is open. */
  #query: PgQuery | undefined
  #closing: Promise<void> | undefined

  constructor(url: string, options: Options, onLost: (connection: Connection) => void) {
    const { application_name, connect_timeout_ms, statement_timeout_ms, plans_once, lost } = options
    this.#client = new Client({
      connectionString: url,
      ...streamTo(url),
      pipeline: true,
      application_name,
      connectionTimeoutMillis: connect_timeout_ms,
      statement_timeout: statement_timeout_ms,
      ...(plans_once && { options: planned_once }),
      keepAlive: true,
      keepAliveInitialDelayMillis: keep_alive_ms,
    })
    this.#onLost = () => {
      onLost(this)
      if (!this.#closing) lost?.()
    }
    this.line = {
      ask: this.ask,
      copyOut: (text) => this.#copy(CopyOut, text),
      copyIn: (text) => this.#copy(CopyIn, text),
    }
    this.tx = tagOf(this.line)
    this.#client.on('error', (error) => this.#lose(error))
    this.#client.on('end', () => this.#lose())
    this.#client.connect((error?: Error | null) => {
      if (error) this.#lose(notLetIn(error))
      else this.open = true
    })
  }

  /** Calls `onPayload` with each notification that PostgreSQL sends. */
  onNotification(onPayload: (payload: string) => void) {
    this.#client.on('notification', ({ payload = '' }) => onPayload(payload))
  }

  #lose(error?: Error & { code?: string }) {
    if (this.lost) return
    this.lost = error?.code ? error : lossOf(error)
    this.#client.connection.stream.destroy()
    this.#onLost()
  }

  readonly ask = (statement: AnyStatement): Promise<unknown[]> =>
    new Promise((answered, refused) => {
      const { text, values } = compose(statement)
      const query = {
        text,
        values: values.map(wireValue),
        prepared: statement.simple ? undefined : this.#known(text, values),
      }
      const failed = (error: Error) => refused(this.#reason(error, statement))
      const ends = {
        answered: (rows: unknown[], columns: Column[], done: string) => {
          statement.columns = columns
          statement.done = done
          answered(rows)
        },
        failed,
      }
      if (this.#isReady(failed)) this.#join(new PgStatement(query, ends), text)
    })

  /**
   * Statements of a transaction share one Sync if they begin in the same turn of the loop. Its end has its own, so that
   * PostgreSQL reads it even after a failure; and so has each statement that is a transaction of its own.
   */
  #join(statement: PgStatement, text: string) {
    // A failure that a savepoint took back is none of the transaction’s.
    if (text.startsWith('rollback to')) this.failed = undefined
    if (statement.isText || /^(commit|rollback)/.test(text)) this.#query?.end()
    if (this.#query?.isOpen) this.#query.add(statement)
    else {
      this.#query = new PgQuery(statement)
      this.#client.query(this.#query as never)
    }
    if (text.startsWith('begin')) this.#in_transaction = true
    else if (text === 'commit' || text === 'rollback') this.#in_transaction = false
    if (!this.#in_transaction) this.#query.end()
  }

  #copy<S>(Kind: typeof CopyOut | typeof CopyIn, text: string): Promise<S> {
    return new Promise((begun, refused) => {
      const over = () => (this.#copying = false)
      const failed = (error: Error) => {
        const reason = this.#reason(error)
        refused(reason)
        return reason
      }
      if (!this.#isReady(failed)) return
      this.#query?.end()
      this.#client.query(new Kind(text, { begun: begun as () => void, over, failed }) as never)
      this.#copying = true
    })
  }

  #isReady(failed: (error: Error) => void) {
    const gone = this.lost ?? (this.#closing && lossOf())
    if (gone) failed(gone)
    else if (this.#copying) failed(new Error('Rows are being copied: nothing else can be asked'))
    return !gone && !this.#copying
  }

  /** A statement is known by its text and the types of its values. */
  #known(text: string, values: readonly Value[]): Prepared {
    const types = values.map(typeOf)
    const key = types.some(Boolean) ? `${types.join()} ${text}` : text
    const found = this.#prepared.get(key)
    if (found) return found
    const made = this.#unused(types)
    this.#prepared.set(key, made)
    return made
  }

  /** A name that is free; of many the oldest is taken over, which closes its statement. */
  #unused(types: readonly number[]): Prepared {
    const { size } = this.#prepared
    const [oldest] = this.#prepared
    if (!oldest || size < prepared_max) return { name: `s${size}`, types, state: 'new' }
    const [key, { name }] = oldest
    this.#prepared.delete(key)
    return { name, types, state: 'in doubt' }
  }

  /** An error of PostgreSQL's, or the loss of the connection. */
  #reason(error: Error, statement?: AnyStatement): Error {
    const reason = error instanceof DatabaseError ? error : (this.lost ?? error)
    if (reason !== this.lost) statement?.placeOf(reason)
    this.failed ??= reason
    // A connection that can't write any more is dropped, unless this transaction only reads: the next holder would meet the same.
    const { code } = reason as { code?: string }
    if (code === writes_nothing && !this.reads) this.#lose(Object.assign(reason, { code }))
    return reason
  }

  /** Statements under way are still answered, for so long. */
  close(within_ms = 5_000): Promise<void> {
    this.#closing ??= this.#end(within_ms)
    return this.#closing
  }

  async #end(within_ms: number) {
    const timer = setTimeout(() => this.#lose(), within_ms)
    await this.#client.end()
    clearTimeout(timer)
  }
}

/** The code of a database that lets nobody in is also that of a statement that came too early. */
function notLetIn(error: Error & { code?: string }): Error {
  if (error.code !== '55000') return error
  return Object.assign(new Error(error.message, { cause: error }), { code: 'CONNECTION_REFUSED' })
}

export function lossOf(cause?: Error): Error {
  const late = cause?.message === 'timeout expired'
  return late
    ? Object.assign(new Error('The database does not answer'), { code: 'CONNECT_TIMEOUT' })
    : Object.assign(new Error('The connection is lost', { cause }), { code: 'CONNECTION_LOST' })
}
