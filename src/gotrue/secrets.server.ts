// Keys that follow from the installation's one key, and what is kept encrypted or hashed with them.
import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { SignJWT } from 'jose'

export { decrypt, encrypt } from '#lib/sealing.server.ts'

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

export const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** A million codes are soon tried: without the key a stolen database does not give them away. */
export const hashCode = (keys: DerivedKeys, about: string, code: string) =>
  createHmac('sha256', keys.codes).update(`${about}\n${code}`).digest()
