// A company's identity provider, as the auth service sees it.
import type { Auth, Db } from '../auth.server.ts'
import { isUuid } from '../tokens.server.ts'
import { ssoAddresses } from './addresses.contract.ts'

export type StoredProvider = {
  company_id: string
  id: string
  kind: 'oidc' | 'saml'
  issuer: string
  client_id: string | null
  sealed: Uint8Array | null
  sign_in_url: string | null
  sign_out_url: string | null
  certificates: string[]
  second_step_by: string[]
}

export async function providerOfDomain(
  db: Db,
  domain: string,
): Promise<StoredProvider | undefined> {
  const [found] = await db<StoredProvider[]>`select * from auth.provider_of_domain(${domain})`
  return found
}

/** A provider is known by its own id or its company's, which stands in the addresses that it is given. */
export async function findProvider(
  db: Db,
  id: string,
  which?: 'even off',
): Promise<StoredProvider | undefined> {
  if (!isUuid(id)) return undefined
  const even_off = which !== undefined
  const [found] = await db<StoredProvider[]>`select * from auth.provider(${id}, ${even_off})`
  return found
}

export type ProviderKind = StoredProvider['kind']

export const addressesOf = ({ settings }: Pick<Auth, 'settings'>, company_id: string) =>
  ssoAddresses(settings.external_url, company_id)

/** Taken for the first time; a second one is a replay. */
export async function isFirst(db: Db, provider_id: string, message: string): Promise<boolean> {
  const noted = await db`insert into auth.sso_seen (provider_id, message)
    values (${provider_id}, ${message}) on conflict do nothing returning message`
  return noted.length > 0
}
