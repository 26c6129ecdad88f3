// A statement on its way: what is written to the connection for it, and what becomes of the answer.
import type { Duplex } from 'node:stream'
import { Query } from 'pg'
import type { Column, Row } from './statements.server.ts'
import { readerOf } from './pg-values.server.ts'

type Written = string | Buffer | null

/** The messages that node-postgres writes for us. */
export type Wire = {
  stream: Duplex
  query: (text: string) => void
  parse: (input: { name: string; text: string; types: readonly number[] }) => void
  bind: (input: { statement: string; values: readonly Written[] }) => void
  describe: (what: { type: 'P' }) => void
  close: (what: { type: 'S'; name: string }) => void
  execute: () => void
  sync: () => void
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
  sendCopyFail: (reason: string) => void
}

type Reader = Column & { read: ((text: string) => unknown) | undefined }

/** A statement that is sent by its name once PostgreSQL has it. */
export type Prepared = {
  name: string
  types: readonly number[]
  /** In doubt: it failed the first time, and whether PostgreSQL kept it is not said. */
  state: 'new' | 'sent' | 'answered' | 'in doubt'
  readers?: Reader[] | undefined
}

/** Without `prepared` it goes as text, which may be several statements. */
type PgQueryInput = {
  text: string
  values: readonly Written[]
  prepared?: Prepared | undefined
}

type Ends = {
  answered: (rows: unknown[], columns: Column[], done: string) => void
  failed: (error: Error) => void
}

/** The result's type is another than it was: what is known of the statement is out of date. */
const outdated = '0A000'

/** While several are under way, node-postgres takes no other kind of query than its own. */
const Ours = Query as unknown as new (input: { text: string }) => object

export class PgQuery extends Ours {
  readonly #input: PgQueryInput
  readonly #ends: Ends
  readonly #found: unknown[] = []
  #readers: Reader[] | undefined
  #fault: Error | undefined
  #done = ''

  constructor(input: PgQueryInput, ends: Ends) {
    super(input)
    this.#input = input
    this.#ends = ends
    this.#readers = input.prepared?.readers
  }

  submit(wire: Wire) {
    together(wire)
    const { text, values, prepared } = this.#input
    if (prepared) {
      const { name, types, state } = prepared
      if (state === 'in doubt') wire.close({ type: 'S', name })
      if (state === 'in doubt' || state === 'new') {
        wire.parse({ name, text, types })
        prepared.state = 'sent'
      }
      wire.bind({ statement: name, values })
      if (!this.#readers) wire.describe({ type: 'P' })
      wire.execute()
      wire.sync()
    } else wire.query(text)
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
    this.#found.length = 0 // of several statements the last one answers
    this.#readers = fields.map(({ name, dataTypeID: type }) => ({
      name,
      type,
      read: readerOf(type),
    }))
    if (this.#input.prepared) this.#input.prepared.readers = this.#readers
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
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

  handleCommandComplete({ text }: { text: string }, _wire: Wire) {
    this.#done = text
  }

  handleEmptyQuery() {}

  handleError(error: Error & { code?: string }) {
    const { prepared } = this.#input
    if (prepared && (prepared.state !== 'answered' || error.code === outdated)) {
      prepared.state = 'in doubt'
      prepared.readers = undefined
    }
    this.#ends.failed(error)
  }

  handleReadyForQuery() {
    if (this.#input.prepared) this.#input.prepared.state = 'answered'
    if (this.#fault) this.#ends.failed(this.#fault)
    else this.#ends.answered(this.#found, this.#readers ?? [], this.#done)
  }

  handleCopyInResponse(wire: Wire) {
    wire.sendCopyFail('nobody writes')
  }

  handleCopyData(_chunk: { chunk: Buffer }, _wire: Wire) {}
}

/** Statements begun in the same turn of the loop are written at once, and travel together. */
function together(wire: Wire) {
  const { stream } = wire
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}
