// Puts the services together: database, keys, mail, accounts, live screens, jobs, app. The server lives in
// it, and so do the tests.
import { sealVerdicts, verdictKey } from '#claims/verdicts.server.ts'
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { initialPassword } from '#gotrue/accounts.server.ts'
import { hashPassword } from '#gotrue/passwords.server.ts'
import { authService } from '#gotrue/service.server.ts'
import { completeSettings, type AuthOptions } from '#gotrue/settings.server.ts'
import { setup } from '#gotrue/setup.server.ts'
import { tokenVerifier } from '#gotrue/tokens.server.ts'
import { actorOf, visitor } from '#actor.ts'
import { makeApp } from '#app.server.ts'
import { sourceKey } from '#connections/sources/sources.server.ts'
import { webhookKey } from '#connections/webhooks/signing.server.ts'
import { Transactions } from '#lib/transactions.server.ts'
import { keepFreeMailDomains } from '#companies/free-mail.server.ts'
import { keepPlaces } from '#companies/holidays.server.ts'
import { workbookWorkers } from '#employees/imports/rows.server.ts'
import { installationKey } from '#installation.server.ts'
import { providerNeedsTwoStep, type Config } from '#lib/config.server.ts'
import { keepCurrencies } from '#lib/currencies.server.ts'
import { openFiles } from '#lib/files.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { fingerprintOf } from '#lib/keys.server.ts'
import { openLive } from '#lib/live.server.ts'
import { connectStandby, standbyOf } from '#lib/standby.server.ts'
import { makeLog, type Log } from '#lib/log.server.ts'
import { makeMetrics } from '#lib/metrics.server.ts'
import { providerKey } from '#lib/provider-secrets.server.ts'
import { migrate, urlFor, type Login } from '#lib/migrate.server.ts'
import { openTracer, type Tracer } from '#lib/tracing.server.ts'
import { receiptWorkers } from '#receipts/jobs.server.ts'
import { drawingWorkers, drawPdf } from '#reports/render.server.ts'
import { ResponseTimes } from '#system/response-times.server.ts'
import { watchServer } from '#system/watch.server.ts'
import { authOptions, unsubscribeLinksOf } from '#auth-options.server.ts'
import { openWorker } from '#worker.server.ts'

export type Services = Awaited<ReturnType<typeof openServices>>
type ServiceParts = {
  worker?: boolean
  /** A command only visits: what the settings demand is written down by who serves. */
  visit?: boolean
  /** Answers requests. Not the first of several processes, which leaves that to the others. */
  answers?: boolean
  log?: Log
  now?: () => Date
}

const request_timeout_ms = 15_000

export async function openServices(config: Config, database_url: string, parts: ServiceParts = {}) {
  const log = parts.log ?? makeLog(config.LOG_LEVEL)
  await migrate(database_url)
  const sql = pools(database_url)
  await keepLists(sql.owner)
  if (!parts.visit) await demandTwoStep(sql.owner, providerNeedsTwoStep(config))
  const installation_key = await installationKey(sql.owner, config).catch(async (error) => {
    await closeAll(sql)
    throw error
  })
  await keepVerdictKey(sql.owner, verdictKey(installation_key))
  const metrics = makeMetrics()
  const options = authOptions({ config, sql: sql.auth, log, installation_key, metrics }, parts.now)
  const accounts = setup(options)
  const live = await openLive(sql.owner, log)
  const auth = {
    ...authService(options),
    verify: tokenVerifier(options),
    setup: { complete: accounts.completeSetup, isOpen: accounts.isSetupOpen },
    makePassword: () => makePassword(options),
  }
  const tracer = openTracer(config, log)
  const transactions = openTransactions(config, sql.request, tracer)
  const by_key = openTransactions(config, sql.key, tracer)
  const { standby, elsewhere, closeStandby } = openStandby(config, sql.owner, log, tracer)
  const { rooms, closeRooms } = openRooms(config, sql.owner, log, installation_key)
  const times = new ResponseTimes()
  const { DATA_FOLDER: folder, SMTP_URL: smtp_url } = config
  const watched = { sql: sql.owner, log, files: rooms.files, folder, smtp_url, times, standby }
  const watch = parts.answers === false ? undefined : watchServer(watched)
  const shown = { config, log, tracer, metrics, times, live, transactions, by_key }
  const app = makeApp({
    ...shown,
    standby,
    elsewhere,
    sql,
    auth,
    ...rooms,
    unsubscribe_links: unsubscribeLinksOf(options),
  })
  const worker = parts.worker && (await openWorker(config, database_url, sql.owner, log))
  return {
    app,
    sql,
    log,
    installation_key,
    ...rooms,
    /** The demo world gives its people sessions without passwords. */
    auth_options: options,
    transactions,
    by_key,
    verify: auth.verify,
    posted: auth.finished,
    completeSetup: accounts.completeSetup,
    setupLink: accounts.setupLink,
    /** Looks at itself now, as it does by the clock. */
    look: async () => watch?.look(),
    endStreams: () => live.end(),
    /** Work under way may end; a caller about to end the process anyway need not wait for it without limit. */
    async close(patience_ms = 5000) {
      const under_way = Promise.all([worker && worker.stop(), auth.finished()])
      await Promise.race([under_way, sleep(patience_ms, undefined, { ref: false })])
      closeRooms()
      await watch?.close()
      await live.close()
      await tracer?.close()
      await Promise.all([closeStandby(), closeAll(sql)])
    },
  }
}

