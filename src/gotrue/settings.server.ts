// The settings of signing in that an operator can decide, with their defaults.
import type { Context } from 'hono'
import type { Sql } from '#lib/db.server.ts'
import type { Log } from '#lib/log.server.ts'
import type { Post } from '#lib/mail.server.ts'
import { password_length } from '#lib/password-length.ts'
import { invitation_seconds, link_seconds } from '#shared/link-life.ts'

export type MailShare = 'network' | 'account' | 'address' | 'domain' | 'anybody' | 'all'

export type AuthSettings = {
  /** The address at which people reach the product: links in mails begin with it. */
  site_url: string
  /** The address of this service; also the issuer of its tokens. */
  external_url: string
  /** Addresses that links may lead to besides `site_url`, with `*` (one label or segment) and `**`. */
  redirect_allow_list: string[]
  /** Other origins whose pages may call the service. */
  cors_origins: string[]
  /** The audiences that accounts can be made for; the product serves the first. */
  audiences: string[]
  autoconfirm: boolean
  allow_unverified_sign_in: boolean
  require_current_password: boolean
  /** A nonce from /reauthenticate for password changes in sessions older than a day. */
  require_reauthentication: boolean
  disable_signup: boolean
  mfa_phone: boolean
  mail_per_hour: number
  mail_every_seconds: number
  access_token_seconds: number
  /** After which whoever asks is told to ask again; what was begun goes on. */
  request_seconds: number
  /** How long a mailed link or code works. */
  link_seconds: number
  /** How long an invitation by a person of the product works. */
  invitation_seconds: number
  min_password_length: number
  /** How much memory a password's hash takes: what makes guessing dear. */
  password_memory_mib: number
  /** The longest life of a session, and the longest without a refresh; 0 for no end. */
  session_seconds: number
  session_idle_seconds: number
  /** The same for admins, of companies and of the provider. */
  admin_session_seconds: number
  admin_idle_seconds: number
  /** A private EC key (P-256) as JWK that signs instead of the kept one. */
  signing_jwk: string | undefined
  /** Hosts and ranges in which identity providers may be, beside public addresses. */
  sso_allow: readonly string[]
  client_address: (c: Context) => string | undefined
  /** Requests from this very machine are not limited: a developer, a tool, a test. */
  is_local: (c: Context) => boolean
}

const defaults = {
  redirect_allow_list: [],
  cors_origins: [],
  audiences: ['authenticated'],
  autoconfirm: false,
  allow_unverified_sign_in: true,
  require_current_password: true,
  require_reauthentication: false,
  disable_signup: false,
  mfa_phone: false,
  mail_per_hour: 30,
  mail_every_seconds: 60,
  access_token_seconds: 3600,
  request_seconds: 10,
  link_seconds,
  invitation_seconds,
  min_password_length: password_length.least,
  password_memory_mib: 64,
  session_seconds: 0,
  session_idle_seconds: 0,
  admin_session_seconds: 0,
  admin_idle_seconds: 0,
  signing_jwk: undefined,
  sso_allow: [],
  client_address: () => undefined,
  is_local: () => false,
} satisfies Partial<AuthSettings>

export type GivenSettings = { site_url: string } & {
  [Name in keyof AuthSettings]?: AuthSettings[Name] | undefined
}

export function completeSettings(settings: GivenSettings): AuthSettings {
  const defined = Object.entries(settings).filter(([, value]) => value !== undefined)
  const site_url = settings.site_url.replace(/\/+$/, '')
  return {
    ...defaults,
    external_url: `${site_url}/auth/v1`,
    ...Object.fromEntries(defined),
    site_url,
  }
}

export type AuthOptions = {
  /** A pool that is logged in as `healthfund_auth`. */
  sql: Sql
  settings: GivenSettings
  keys: { installation_key: Buffer }
  post: Post
  log: Pick<Log, 'error' | 'warn' | 'info'>
  now?: () => Date
  /** Hears which share of the hour's mails was used up when one was asked for. */
  mailRefused?: (share: MailShare) => void
}
