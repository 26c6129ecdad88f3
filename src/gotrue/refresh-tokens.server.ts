// Refresh tokens: a session's id and counter, sealed with the session's own key. Nothing else is
// kept.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type RefreshToken = { session_id: string; count: number; signed: Buffer; signature: Buffer }

const VERSION = 2
const LENGTHS = { version: 1, session: 16, count: 6, signature: 16, checksum: 4 }
const SIGNED = LENGTHS.version + LENGTHS.session + LENGTHS.count
const WHOLE = SIGNED + LENGTHS.signature + LENGTHS.checksum

const sign = (signed: Buffer, key: Uint8Array) =>
  createHmac('sha256', key).update(signed).digest().subarray(0, LENGTHS.signature)
const checksum = (bytes: Buffer) =>
  createHash('sha256').update(bytes).digest().subarray(0, LENGTHS.checksum)

export function writeRefreshToken(session_id: string, count: number, key: Uint8Array): string {
  const signed = Buffer.alloc(SIGNED)
  signed.writeUInt8(VERSION, 0)
  signed.write(session_id.replaceAll('-', ''), 1, 'hex')
  signed.writeUIntBE(count, LENGTHS.version + LENGTHS.session, LENGTHS.count)
  const sealed = Buffer.concat([signed, sign(signed, key)])
  return Buffer.concat([sealed, checksum(sealed)]).toString('base64url')
}

/** Undefined for whatever cannot have been written by us. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== WHOLE || bytes.readUInt8(0) !== VERSION) return undefined
  const sealed = bytes.subarray(0, WHOLE - LENGTHS.checksum)
  if (!checksum(sealed).equals(bytes.subarray(WHOLE - LENGTHS.checksum))) return undefined
  const id = bytes.toString('hex', 1, 17)
  return {
    session_id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    count: bytes.readUIntBE(LENGTHS.version + LENGTHS.session, LENGTHS.count),
    signed: sealed.subarray(0, SIGNED),
    signature: sealed.subarray(SIGNED),
  }
}

export const isSignedWith = (token: RefreshToken, key: Uint8Array) =>
  timingSafeEqual(sign(token.signed, key), token.signature)
