// Keys that follow from the installation's one key, and what is kept encrypted or hashed with them.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { SignJWT } from 'jose'

export type DerivedKeys = ReturnType<typeof deriveKeys>

export function deriveKeys(installation_key: Buffer) {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', installation_key, '', `healthfund auth ${purpose}`, 32))
  return { api: derive('api keys'), wrapping: derive('wrapping'), codes: derive('codes') }
}

const second = (date: string) => Date.parse(date) / 1000
const lasts = { iat: second('2025-01-01'), exp: second('2055-01-01') }

/** The two long-lived keys of the protocol: always the same ones for an installation. */
export async function anonAndServiceKeys(
  installation_key: Buffer,
): Promise<{ anon_key: string; service_key: string }> {
  const secret = deriveKeys(installation_key).api
  const sign = (role: string) =>
    new SignJWT({ role, iss: 'healthfund', ...lasts })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(secret)
  return { anon_key: await sign('anon'), service_key: await sign('service_role') }
}

/** `bound_to` is part of the seal: what was encrypted for one row cannot be put into another. */
export function encrypt(key: Buffer, plain: Buffer | string, bound_to: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound_to))
  const content = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), content])
}

export function decrypt(key: Buffer, sealed: Uint8Array, bound_to: string): Buffer {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(bound_to)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** A million codes are soon tried: without the key a stolen database does not give them away. */
export const hashCode = (keys: DerivedKeys, about: string, code: string) =>
  createHmac('sha256', keys.codes).update(`${about}\n${code}`).digest()
