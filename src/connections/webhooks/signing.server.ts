// Secrets of webhooks, and what a delivery is signed with: Standard Webhooks (standardwebhooks.com), HMAC-SHA256.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { decrypt, encrypt } from '#lib/sealing.server.ts'

const mark = 'whsec_'

/** The key that encrypts the secrets. */
export const webhookKey = (installation_key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', installation_key, '', 'healthfund webhooks', 32))

const placeOf = (company_id: string) => `webhook of ${company_id}`

export function newSecret(key: Buffer, company_id: string) {
  const secret = mark + randomBytes(32).toString('base64')
  return {
    secret,
    sealed: encrypt(key, secret, placeOf(company_id)),
    ending: secret.slice(-4),
  }
}

export const openSigningSecret = (key: Buffer, company_id: string, sealed: Uint8Array): string =>
  decrypt(key, sealed, placeOf(company_id)).toString()

/** A signature for each valid secret, newest first. */
export const signatures = (
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string =>
  secrets
    .map((secret) => Buffer.from(secret.slice(mark.length), 'base64'))
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')
