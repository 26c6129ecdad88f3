// One transaction's turn on a connection. A branch of it that goes on when the rest has failed or ended must not speak in
// the transaction of the person who has the connection next.
import type { Connection } from './connection.server.ts'
import { tagOf, type StatementLine, type Tag } from './statements.server.ts'

export class Turn {
  readonly tx: Tag
  #over = false

  constructor({ line }: Connection) {
    this.tx = tagOf({
      ask: (statement) => (this.#over ? refuseLate() : line.ask(statement)),
      copyOut: (text) => (this.#over ? refuseLate() : line.copyOut(text)),
      copyIn: (text) => (this.#over ? refuseLate() : line.copyIn(text)),
    } satisfies StatementLine)
  }

  /** Called before commit or rollback is sent: nothing may be sent behind it. */
  end() {
    this.#over = true
  }
}

const refuseLate = () =>
  Promise.reject(new Error('The transaction is over: nothing more can be asked in it'))
