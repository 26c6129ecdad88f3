// Statements as they are written in the code: SQL with values, and parts of statements within statements. A value never becomes
// text of a statement; names and `unsafe`, which do, come from the code itself.
import type { Readable, Writable } from 'node:stream'
import { Json, type Value } from './pg-values.server.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- what a statement answers its reader says, or a shape
export type Row = Record<string, any>
type SqlStrings = TemplateStringsArray | readonly [string]
type Fragment = Value | SqlPart
export type Column = { name: string; type: number }
/** How a statement gets to its connection. */
export type StatementLine = {
  ask: (statement: Statement<readonly unknown[]>) => Promise<unknown[]>
  copyOut: (text: string) => Promise<Readable>
  copyIn: (text: string) => Promise<Writable>
}

/** `tx` and `sql`: what statements are written with. */
export type Tag = {
  <T extends readonly unknown[] = Row[]>(
    words: TemplateStringsArray,
    ...fragments: readonly Fragment[]
  ): Statement<T>
  /** A name: of a column, a table, a database. */
  (name: string): SqlPart
  /** Fields for `insert into t` or `update t set`. */
  (rows: object | readonly object[], ...columns: readonly string[]): SqlPart
  /** Text as it is, and without values several statements at once. */
  unsafe: <T extends readonly unknown[] = Row[]>(
    text: string,
    values?: readonly Value[],
  ) => Statement<T>
  json: (value: unknown) => Json
}

type Composed = { text: string; values: Value[] }

let cursors = 0

/** The place of each statement in the code. */
const places = new WeakMap<SqlStrings, Error>()

function hereNow() {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 6
  const call_site = new Error('here')
  Error.stackTraceLimit = stackTraceLimit
  return call_site
}

/** A part of a statement that is not a value. */
export abstract class SqlPart {
  abstract into(to: Composed): void
}

