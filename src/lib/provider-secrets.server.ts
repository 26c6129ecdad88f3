// The secrets that identity providers gave companies: encrypted by the installation's key, for one company each.
import { hkdfSync } from 'node:crypto'
import { decrypt, encrypt } from './sealing.server.ts'

export type ProviderKey = Buffer

export const providerKey = (installation_key: Buffer): ProviderKey =>
  Buffer.from(hkdfSync('sha256', installation_key, '', 'healthfund identity providers', 32))

const placeOf = (company_id: string) => `identity provider of ${company_id}`

export const sealSecret = (key: ProviderKey, company_id: string, secret: string) =>
  encrypt(key, secret, placeOf(company_id))

export const openSecret = (key: ProviderKey, company_id: string, sealed: Uint8Array): string =>
  decrypt(key, sealed, placeOf(company_id)).toString()
