// The doctor's checks, in the order in which one needs another.
import { stat, statfs } from 'node:fs/promises'
import { createTransport } from 'nodemailer'
import { newestBackup } from '#backups/backup.server.ts'
import { backupBucket, manifestIn, namesIn } from '#backups/bucket.server.ts'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { misspeltIn, warningsOf, type Config } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'
import { faultText } from '#lib/faults.server.ts'
import { openFiles } from '#lib/files.server.ts'
import { fingerprintOf, keyHere, knownFingerprint, lostKey, wrongKey } from '#lib/keys.server.ts'
import { migrationState } from '#lib/migrate.server.ts'
import { standby } from './standby-check.server.ts'
import { version } from '#lib/version.server.ts'
import { probeMail } from '#system/mail-probe.server.ts'
import { probeStorage } from '#system/storage.server.ts'
import { good, warn, wrong, type DoctorFinding } from './findings.server.ts'

type CheckInput = { config: Config; sql: Sql; url: string; mail_to: string | undefined }
type DoctorCheck = (input: CheckInput) => Promise<DoctorFinding[]>

const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`
const hours = (ms: number) => Math.round(ms / 3_600_000)

const settings: DoctorCheck = async ({ config }) => {
  const warnings = warningsOf(config).map((line) =>
    warn('Settings', line.replace(/\.$/, ''), 'see .env.example'),
  )
  for (const name of misspeltIn(process.env))
    warnings.push(warn('Settings', `${name} is none, and nobody reads it`, 'see .env.example'))
  const { OPERATOR_NAME, OPERATOR_ADDRESS, OPERATOR_EMAIL, OPERATOR_COUNTRY, SITE_URL } = config
  const named = OPERATOR_NAME && OPERATOR_ADDRESS && OPERATOR_EMAIL && OPERATOR_COUNTRY
  if (SITE_URL?.startsWith('https:') && !named)
    warnings.push(
      warn('Settings', 'the terms do not say who runs this', 'set all OPERATOR_… settings'),
    )
  return warnings.length > 0 ? warnings : [good('Settings', 'each can be read')]
}

const database: DoctorCheck = async ({ sql }) => {
  try {
    const [found] = await sql<
      [{ version: number; text: string; used: number; most: number; roles: boolean }]
    >`
      select current_setting('server_version_num')::int as version,
        current_setting('server_version') as text,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int as most,
        (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as roles`
    const findings = [
      good('Database', `PostgreSQL ${found.text}, ${found.used} of ${found.most} connections`),
    ]
    if (found.version < 150_000)
      findings.push(wrong('Database', `it is PostgreSQL ${found.text}`, 'bring 15 or newer'))
    if (!found.roles)
      findings.push(wrong('Database', 'its login may not create roles', 'alter role … createrole'))
    if (found.used > found.most * 0.8)
      findings.push(warn('Database', 'few connections are left', 'raise max_connections'))
    return findings
  } catch (error) {
    return [
      {
        ...wrong('Database', faultText(error).replace(/\.$/, ''), 'look at DATABASE_URL'),
        ends_here: true,
      },
    ]
  }
}

const clock: DoctorCheck = async ({ sql }) => {
  const before = Date.now()
  const [{ at }] = await sql<[{ at: number }]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
  const after = Date.now()
  const apart_ms = Math.max(0, before - at, at - after)
  const text = `${Math.round(apart_ms)} ms apart from the database's`
  return [apart_ms < 2_000 ? good('Clock', text) : wrong('Clock', text, 'set both by NTP')]
}

const schema: DoctorCheck = async ({ sql }) => {
  try {
    const state = await migrationState(sql)
    if (state === 'current') return [good('Schema', `as version ${version} wants it`)]
    const text = state === 'empty' ? 'the database is empty' : 'older than this version'
    const finding = warn('Schema', text, 'back up, then start a server: it brings it up to date')
    return [{ ...finding, ends_here: state === 'empty' }]
  } catch (error) {
    return [
      {
        ...wrong('Schema', faultText(error).replace(/\.$/, ''), 'run the version that fits'),
        ends_here: true,
      },
    ]
  }
}

