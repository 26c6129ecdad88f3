// Puts the services together: database, keys, mail, accounts, live screens, jobs, app. The server lives in
// it, and so do the tests.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { initialPassword, mailInvitation } from '#gotrue/accounts.server.ts'
import { mailNotices } from '#gotrue/notices.server.ts'
import { hashPassword } from '#gotrue/passwords.server.ts'
import { authSettings } from '#gotrue/from-config.server.ts'
import { authService } from '#gotrue/service.server.ts'
import { completeSettings, type AuthOptions } from '#gotrue/settings.server.ts'
import { setup } from '#gotrue/setup.server.ts'
import { tokenVerifier } from '#gotrue/tokens.server.ts'
import { actorOf, visitor } from '#actor.ts'
import { makeApp } from '#app.server.ts'
import { logSeals } from '#audit/jobs.server.ts'
import { drillByItself, makeBackup } from '#backups/jobs.server.ts'
import { checkDomain, mailDomainCode } from '#connections/domains/jobs.server.ts'
import { checkProvider } from '#connections/sso/jobs.server.ts'
import { fetchPeople } from '#connections/sources/jobs.server.ts'
import { sourceKey } from '#connections/sources/sources.server.ts'
import { openSender } from '#connections/webhooks/sending.server.ts'
import { webhookKey } from '#connections/webhooks/signing.server.ts'
import { Transactions } from '#lib/transactions.server.ts'
import { keepFreeMailDomains } from '#companies/free-mail.server.ts'
import { keepPlaces } from '#companies/holidays.server.ts'
import { inviteImported, invitePeople, type Invite } from '#employees/jobs.server.ts'
import { takeFetched } from '#employees/imports/receiving.server.ts'
import { workbookWorkers } from '#employees/imports/rows.server.ts'
import { installationKey } from '#installation.server.ts'
import { providerNeedsTwoStep, type Config } from '#lib/config.server.ts'
import { keepCurrencies } from '#lib/currencies.server.ts'
import { openFiles } from '#lib/files.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { startWorker, type Tasks } from '#lib/jobs.server.ts'
import { fingerprintOf } from '#lib/keys.server.ts'
import { openLive } from '#lib/live.server.ts'
import { daysOf } from '#lib/retention.ts'
import { connectStandby, Standby, standbyIn } from '#lib/standby.server.ts'
import { makeLog, type Log } from '#lib/log.server.ts'
import { mailTask, poster } from '#lib/mail.server.ts'
import { makeMetrics, type Metrics } from '#lib/metrics.server.ts'
import { providerKey } from '#lib/provider-secrets.server.ts'
import { migrate, urlFor } from '#lib/migrate.server.ts'
import { openTracer, type Tracer } from '#lib/tracing.server.ts'
import { mailNotifications } from '#notifications/jobs.server.ts'
import { unsubscribing } from '#notifications/unsubscribe.server.ts'
import { forgetEverywhere, makeExport } from '#privacy/jobs.server.ts'
import { openReaders, receiptWorkers, sweepFiles } from '#receipts/jobs.server.ts'
import { makeReport } from '#reports/jobs.server.ts'
import { drawingWorkers, drawPdf } from '#reports/render.server.ts'
import { scheduleOf } from '#schedule.server.ts'
import { plain_tasks } from '#tasks.server.ts'
import { checkAdvisories } from '#system/advisories.server.ts'
import { housekeeping } from '#system/housekeeping.server.ts'
import { ResponseTimes } from '#system/response-times.server.ts'
import { watchServer, watchWorker } from '#system/watch.server.ts'

export type Services = Awaited<ReturnType<typeof openServices>>
type Parts = {
  worker?: boolean
  /** A command only visits: what the settings demand is written down by who serves. */
  visit?: boolean
  /** Answers requests. Not the first of several processes, which leaves that to the others. */
  answers?: boolean
  log?: Log
  now?: () => Date
}

