// The tools that every part of the auth service works with.
import { allowListOf } from '#lib/addresses.server.ts'
import { afterwards, type Afterwards } from '#lib/afterwards.server.ts'
import type { Tag } from '#lib/db.server.ts'
import { fetchWithin } from '#lib/guarded-fetch.server.ts'
import { providerKey, type ProviderKey } from '#lib/provider-secrets.server.ts'
import type { Context } from 'hono'
import { keyRing, type KeyRing } from './keys.server.ts'
import { addressLimits, type LimitName } from './limits.server.ts'
import { deriveKeys, type DerivedKeys } from './secrets.server.ts'
import {
  completeSettings,
  type AuthOptions,
  type AuthSettings,
  type MailShare,
} from './settings.server.ts'

/** The pool or a transaction of it. */
export type Db = Tag

/** The row of a statement that always answers with one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The database answered with no row')
  return row
}

export type Auth = Omit<AuthOptions, 'settings' | 'keys' | 'now' | 'mailRefused'> & {
  settings: AuthSettings
  derived: DerivedKeys
  ring: KeyRing
  /** The key for secrets that identity providers gave companies. */
  provider_key: ProviderKey
  /** A fetch for identity providers, within the allowed addresses. */
  ask: ReturnType<typeof fetchWithin>
  now: () => Date
  /** The instant `seconds` from now, as the database takes it. */
  at: (seconds?: number) => string
  limit: (c: Context, bucket: LimitName) => void
  mailRefused: (share: MailShare) => void
  afterwards: Afterwards
}

export function openAuth(options: AuthOptions): Auth {
  const settings = completeSettings(options.settings)
  const now = options.now ?? (() => new Date())
  const derived = deriveKeys(options.keys.installation_key)
  return {
    sql: options.sql,
    post: options.post,
    log: options.log,
    settings,
    derived,
    provider_key: providerKey(options.keys.installation_key),
    ask: fetchWithin(allowListOf(settings.sso_allow)),
    ring: keyRing({ sql: options.sql, settings, derived, now }),
    now,
    at: (seconds = 0) => new Date(now().getTime() + seconds * 1000).toISOString(),
    limit: addressLimits(settings, now),
    mailRefused: options.mailRefused ?? (() => {}),
    afterwards: afterwards(options.log),
  }
}