const key: DoctorCheck = async ({ sql, config: { DATA_FOLDER, INSTALLATION_KEY } }) => {
  const [here, known] = [await keyHere(DATA_FOLDER, INSTALLATION_KEY), await knownFingerprint(sql)]
  const fault = !here ? lostKey(DATA_FOLDER) : wrongKey(DATA_FOLDER, INSTALLATION_KEY)
  if (!here || (known && known !== fingerprintOf(here)))
    return [
      {
        ...wrong(
          'Key',
          fault.message.replace(/\.$/, ''),
          'find the right key before anything else',
        ),
        ends_here: true,
      },
    ]
  return [good('Key', 'it is the one of this database')]
}

const storage: DoctorCheck = async ({ sql, config }) => {
  const installation_key = await keyHere(config.DATA_FOLDER, config.INSTALLATION_KEY)
  if (!installation_key) return []
  const files = openFiles({ config, sql, installation_key })
  const { ok, fault } = await probeStorage(files, config.DATA_FOLDER)
  const where = config.S3_ENDPOINT ? `S3 at ${config.S3_ENDPOINT}` : config.DATA_FOLDER
  if (ok) return [good('Files', `${where}: a file was written, read back and removed`)]
  const to_do = config.S3_ENDPOINT ? 'look at the S3_… settings' : 'look at DATA_FOLDER'
  return [wrong('Files', `${where}: ${fault}`, to_do)]
}

/** Space for DATA_FOLDER: with S3 it still has the database of this machine, and the newest backup. */
const disks: DoctorCheck = async ({ config: { DATA_FOLDER, BACKUP_FOLDER } }) => {
  const devices = new Set<number>()
  const findings: DoctorFinding[] = []
  for (const folder of [DATA_FOLDER, BACKUP_FOLDER]) {
    const of = await stat(folder).catch(() => undefined)
    if (!of || devices.has(of.dev)) continue
    devices.add(of.dev)
    const { bavail, blocks, bsize } = await statfs(folder)
    const [free_bytes, size_bytes] = [bavail * bsize, blocks * bsize]
    const text = `${gigabytes(free_bytes)} of ${gigabytes(size_bytes)} are free at ${folder}`
    if (free_bytes < 1024 ** 3) findings.push(wrong('Disk', text, 'make room'))
    else if (free_bytes < size_bytes * 0.2) findings.push(warn('Disk', text, 'make room'))
    else findings.push(good('Disk', text))
  }
  return findings
}

const mail: DoctorCheck = async ({ config, mail_to }) => {
  if (!config.SMTP_URL) return [warn('Mail', 'no mail server is set', 'set SMTP_URL and MAIL_FROM')]
  const { ok, fault } = await probeMail(config.SMTP_URL)
  if (!ok) return [wrong('Mail', `the mail server: ${fault}`, 'look at SMTP_URL')]
  if (!mail_to) return [good('Mail', 'the mail server answers; --mail <address> sends one there')]
  const transport = createTransport({ url: config.SMTP_URL })
  try {
    await transport.sendMail({
      from: config.MAIL_FROM,
      to: mail_to,
      subject: 'Healthfund: a test mail',
      text: 'npm run doctor sent this. If you can read it, mail works.',
    })
    return [good('Mail', `sent to ${mail_to}: look whether it arrives`)]
  } catch (error) {
    return [wrong('Mail', faultText(error), 'look at MAIL_FROM and at what the server may send')]
  } finally {
    transport.close()
  }
}

/** The site as people reach it: through the proxy, which must not make strangers into neighbours. */
const site: DoctorCheck = async ({ config: { SITE_URL } }) => {
  if (!SITE_URL) return [good('Site', 'SITE_URL is not set: for this machine only')]
  const ask = (path: string) =>
    fetch(new URL(path, SITE_URL), { signal: AbortSignal.timeout(5_000) })
  try {
    const alive = (await (await ask('/healthz')).json()) as { version?: string }
    const findings = [good('Site', `${SITE_URL} answers`)]
    if (alive.version !== version)
      findings.push(warn('Site', `it runs version ${alive.version}`, `this is ${version}: upgrade`))
    for (const path of ['/dev/mailbox', '/metrics']) {
      if ((await ask(path)).ok && !/\/\/(localhost|127\.)/.test(SITE_URL))
        findings.push(
          wrong(
            'Proxy',
            `${path} can be read by anybody`,
            'see TLS and the proxy in docs/running.md',
          ),
        )
    }
    return findings
  } catch (error) {
    return [
      warn(
        'Site',
        `${SITE_URL} does not answer (${faultText(error)})`,
        'start a server, look at the proxy',
      ),
    ]
  }
}

type Jobs = { given_up: number; failing: number; queued: number; oldest_at: string | null }

