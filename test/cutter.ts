// A proxy between a server and its database: it counts what goes through, and cuts every connection at a certain byte or word.
import { once } from 'node:events'
import { connect as dial, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export type Direction = 'asked' | 'answered'

type TranscriptLine = { way: Direction; text: string }

export class Cutter {
  readonly #server: Server
  readonly #lines = new Set<Socket>()
  #way: Direction = 'asked'
  #left = Infinity
  #passed: Record<Direction, number> = { asked: 0, answered: 0 }
  #word: string | undefined
  #transcript: TranscriptLine[] | undefined
  delay_ms = 0
  /** Nothing goes through, and nobody is told: as with a machine that is not there any more. */
  silent = false
  /** How often a line was cut at its byte or word. */
  cuts = 0
  /** How much was swallowed since, while silent. */
  swallowed = 0

  constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = dial(Number(target.port), target.hostname)
      this.#join(near, far, 'asked')
      this.#join(far, near, 'answered')
    })
  }

  #join(from: Socket, to: Socket, way: Direction) {
    this.#lines.add(from)
    from.setNoDelay(true)
    from.on('data', (bytes: Buffer) => {
      if (this.silent) {
        this.swallowed += 1
        return
      }
      this.#passed[way] += bytes.length
      const text = bytes.toString('latin1')
      this.#transcript?.push({ way, text })
      const at = this.#word !== undefined && way === this.#way ? text.indexOf(this.#word) : -1
      if (at >= 0) this.#left = at
      if (way === this.#way && this.#left < bytes.length) {
        this.cuts += 1
        to.write(bytes.subarray(0, this.#left), () => this.cut())
        return
      }
      if (way === this.#way) this.#left -= bytes.length
      if (this.delay_ms === 0) to.write(bytes)
      else setTimeout(() => to.write(bytes), this.delay_ms)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.#lines.delete(from)
      to.destroy()
    })
  }

  cut() {
    this.whole()
    for (const line of this.#lines) line.destroy()
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  cutAfter(way: Direction, bytes: number) {
    this.#way = way
    this.#left = bytes
  }

  /** Cuts before this word goes through. */
  cutBefore(way: Direction, word: string) {
    this.#way = way
    this.#word = word
  }

  whole() {
    this.#left = Infinity
    this.#word = undefined
  }

  /** All that is said from now on, by either side, in order. */
  listenIn(): TranscriptLine[] {
    this.#transcript = []
    return this.#transcript
  }

  /** How many bytes an act sends and gets. */
  async measure(act: () => Promise<unknown>): Promise<Record<Direction, number>> {
    this.#passed = { asked: 0, answered: 0 }
    await act()
    return { ...this.#passed }
  }

  async close() {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
