// A ZIP that is never in memory as a whole: what is pushed in comes out in pieces of a few megabytes.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

type KeepPiece = (number: number, bytes: Uint8Array) => Promise<void>

const piece_bytes = 4 * 1024 * 1024
/** A plain ZIP ends at 4 GiB; what comes at its end needs room, too. */
export const zip_bytes = 4_000_000_000

export class Archive {
  readonly #zip: Zip
  readonly #keep: KeepPiece
  readonly #made_at = new Date()
  #waiting: Uint8Array[] = []
  #waiting_bytes = 0
  #pieces = 0
  #bytes = 0
  readonly #room_bytes: number
  #fault: Error | undefined

  constructor(keep: KeepPiece, room_bytes = zip_bytes) {
    this.#keep = keep
    this.#room_bytes = room_bytes
    this.#zip = new Zip((error, chunk) => {
      if (error) this.#fault = error
      else {
        this.#waiting.push(chunk)
        this.#waiting_bytes += chunk.length
        this.#bytes += chunk.length
      }
    })
  }

  hasRoomFor = (bytes: number) => this.#bytes + bytes <= this.#room_bytes

  /** `packed`: a compressed format is stored as it is. */
  async add(
    name: string,
    content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    { packed = false } = {},
  ) {
    const entry = packed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
    entry.mtime = this.#made_at
    this.#zip.add(entry)
    for await (const part of content) {
      entry.push(typeof part === 'string' ? Buffer.from(part) : part)
      await this.#drain()
    }
    entry.push(new Uint8Array(), true)
    await this.#drain()
  }

  async end() {
    this.#zip.end()
    await this.#drain(0)
  }

  async #drain(from_bytes = piece_bytes) {
    if (this.#fault) throw this.#fault
    if (this.#waiting_bytes === 0 || this.#waiting_bytes < from_bytes) return
    const piece = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waiting_bytes = 0
    this.#pieces += 1
    await this.#keep(this.#pieces, piece)
  }
}
