// The encoding of a file that doesn't name its own.
import { Problem } from '#problems.ts'
import type { Encoding } from './imports.contract.ts'

/**
 * Decodes bytes as they come. A byte order mark decides, whatever was chosen for an earlier file. Without one, the first letter
 * beyond ASCII does: if it isn't valid UTF-8, the file is Windows-1252. Bytes that don't fit after that are refused, as names
 * would change.
 */
export class Letters {
  encoding: Encoding | undefined
  #decoder: TextDecoder | undefined
  #buffer: Uint8Array = new Uint8Array()
  #begun = false

  constructor(encoding?: Encoding | null) {
    if (encoding) this.#choose(encoding)
  }

  read(bytes: Uint8Array): string {
    const all = this.#buffer.length > 0 ? join(this.#buffer, bytes) : bytes
    this.#buffer = new Uint8Array()
    if (!this.#begun && all.length < 4) {
      this.#buffer = all
      return ''
    }
    return this.#decode(all)
  }

  end(): string {
    const text = this.#decode(this.#buffer, true)
    this.encoding ??= 'utf-8'
    return text + (this.#decoder ? this.#go(this.#decoder) : '')
  }

  #decode(bytes: Uint8Array, last = false): string {
    if (!this.#begun) {
      this.#begun = true
      const declared = beginningOf(bytes)
      if (declared) this.#choose(declared)
    }
    if (this.#decoder) return this.#go(this.#decoder, bytes)
    const at = bytes.findIndex((byte) => byte > 0x7f)
    if (at < 0) return ascii.decode(bytes)
    if (!last && bytes.length - at < 4) {
      this.#buffer = bytes.slice(at)
      return ascii.decode(bytes.subarray(0, at))
    }
    return this.#go(
      this.#choose(isUtf8(bytes.subarray(at, at + 4)) ? 'utf-8' : 'windows-1252'),
      bytes,
    )
  }

  #choose(encoding: Encoding): TextDecoder {
    this.encoding = encoding
    return (this.#decoder = new TextDecoder(encoding, { fatal: true }))
  }

  #go(decoder: TextDecoder, bytes?: Uint8Array): string {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new Problem('csv_not_utf8')
    }
  }
}

const ascii = new TextDecoder('utf-8')

function beginningOf([a, b, c, d]: Uint8Array): Encoding | undefined {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a && b === 0 && c && d === 0) return 'utf-16le'
  return a === 0 && b && c === 0 && d ? 'utf-16be' : undefined
}

/** Whether a letter of more than one byte begins here. */
function isUtf8(bytes: Uint8Array): boolean {
  const lead = bytes[0] ?? 0
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, size)).length > 0
  } catch {
    return false
  }
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