const request_timeout_ms = 15_000

export async function openServices(config: Config, database_url: string, parts: Parts = {}) {
  const log = parts.log ?? makeLog(config.LOG_LEVEL)
  await migrate(database_url)
  const sql = pools(database_url)
  await keepLists(sql.owner)
  if (!parts.visit) await demandTwoStep(sql.owner, providerNeedsTwoStep(config))
  const installation_key = await installationKey(sql.owner, config).catch(async (error) => {
    await closeAll(sql)
    throw error
  })
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
  const { standby, elsewhere, closeStandby } = openStandby(config, sql.owner, log, tracer)
  const drawings = drawingWorkers(log)
  const rooms = {
    key_fingerprint: fingerprintOf(installation_key),
    form_key: createHmac('sha256', installation_key).update('forms').digest(),
    webhook_key: webhookKey(installation_key),
    provider_key: providerKey(installation_key),
    source_key: sourceKey(installation_key),
    files: openFiles({ config, sql: sql.owner, installation_key }),
    workers: receiptWorkers(log),
    workbooks: workbookWorkers(log),
    draw: drawPdf(drawings),
  }
  const times = new ResponseTimes()
  const { DATA_FOLDER: folder, SMTP_URL: smtp_url } = config
  const watched = { sql: sql.owner, log, files: rooms.files, folder, smtp_url, times, standby }
  const watch = parts.answers === false ? undefined : watchServer(watched)
  const shown = { config, log, tracer, metrics, times, live, transactions, standby, elsewhere }
  const app = makeApp({ ...shown, sql, auth, ...rooms, unsubscribing: unsubscribingOf(options) })
  const worker = parts.worker && (await openWorker(config, database_url, sql.owner, log))
  return {
    app,
    sql,
    log,
    installation_key,
    ...rooms,
    /** For the demo world, whose people have sessions without passwords. */
    auth_options: options,
    transactions,
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
      for (const room of [rooms.workers, rooms.workbooks, drawings]) room.close()
      await watch?.close()
      await live.close()
      await tracer?.close()
      await Promise.all([closeStandby(), closeAll(sql)])
    },
  }
}

const standbyOf = (config: Config, primary: Sql, log: Log) =>
  new Standby({ primary, settings: standbyIn(config), name: 'healthfund', log })

