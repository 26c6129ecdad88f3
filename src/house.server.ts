// Puts the house together: database, keys, mail, accounts, live screens, jobs, app. The server lives in
// it, and so do the tests.
import { setTimeout as sleep } from 'node:timers/promises'
import { authService } from '#auth/service.server.ts'
import type { AuthOptions } from '#auth/settings.server.ts'
import { setup } from '#auth/setup.server.ts'
import { tokenVerifier } from '#auth/tokens.server.ts'
import { actorOf, clientAddress, makeApp } from '#app.server.ts'
import { Acting } from '#lib/act.server.ts'
import { keepFreeMailDomains } from '#companies/free-mail.server.ts'
import type { Config } from '#lib/config.server.ts'
import { connect } from '#lib/db.server.ts'
import { startWorker, type Tasks } from '#lib/jobs.server.ts'
import { installationKey } from '#lib/keys.server.ts'
import { openLive } from '#lib/live.server.ts'
import { makeLog, type Log } from '#lib/log.server.ts'
import { mailTask, poster } from '#lib/mail.server.ts'
import { makeMetrics } from '#lib/metrics.server.ts'
import { migrate, urlFor } from '#lib/migrate.server.ts'
import { visitor, type Actor } from '#policy.ts'
import { housekeeping } from '#system/housekeeping.server.ts'

export type House = Awaited<ReturnType<typeof openHouse>>
type Parts = { worker?: boolean; log?: Log; now?: () => Date }

const loopback = /^(localhost|127\.[\d.]+|::1)$/
const request_timeout_ms = 15_000

export async function openHouse(config: Config, database_url: string, parts: Parts = {}) {
  const log = parts.log ?? makeLog(config.LOG_LEVEL)
  await migrate(database_url)
  const sql = pools(database_url)
  await keepFreeMailDomains(sql.owner)
  const installation_key = await installationKey(config.DATA_FOLDER, config.INSTALLATION_KEY)
  const options: AuthOptions = {
    sql: sql.auth,
    settings: authSettings(config),
    keys: { installation_key },
    post: poster(Boolean(config.SMTP_URL)),
    log,
    ...(parts.now ? { now: parts.now } : {}),
  }
  const accounts = setup(options)
  const live = await openLive(sql.owner, log)
  const shows_mailbox = !config.SMTP_URL && loopback.test(config.HOST)
  const auth = {
    service: authService(options),
    verify: tokenVerifier(options),
    setup: accounts.completeSetup,
  }
  const people = new Acting<Actor>({ sql: sql.request, actorOf, visitor })
  const metrics = makeMetrics()
  const app = makeApp({ config, log, metrics, live, people, sql, auth, shows_mailbox })
  const worker = parts.worker && (await openWorker(config, database_url, sql.owner, log))
  return {
    app,
    sql,
    log,
    shows_mailbox,
    installation_key,
    verify: auth.verify,
    completeSetup: accounts.completeSetup,
    setupLink: accounts.setupLink,
    endStreams: () => live.end(),
    async close() {
      if (worker) await Promise.race([worker.stop(), sleep(5000, undefined, { ref: false })])
      await live.close()
      await people.settled()
      await Promise.all(Object.values(sql).map((pool) => pool.end({ timeout: 5 })))
    },
  }
}

const pools = (url: string) => ({
  owner: connect(url, { max: 4, name: 'healthfund owner' }),
  request: connect(urlFor('healthfund_request', url), {
    max: 12,
    name: 'healthfund requests',
    timeout_ms: request_timeout_ms,
  }),
  auth: connect(urlFor('healthfund_auth', url), {
    max: 8,
    name: 'healthfund auth',
    timeout_ms: request_timeout_ms,
  }),
})

/** Everything that is done later: each feature's jobs under their names, and what comes by the clock. */
export function openWorker(config: Config, url: string, sql: ReturnType<typeof connect>, log: Log) {
  const tasks: Tasks = { housekeeping }
  if (config.SMTP_URL) tasks['mail.send'] = mailTask(config.SMTP_URL, config.MAIL_FROM)
  return startWorker({ url, sql, log, tasks, schedule: ['17 * * * * housekeeping'] })
}

const authSettings = (config: Config): AuthOptions['settings'] => ({
  site_url: config.SITE_URL ?? `http://localhost:${config.PORT}`,
  redirect_allow_list: config.REDIRECT_ALLOW_LIST,
  cors_origins: config.CORS_ORIGINS,
  autoconfirm: config.AUTH_AUTOCONFIRM,
  allow_unverified_sign_in: config.AUTH_ALLOW_UNVERIFIED_SIGN_IN,
  require_current_password: config.AUTH_REQUIRE_CURRENT_PASSWORD,
  mfa_phone: config.AUTH_MFA_PHONE,
  mail_per_hour: config.AUTH_MAIL_PER_HOUR,
  mail_every_seconds: config.AUTH_MAIL_EVERY_SECONDS,
  signing_jwk: config.AUTH_SIGNING_JWK,
  trusts_address_header: Boolean(config.CLIENT_ADDRESS_HEADER),
  client_address: (c) => clientAddress(c, config.CLIENT_ADDRESS_HEADER),
})