const jobs: DoctorCheck = async ({ sql }) => {
  const [found] = await sql<[{ jobs: Jobs; workers: number }]>`
    select private.jobs_under_way() as jobs,
      (select count(*)::int from private.running('worker')) as workers`
  const { given_up, failing, queued, oldest_at } = found.jobs
  const late_ms = oldest_at ? Date.now() - Date.parse(oldest_at) : 0
  const findings = [
    good('Jobs', `${found.workers} workers, ${queued} waiting, ${failing} to be tried again`),
  ]
  if (found.workers === 0)
    findings.push(warn('Jobs', 'no worker runs', 'npm run worker, or WORKER=on'))
  if (given_up > 0)
    findings.push(
      wrong('Jobs', `${given_up} failed for good`, 'System health says why, and has Retry'),
    )
  if (late_ms > 600_000)
    findings.push(
      wrong(
        'Jobs',
        `the oldest waits for ${Math.round(late_ms / 60_000)} minutes`,
        'start more workers',
      ),
    )
  return findings
}

const backups: DoctorCheck = async ({ config, sql }) => {
  const { BACKUP_FOLDER, BACKUP_LATE_HOURS } = config
  const newest = await newestBackup(BACKUP_FOLDER)
  const to_do = 'npm run backup, each day'
  const findings = await copies(config)
  if (newest) {
    const age = hours(Date.now() - Date.parse(newest.made_at))
    const sealed = newest.sealed_to.length > 0 ? 'encrypted' : 'not encrypted'
    const text = `the newest is ${age} hours old, of version ${newest.version}, ${sealed}`
    findings.unshift(
      age <= BACKUP_LATE_HOURS ? good('Backups', text) : wrong('Backups', text, to_do),
    )
  } else if (findings.length === 0) {
    return [warn('Backups', `none in ${BACKUP_FOLDER}`, to_do)]
  }
  const [kept] = await sql`select to_regclass('private.last_drill') is not null as there`
  if (!kept?.there) return findings // the schema is older, as was said
  const [drill] = await sql<{ at: string; good: boolean; sentence: string }[]>`
    select at, good, sentence from private.last_drill where at is not null`
  if (!drill)
    return [...findings, warn('Drill', 'none was restored for trial', 'npm run drill -- --fresh')]
  const result = `${drill.at.slice(0, 10)}: ${drill.sentence.replace(/\.$/, '')}`
  const then = 'fix it, then npm run drill -- --fresh'
  return [...findings, drill.good ? good('Drill', result) : wrong('Drill', result, then)]
}

async function copies(config: Config): Promise<DoctorFinding[]> {
  const bucket = backupBucket(config)
  if (!bucket) return []
  const where = `${config.BACKUP_S3_BUCKET} at ${config.BACKUP_S3_ENDPOINT}`
  try {
    const newest = (await namesIn(bucket)).at(-1)
    if (!newest) return [warn('Copies', `none in ${where}`, 'npm run backup')]
    const made_at = (await manifestIn(bucket, newest))?.made_at ?? ''
    const text = `the newest in ${where} is ${newest}`
    const late = hours(Date.now() - Date.parse(made_at)) > config.BACKUP_LATE_HOURS
    return [late ? wrong('Copies', text, 'npm run backup') : good('Copies', text)]
  } catch (error) {
    return [wrong('Copies', `${where}: ${faultText(error)}`, 'look at the BACKUP_S3_… settings')]
  }
}

const books: DoctorCheck = async ({ sql }) => {
  const { good: whole, sentence } = await verifyAll(sql, { some: 5 })
  const ledger = whole
    ? good('Ledgers', `of five companies at most, taken at random: ${sentence}`)
    : wrong('Ledgers', sentence, 'stop payouts; npm run ledger:verify')
  const [audit] = await sql<[{ entries: number; fault: string | null; audit_id: number | null }]>`
    select entries, fault, audit_id from verify_audit('00000000-0000-0000-0000-000000000000')`
  return [
    ledger,
    audit.fault
      ? wrong(
          'Audit',
          `${audit.fault} at entry ${audit.audit_id}`,
          'find out who could write there',
        )
      : good('Audit', `${audit.entries} entries of the provider, all good`),
  ]
}

export const checks: DoctorCheck[] = [
  settings,
  database,
  clock,
  standby,
  schema,
  key,
  storage,
  disks,
  mail,
  site,
  jobs,
  backups,
  books,
]