/** The places where files are kept and made, and the keys of what is signed or locked away. */
function openRooms(config: Config, sql: Sql, log: Log, installation_key: Buffer) {
  const drawings = drawingWorkers(log)
  const rooms = {
    key_fingerprint: fingerprintOf(installation_key),
    form_key: createHmac('sha256', installation_key).update('forms').digest(),
    seal_verdict: sealVerdicts(verdictKey(installation_key)),
    webhook_key: webhookKey(installation_key),
    provider_key: providerKey(installation_key),
    source_key: sourceKey(installation_key),
    files: openFiles({ config, sql, installation_key }),
    workers: receiptWorkers(log),
    workbooks: workbookWorkers(log),
    draw: drawPdf(drawings),
  }
  const closeRooms = () => {
    for (const room of [rooms.workers, rooms.workbooks, drawings]) room.close()
  }
  return { rooms, closeRooms }
}

function openStandby(config: Config, primary: Sql, log: Log, tracer: Tracer | undefined) {
  const standby = standbyOf(config, primary, log)
  const url = config.DATABASE_READ_URL
  const there = url ? servingAs('healthfund_request', url, connectStandby, 4) : undefined
  const elsewhere = there && {
    ready: () => standby.ready(),
    failed: (error: unknown) => standby.failed(error),
    transactions: openTransactions(config, there, tracer, 1),
  }
  const closeStandby = () => Promise.all([standby.close(), there?.end({ timeout: 5 })])
  return { standby, elsewhere, closeStandby }
}

const openTransactions = (config: Config, sql: Sql, tracer: Tracer | undefined, tries = 4) =>
  new Transactions({
    sql,
    tries,
    traced: tracer && ((work) => tracer.within({ name: 'transaction', kind: 'internal' }, work)),
    actorOf,
    visitor,
    busy_after_ms: config.BUSY_AFTER_MS,
  })

const closeAll = (sql: ReturnType<typeof pools>) =>
  Promise.all(Object.values(sql).map((pool) => pool.end({ timeout: 5 })))

const demandTwoStep = (sql: Sql, needed: boolean) => sql`
  update private.secret set supers_need_two_step = ${needed} where supers_need_two_step <> ${needed}`

const keepVerdictKey = (sql: Sql, key: Buffer) => sql`
  update private.secret set verdict_key = ${key} where verdict_key is distinct from ${key}`

/** Reference data, as the installed packages have it. */
async function keepLists(sql: Sql) {
  await keepFreeMailDomains(sql)
  await keepPlaces(sql)
  await keepCurrencies(sql)
}

const servingAs = (login: Login, url: string, open: typeof connect, max: number) =>
  open(urlFor(login, url), {
    max,
    name: login.replace('_', ' ') + 's',
    timeout_ms: request_timeout_ms,
    plans_once: true,
  })

const pools = (url: string) => ({
  owner: connect(url, { max: 12, name: 'healthfund owner' }),
  request: servingAs('healthfund_request', url, connect, 12),
  key: servingAs('healthfund_key', url, connect, 6),
  auth: connect(urlFor('healthfund_auth', url), {
    max: 8,
    name: 'healthfund auth',
    timeout_ms: request_timeout_ms,
  }),
})

async function makePassword({ settings }: AuthOptions) {
  const password = initialPassword()
  const hash = await hashPassword({ settings: completeSettings(settings) }, password)
  return { password, hash }
}