/** A statement, sent when it is awaited, or a part of another, and then not sent. */
export class Statement<T extends readonly unknown[]> extends SqlPart implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Statement'
  /** The answer's columns, whether or not there were rows. */
  columns: Column[] = []
  /** PostgreSQL's command tag: 'DELETE 12'. */
  done = ''
  readonly words: SqlStrings
  readonly fragments: readonly Fragment[]
  /** The values of `unsafe`, whose text has its own $1, $2, … */
  readonly placed: readonly Value[] | undefined
  readonly #line: StatementLine
  #answer: Promise<T> | undefined

  constructor(
    line: StatementLine,
    words: SqlStrings,
    fragments: readonly Fragment[],
    placed?: readonly Value[],
  ) {
    super()
    this.#line = line
    this.words = words
    this.fragments = fragments
    this.placed = placed
    if ('raw' in words && !places.has(words)) places.set(words, hereNow())
  }

  /** Errors of PostgreSQL's get the place in the code that asked. */
  placeOf(error: Error) {
    const place = places.get(this.words)?.stack ?? ''
    error.stack = `${error.name}: ${error.message}${place.replace(/^.*/, '')}`
  }

  /** Sent as plain text, which may be several statements. */
  get simple() {
    return this.placed?.length === 0
  }

  into(to: Composed) {
    const { words, fragments, placed = [] } = this
    if (placed.length > 0 && to.values.length > 0) throw new Error('Its $1 would be another’s')
    to.values.push(...placed)
    to.text += words[0]
    for (let at = 0; at < fragments.length; at += 1) {
      put(to, fragments[at] as Fragment)
      to.text += words[at + 1]
    }
  }

  #send() {
    return (this.#answer ??= this.#line.ask(this) as Promise<unknown> as Promise<T>)
  }

  // oxlint-disable-next-line unicorn/no-thenable -- as a promise that begins when somebody waits
  then<A = T, B = never>(
    done?: ((rows: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send().then(done, failed) // oxlint-disable-line promise/no-callback-in-promise
  }

  catch<B = never>(failed?: ((reason: never) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#send().catch(failed as never)
  }

  finally(over?: (() => void) | null): Promise<T> {
    return this.#send().finally(over)
  }

  /** How many rows it wrote. */
  async affected(): Promise<number> {
    await this
    return Number(this.done.split(' ').at(-1))
  }

  /** Rows come in batches of this size, within a transaction. */
  async *cursor(rows: number): AsyncGenerator<T> {
    const { unsafe } = tagOf(this.#line)
    const name = `cursor_${(cursors += 1)}`
    // The planner must not prefer plans for the first rows, as every row will be read.
    const whole = unsafe('set local cursor_tuple_fraction = 1')
    const declare = new Statement(this.#line, [`declare ${name} cursor for `, ''] as never, [this])
    await Promise.all([whole, declare])
    try {
      for (;;) {
        const batch = await unsafe<T>(`fetch ${rows} from ${name}`)
        if (batch.length > 0) yield batch
        if (batch.length < rows) return
      }
    } finally {
      await unsafe(`close ${name}`).catch(() => {}) // a transaction that failed has none
    }
  }

  /** The rows of `copy … to stdout`. */
  readable() {
    return this.#line.copyOut(compose(this).text)
  }

  /** A stream that takes the rows of `copy … from stdin`. */
  writable() {
    return this.#line.copyIn(compose(this).text)
  }
}

class SqlName extends SqlPart {
  readonly #name: string

  constructor(name: string) {
    super()
    this.#name = name
  }

  into(to: Composed) {
    to.text += quoted(this.#name)
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`

class SqlParts extends SqlPart {
  readonly #parts: readonly SqlPart[]

  constructor(parts: readonly SqlPart[]) {
    super()
    this.#parts = parts
  }

  into(to: Composed) {
    for (const part of this.#parts) {
      part.into(to)
      to.text += ' '
    }
  }
}

/** Parts in a row. A plain list is no part: an empty one would be a value, an empty array. */
export const parts = (list: readonly SqlPart[]): SqlPart => new SqlParts(list)

class SqlRows extends SqlPart {
  readonly #rows: readonly Row[]
  readonly #columns: readonly string[]

  constructor(rows: readonly Row[], columns: readonly string[]) {
    super()
    this.#rows = rows
    this.#columns = columns.length > 0 ? columns : Object.keys(rows[0] ?? {})
  }

  into(to: Composed) {
    const columns = this.#columns
    if (/\bset\s*$/i.test(to.text)) {
      for (const [at, column] of columns.entries()) {
        to.text += `${at ? ', ' : ''}${quoted(column)} = `
        put(to, this.#rows[0]?.[column] as Fragment)
      }
    } else if (/\binsert\s+into\s+[\w."]+\s*$/i.test(to.text)) {
      to.text += `(${columns.map(quoted).join(', ')}) values `
      for (const [at, row] of this.#rows.entries()) {
        to.text += at ? '), (' : '('
        for (const [place, column] of columns.entries()) {
          if (place) to.text += ', '
          put(to, row[column] as Fragment)
        }
      }
      to.text += ')'
    } else throw new Error('Fields stand behind `insert into t` or `update t set`')
  }
}

function put(to: Composed, fragment: Fragment) {
  if (fragment instanceof SqlPart) fragment.into(to)
  else {
    to.values.push(fragment)
    to.text += `$${to.values.length}`
  }
}

/** Most statements have nothing but values in them: their text is put together once. */
const texts = new WeakMap<SqlStrings, string>()

export function compose(statement: Statement<readonly unknown[]>): Composed {
  const { words, fragments, placed } = statement
  if (placed) return { text: words[0] ?? '', values: [...placed] }
  const parted = fragments.some((fragment) => fragment instanceof SqlPart)
  const known = parted ? undefined : texts.get(words)
  if (known !== undefined) return { text: known, values: fragments as Value[] }
  const to: Composed = { text: '', values: [] }
  statement.into(to)
  if (!parted) texts.set(words, to.text)
  return to
}

export function tagOf(line: StatementLine): Tag {
  const tag = (first: TemplateStringsArray | string | object, ...rest: readonly unknown[]) => {
    if (typeof first === 'string') return new SqlName(first)
    if ('raw' in first) return new Statement(line, first, rest as Fragment[])
    return new SqlRows(Array.isArray(first) ? first : [first], rest as string[])
  }
  return Object.assign(tag, {
    unsafe: (text: string, values: readonly Value[] = []) =>
      new Statement(line, [text], [], values),
    json: (value: unknown) => new Json(value),
  }) as unknown as Tag
}