function openStandby(config: Config, primary: Sql, log: Log, tracer: Tracer | undefined) {
  const standby = standbyOf(config, primary, log)
  const url = config.DATABASE_READ_URL
  const there = url ? requestsOn(url, connectStandby, 4) : undefined
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

/** Reference data, as the installed packages have it. */
async function keepLists(sql: Sql) {
  await keepFreeMailDomains(sql)
  await keepPlaces(sql)
  await keepCurrencies(sql)
}

const requestsOn = (url: string, open: typeof connect, max: number) =>
  open(urlFor('healthfund_request', url), {
    max,
    name: 'healthfund requests',
    timeout_ms: request_timeout_ms,
    plans_once: true,
  })

const pools = (url: string) => ({
  owner: connect(url, { max: 12, name: 'healthfund owner' }),
  request: requestsOn(url, connect, 12),
  auth: connect(urlFor('healthfund_auth', url), {
    max: 8,
    name: 'healthfund auth',
    timeout_ms: request_timeout_ms,
  }),
})

/** Everything that is done later: each feature's jobs under their names, and what comes by the clock. */
export async function openWorker(config: Config, url: string, sql: Sql, log: Log) {
  await keepCurrencies(sql)
  const installation_key = await installationKey(sql, config)
  const accounts = connect(urlFor('healthfund_auth', url), {
    max: 1,
    name: 'healthfund invitations',
  })
  const options = authOptions({ config, sql: accounts, log, installation_key })
  const files = openFiles({ config, sql, installation_key })
  const drawings = drawingWorkers(log)
  const workbooks = workbookWorkers(log)
  const standby = standbyOf(config, sql, log)
  const invite: Invite = (person_id, letter, from) =>
    mailInvitation(options, person_id, letter, from)
  const tasks: Tasks = {
    ...plain_tasks,
    housekeeping: housekeeping(daysOf(config)),
    'users:invite': invitePeople(invite),
    'imports:invite': inviteImported(invite),
    'people:fetch': fetchPeople({
      installation_key,
      allow: config.WEBHOOK_ALLOW,
      take: takeFetched(workbooks),
    }),
    'receipts:sweep': sweepFiles(files),
    'privacy:export': makeExport(files, { standby, keep_days: config.KEEP_EXPORTS_DAYS }),
    'privacy:forget': forgetEverywhere(Boolean(config.SMTP_URL)),
    'audit:tell': logSeals(),
    'reports:make': makeReport(drawings, standby),
    'domains:check': checkDomain(config.DNS_SERVERS),
    'domains:mail': mailDomainCode(options.post),
    'sso:check': checkProvider(config.SSO_ALLOW),
    'system:advisories': checkAdvisories(config.ADVISORY_REGISTRY),
    'settings:notice': mailNotices(options),
    'notifications:mail': mailNotifications({
      site_url: options.settings.site_url,
      post: options.post,
      links: unsubscribingOf(options),
    }),
  }
  if (config.SMTP_URL) tasks['mail:send'] = mailTask(config.SMTP_URL, config.MAIL_FROM)
  if (config.BACKUP_SCHEDULE) {
    tasks['backups:make'] = makeBackup(config, url)
    tasks['backups:drill'] = drillByItself(config, url)
  }
  const tracer = openTracer(config, log)
  const worker = await startWorker({ url, sql, log, tasks, tracer, schedule: scheduleOf(config) })
  const readers = await openReaders({ url, sql, log, files, size: config.RECEIPT_READERS })
  const sender = openSender({
    url,
    sql,
    log,
    installation_key,
    allow: config.WEBHOOK_ALLOW,
  }).start()
  const watch = watchWorker({ sql, log, locks: () => [...worker.locks(), ...readers.locks()] })
  await askForWhatIsOld(sql)
  await sql`select add_job('decisions:tell', key => 'decisions:tell')` // and then it comes back
  return {
    /** Tells that it lives, as it does by the clock. */
    look: async () => watch?.look(),
    async stop() {
      await watch.close()
      drawings.close() // what is being drawn is drawn by whoever comes next
      await Promise.all([worker.stop(), readers.stop(), sender.close()])
      await tracer?.close()
      await Promise.all([standby.close(), accounts.end({ timeout: 5 })])
    },
  }
}

/** A new installation need not wait for the night to know of its packages, nor a new list of holidays. */
const askForWhatIsOld = (sql: Sql) => sql`
  select add_job(old.task, key => old.task) from (
    select 'system:advisories' as task from private.advisory_check
      where tried_at is null or tried_at < now() - interval '1 day'
    union select 'holidays:keep' from holiday_places where kept_list <> list) old`
const unsubscribingOf = ({ keys, settings }: AuthOptions) =>
  unsubscribing(keys.installation_key, settings.site_url)

async function makePassword({ settings }: AuthOptions) {
  const password = initialPassword()
  const hash = await hashPassword({ settings: completeSettings(settings) }, password)
  return { password, hash }
}

type Opening = { config: Config; sql: Sql; log: Log; installation_key: Buffer; metrics?: Metrics }

const authOptions = ({ config, metrics, installation_key, ...rest }: Opening, now?: () => Date) =>
  ({
    ...rest,
    settings: authSettings(config),
    keys: { installation_key },
    post: poster(Boolean(config.SMTP_URL)),
    mailRefused: (share: string) => metrics?.mails_refused.inc({ share }),
    ...(now ? { now } : {}),
  }) satisfies AuthOptions
