// The type of a file, by its first bytes and never by its name.
import type { ProblemCode } from '#problems.ts'

export type ReceiptType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

const text = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to)
const begins = (bytes: Uint8Array, ...start: number[]) =>
  start.every((byte, at) => bytes[at] === byte)

const heic = /^(heic|heix|hevc|hevx|heim|heis|mif1|msf1|avif|avis)$/

/** The kind of a file, of four, or why it is none of them. */
export function kindOf(bytes: Uint8Array): { kind: ReceiptType } | { refused: ProblemCode } {
  if (bytes.length === 0) return { refused: 'receipt_empty' }
  if (begins(bytes, 0xff, 0xd8, 0xff)) return { kind: 'image/jpeg' }
  if (begins(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return { kind: 'image/png' }
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return { kind: 'image/webp' }
  // Scanners and mail programs put a few bytes in front; viewers accept that, and so do we.
  if (text(bytes, 0, 1024).includes('%PDF-')) return { kind: 'application/pdf' }
  if (text(bytes, 4, 8) === 'ftyp' && heic.test(text(bytes, 8, 12))) {
    return { refused: 'receipt_heic' }
  }
  return { refused: 'receipt_kind' }
}
