// Everything that is done later: each feature's jobs under their names, and what comes by the clock. In the server's
// process, or in one of its own.
import { mailInvitation } from '#gotrue/accounts.server.ts'
import { mailNotices } from '#gotrue/notices.server.ts'
import { logSeals } from '#audit/jobs.server.ts'
import { scheduledDrill, makeBackup } from '#backups/jobs.server.ts'
import { checkDomain, mailDomainCode } from '#connections/domains/jobs.server.ts'
import { checkProvider } from '#connections/sso/jobs.server.ts'
import { fetchPeople } from '#connections/sources/jobs.server.ts'
import { openSender } from '#connections/webhooks/sending.server.ts'
import { inviteImported, invitePeople, type SendInvitation } from '#employees/jobs.server.ts'
import { takeFetched } from '#employees/imports/receiving.server.ts'
import { workbookWorkers } from '#employees/imports/rows.server.ts'
import { installationKey } from '#installation.server.ts'
import type { Config } from '#lib/config.server.ts'
import { keepCurrencies } from '#lib/currencies.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { startWorker, type Tasks } from '#lib/jobs.server.ts'
import { daysOf } from '#lib/retention.ts'
import type { Log } from '#lib/log.server.ts'
import { mailTask } from '#lib/mail.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { openTracer } from '#lib/tracing.server.ts'
import { mailNotifications } from '#notifications/jobs.server.ts'
import { forgetEverywhere, makeExport } from '#privacy/jobs.server.ts'
import { openReaders, sweepFiles } from '#receipts/jobs.server.ts'
import { makeReport } from '#reports/jobs.server.ts'
import { drawingWorkers } from '#reports/render.server.ts'
import { scheduleOf } from '#schedule.server.ts'
import { plain_tasks } from '#tasks.server.ts'
import { checkAdvisories } from '#system/advisories.server.ts'
import { housekeeping } from '#system/housekeeping.server.ts'
import { watchWorker } from '#system/watch.server.ts'
import { authOptions, unsubscribeLinksOf } from '#auth-options.server.ts'
import { openFiles, type Files } from '#lib/files.server.ts'
import { standbyOf, type Standby } from '#lib/standby.server.ts'
import type { WorkerPool } from '#lib/worker-pool.server.ts'

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
  const tasks = tasksOf({ config, url, options, files, drawings, workbooks, standby })
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
  await sql`select add_job('decisions:notify', key => 'decisions:notify')` // and then it comes back
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

type TaskNeeds = {
  config: Config
  url: string
  options: ReturnType<typeof authOptions>
  files: Files
  drawings: WorkerPool
  workbooks: WorkerPool
  standby: Standby
}

function tasksOf({ config, url, options, files, drawings, workbooks, standby }: TaskNeeds): Tasks {
  const invite: SendInvitation = (person_id, mail_kind, from) =>
    mailInvitation(options, person_id, mail_kind, from)
  const tasks: Tasks = {
    ...plain_tasks,
    housekeeping: housekeeping(daysOf(config)),
    'users:invite': invitePeople(invite),
    'imports:invite': inviteImported(invite),
    'people:fetch': fetchPeople({
      installation_key: options.keys.installation_key,
      allow: config.WEBHOOK_ALLOW,
      take: takeFetched(workbooks),
    }),
    'receipts:sweep': sweepFiles(files),
    'privacy:export': makeExport(files, { standby, days: daysOf(config) }),
    'privacy:forget': forgetEverywhere(Boolean(config.SMTP_URL)),
    'audit:log_seals': logSeals(),
    'reports:make': makeReport(drawings, standby),
    'domains:check': checkDomain(config.DNS_SERVERS),
    'domains:mail': mailDomainCode(options.post),
    'sso:check': checkProvider(config.SSO_ALLOW),
    'system:advisories': checkAdvisories(config.ADVISORY_REGISTRY),
    'settings:notice': mailNotices(options),
    'notifications:mail': mailNotifications({
      site_url: options.settings.site_url,
      post: options.post,
      links: unsubscribeLinksOf(options),
    }),
  }
  if (config.SMTP_URL) tasks['mail:send'] = mailTask(config.SMTP_URL, config.MAIL_FROM)
  if (config.BACKUP_SCHEDULE) {
    tasks['backups:make'] = makeBackup(config, url)
    tasks['backups:drill'] = scheduledDrill(config, url)
  }
  return tasks
}

/** A new installation need not wait for the night to know of its packages, nor a new list of holidays. */
const askForWhatIsOld = (sql: Sql) => sql`
  select add_job(old.task, key => old.task) from (
    select 'system:advisories' as task from private.advisory_check
      where tried_at is null or tried_at < now() - interval '1 day'
    union select 'holidays:keep' from holiday_places where kept_list <> list) old`
