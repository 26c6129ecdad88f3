// Rows by the million: `copy … to stdout` as a stream that is read, `copy … from stdin` as one that is written to.
import { Readable, Writable } from 'node:stream'
import { PgQuery, PgStatement, type Wire } from './pg-query.server.ts'

type Copying<S> = {
  begun: (stream: S) => void
  over: () => void
  /** Answers with the reason that is told. */
  failed: (error: Error) => Error
}

/** Data that comes faster than it is read waits in the socket; if the reader stops, the rest is dropped. */
export class CopyOut extends PgQuery {
  readonly #begun: (stream: Readable) => void
  #stream: Readable | undefined

  constructor(text: string, { begun, over, failed }: Copying<Readable>) {
    const ends = {
      // The stream ends only here: at the end of its rows the connection is not free yet.
      answered: () => {
        over()
        this.#stream?.push(null)
      },
      failed: (error: Error) => {
        over()
        const reason = failed(error)
        this.#stream?.destroy(reason)
      },
    }
    super(new PgStatement({ text, values: [] }, ends))
    this.#begun = begun
  }

  #from({ stream: socket }: Wire) {
    if (this.#stream) return this.#stream
    this.#stream = new Readable({
      read: () => socket.resume(),
      destroy(error, done) {
        socket.resume()
        done(error)
      },
    })
    this.#begun(this.#stream)
    return this.#stream
  }

  override handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire) {
    const stream = this.#from(wire)
    // The chunk is copied, as its buffer is overwritten while the reader is behind.
    if (!stream.destroyed && !stream.push(Buffer.from(chunk))) wire.stream.pause()
  }

  override handleCommandComplete(_: { text: string }, wire: Wire) {
    this.#from(wire)
    wire.stream.resume() // nobody asks for more behind the end
  }
}

export class CopyIn extends PgQuery {
  readonly #begun: (stream: Writable) => void
  #stream: Writable | undefined
  #final: (() => void) | undefined
  #over = false

  constructor(text: string, { begun, over, failed }: Copying<Writable>) {
    const ends = {
      answered: () => {
        this.#over = true
        over()
        this.#final?.()
      },
      failed: (error: Error) => {
        this.#over = true
        over()
        const reason = failed(error)
        this.#stream?.destroy(reason)
      },
    }
    super(new PgStatement({ text, values: [] }, ends))
    this.#begun = begun
  }

  override handleCopyInResponse(wire: Wire) {
    this.#stream = new Writable({
      write(chunk: Buffer, _, done) {
        wire.sendCopyFromChunk(chunk)
        const { stream } = wire
        if (stream.writableNeedDrain) stream.once('drain', done)
        else if (stream.writable) done() // else the connection is lost, and is about to say so
      },
      final: (done) => {
        this.#final = done
        wire.endCopyFrom()
      },
      destroy: (error, done) => {
        if (!this.#over) wire.sendCopyFail(error?.message ?? 'given up')
        done(error)
      },
    })
    this.#begun(this.#stream)
  }
}
