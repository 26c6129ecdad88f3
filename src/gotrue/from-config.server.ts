// The settings of the installation, as settings of accounts.
import type { Config } from '#lib/config.server.ts'
import { addressOf, isAtThisMachine } from '#lib/hosts.server.ts'
import type { AuthOptions } from './settings.server.ts'

export const authSettings = (config: Config): AuthOptions['settings'] => ({
  site_url: config.SITE_URL ?? `http://localhost:${config.PORT}`,
  redirect_allow_list: config.REDIRECT_ALLOW_LIST,
  cors_origins: config.CORS_ORIGINS,
  autoconfirm: config.AUTH_AUTOCONFIRM,
  allow_unverified_sign_in: config.AUTH_ALLOW_UNVERIFIED_SIGN_IN,
  require_current_password: config.AUTH_REQUIRE_CURRENT_PASSWORD,
  mfa_phone: config.AUTH_MFA_PHONE,
  password_memory_mib: config.AUTH_PASSWORD_MEMORY_MIB,
  session_seconds: config.SESSION_DAYS * 86_400,
  session_idle_seconds: config.SESSION_IDLE_DAYS * 86_400,
  admin_session_seconds: config.ADMIN_SESSION_HOURS * 3600,
  admin_idle_seconds: config.ADMIN_IDLE_MINUTES * 60,
  mail_per_hour: config.AUTH_MAIL_PER_HOUR,
  mail_every_seconds: config.AUTH_MAIL_EVERY_SECONDS,
  signing_jwk: config.AUTH_SIGNING_JWK,
  sso_allow: config.SSO_ALLOW,
  is_local: isAtThisMachine(config),
  client_address: addressOf(config),
})
