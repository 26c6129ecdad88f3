// Statements on their way: what is written to the connection for them, and what becomes of the answers.
import type { Duplex } from 'node:stream'
import { Query } from 'pg'
import type { Column, Row } from './statements.server.ts'
import { readerOf } from './pg-values.server.ts'

type WireValue = string | Buffer | null

/** The messages that node-postgres writes for us. */
export type Wire = {
  stream: Duplex
  query: (text: string) => void
  parse: (input: { name: string; text: string; types: readonly number[] }) => void
  bind: (input: { statement: string; values: readonly WireValue[] }) => void
  describe: (what: { type: 'P' }) => void
  close: (what: { type: 'S'; name: string }) => void
  execute: () => void
  sync: () => void
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
  sendCopyFail: (reason: string) => void
}

type ColumnReader = Column & { read: ((text: string) => unknown) | undefined }

/** A statement that is sent by its name once PostgreSQL has it. */
export type Prepared = {
  name: string
  types: readonly number[]
  /** `in doubt`: it failed at its first use, and whether PostgreSQL has prepared it is unknown. */
  state: 'new' | 'sent' | 'answered' | 'in doubt'
  readers?: ColumnReader[] | undefined
}

/** A statement without `prepared` is sent as text, which may be several statements. */
type PgInput = {
  text: string
  values: readonly WireValue[]
  prepared?: Prepared | undefined
}

type Ends = {
  answered: (rows: unknown[], columns: Column[], done: string) => void
  failed: (error: Error) => void
}

/** The result's type is another than it was: what is known of the statement is out of date. */
const outdated = '0A000'
/** PostgreSQL's code for statements behind one that failed in its transaction. */
export const already_failed = '25P02'

export class PgStatement {
  readonly #input: PgInput
  readonly #ends: Ends
  readonly #found: unknown[] = []
  #readers: ColumnReader[] | undefined
  #fault: Error | undefined
  #done = ''

  constructor(input: PgInput, ends: Ends) {
    this.#input = input
    this.#ends = ends
    this.#readers = input.prepared?.readers
  }

  get isText() {
    return !this.#input.prepared
  }

  write(wire: Wire) {
    const { text, values, prepared } = this.#input
    if (!prepared) return wire.query(text)
    const { name, types, state } = prepared
    if (state === 'in doubt') wire.close({ type: 'S', name })
    if (state === 'in doubt' || state === 'new') {
      wire.parse({ name, text, types })
      prepared.state = 'sent'
    }
    wire.bind({ statement: name, values })
    if (!this.#readers) wire.describe({ type: 'P' })
    wire.execute()
  }

  describe(fields: { name: string; dataTypeID: number }[]) {
    this.#found.length = 0 // of several statements the last one answers
    this.#readers = fields.map(({ name, dataTypeID: type }) => ({
      name,
      type,
      read: readerOf(type),
    }))
    if (this.#input.prepared) this.#input.prepared.readers = this.#readers
  }

  read(fields: (string | null)[]) {
    const row: Row = {}
    try {
      for (const [at, { name, read }] of (this.#readers ?? []).entries()) {
        const text = fields[at] ?? null
        row[name] = text === null || !read ? text : read(text)
      }
      this.#found.push(row)
    } catch (error) {
      this.#fault = error as Error
    }
  }

  complete(done: string) {
    this.#done = done
  }

  answer() {
    const { prepared } = this.#input
    if (prepared) {
      prepared.state = 'answered'
      prepared.readers ??= [] // it was asked, and has no columns
    }
    if (this.#fault) this.#ends.failed(this.#fault)
    else this.#ends.answered(this.#found, this.#readers ?? [], this.#done)
  }

  fail(error: Error & { code?: string }) {
    const { prepared } = this.#input
    if (prepared && (prepared.state !== 'answered' || error.code === outdated)) {
      prepared.state = 'in doubt'
      prepared.readers = undefined
    }
    this.#ends.failed(error)
  }
}

/** While several queries are under way, node-postgres accepts only its own kind, so ours extends it. */
const Ours = Query as unknown as new (input: { text: string }) => object

/**
 * Statements with one Sync behind them: PostgreSQL answers them in one piece, and reads none behind one that failed. What
 * is begun in the same turn of the loop is written at once.
 */
export class PgQuery extends Ours {
  readonly #statements: PgStatement[] = []
  /** The one that is being answered. */
  #at = 0
  #wire: Wire | undefined
  #ended = false
  #answered = false

  constructor(first: PgStatement) {
    super({ text: '' })
    this.#statements.push(first)
    if (first.isText) this.#ended = true
  }

  /** Whether another one may join. */
  get isOpen() {
    return !this.#ended && !this.#answered
  }

  add(statement: PgStatement) {
    this.#statements.push(statement)
    if (this.#wire) statement.write(this.#wire)
  }

  end() {
    if (this.#ended) return
    this.#ended = true
    this.#wire?.sync()
  }

  submit(wire: Wire) {
    const { stream } = wire
    stream.cork()
    setImmediate(() => {
      this.end()
      stream.uncork()
    })
    this.#wire = wire
    for (const statement of this.#statements) statement.write(wire)
    if (this.#ended && !this.#current?.isText) wire.sync()
    return null
  }

  get #current() {
    return this.#statements[this.#at]
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
    this.#current?.describe(fields)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    this.#current?.read(fields)
  }

  handleCommandComplete({ text }: { text: string }, _wire: Wire) {
    this.#current?.complete(text)
    if (!this.#current?.isText) this.#at += 1
  }

  handleEmptyQuery() {
    if (!this.#current?.isText) this.#at += 1
  }

  /** The last statement may fail when it is complete, as it is committed with the Sync. */
  handleError(error: Error & { code?: string }) {
    this.#answered = true
    const failed = Math.min(this.#at, this.#statements.length - 1)
    for (const [at, statement] of this.#statements.entries()) {
      if (at < failed) statement.answer()
      else if (at === failed) statement.fail(error)
      else
        statement.fail(Object.assign(new Error('One before it failed'), { code: already_failed }))
    }
  }

  handleReadyForQuery() {
    this.#answered = true
    for (const statement of this.#statements) statement.answer()
  }

  handleCopyInResponse(wire: Wire) {
    wire.sendCopyFail('nobody writes')
  }

  handleCopyData(_chunk: { chunk: Buffer }, _wire: Wire) {}
}
