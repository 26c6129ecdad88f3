// The verdict on the measurements: each part's state and sentence, and the one line over all of them.
import { countedInEnglish } from '#lib/counted.ts'
import type { StandbyState } from '#lib/standby.server.ts'
import type { Check, Health } from './system.contract.ts'
import { percentile, sumOfCounts } from './steps.ts'

export type Measured = {
  at: string
  servers: {
    storage: {
      ok: boolean
      fault: string | null
      free_bytes: number | null
      size_bytes: number | null
    }
    mail: { server: boolean; ok: boolean; fault: string | null }
  }[]
  workers: number
  worker_seen_at: string | null
  minutes: { minute: string; faults: number; counts: number[] }[]
  database: {
    hits: number
    reads: number
    connections: number
    connections_max: number
    size_bytes: number
  }
  jobs: {
    queued: number
    running: number
    failing: number
    given_up: number
    oldest_at: string | null
    failures: { task: string; jobs: number; since: string; reason: string }[]
    mail_waiting: number
    mail_failing_since: string | null
  }
  mail_sent_at: string | null
  claims: { waiting: number; overdue: number; oldest_at: string | null } | null
  backups: Omit<Health['backups'], 'state' | 'sentence'> & {
    late_after_hours: number
    since: string
  }
  updates: {
    tried_at: string | null
    checked_at: string | null
    packages: number | null
    findings: Health['updates']['pending']
    fault: string | null
  }
}

/** The state where the operator does not want the registry to be asked. */
export const turned_off = 'it is turned off'

const slow_p95_ms = 1_000
const slow_ping_ms = 250
const late_job_ms = 5 * 60_000
const little_bytes = 1024 ** 3
const day_ms = 86_400_000

const good = (sentence: string): Check => ({ state: 'good', sentence })
const notice = (sentence: string): Check => ({ state: 'notice', sentence })
const bad = (sentence: string): Check => ({ state: 'bad', sentence })
const unknown = (sentence: string): Check => ({ state: 'unknown', sentence })

/** The measurements of this server itself. */
type ServerMeasures = { ping_ms: number; standby: StandbyState | undefined }

export function verdictOf(measured: Measured, { ping_ms, standby }: ServerMeasures): Health {
  const parts = {
    api: apiOf(measured),
    database: databaseOf(measured, ping_ms),
    claims: claimsOf(measured),
    jobs: jobsOf(measured),
    storage: storageOf(measured),
    mail: mailOf(measured),
    worker: workerOf(measured),
    backups: backupsOf(measured),
    standby: standbyOf(standby),
    updates: updatesOf(measured),
  }
  // An update that waits stops nothing, and how busy companies' HR is says nothing of the systems: each has its
  // own place.
  const { updates: _, claims: __, ...working } = parts
  const known = Object.values(working).filter((part) => part !== null)
  const wrong = known.filter(({ state }) => state === 'bad')
  const notices = known.filter(({ state }) => state === 'notice')
  const sentences = (wrong.length > 0 ? wrong : notices).map(({ sentence }) => sentence).join(' · ')
  return {
    at: measured.at,
    operational: wrong.length === 0,
    sentence:
      wrong.length > 0
        ? sentences
        : notices.length > 0
          ? `All systems operational. Worth a look: ${sentences}`
          : 'All systems operational',
    servers: measured.servers.length,
    ...parts,
  }
}

function apiOf({ minutes, at }: Measured): Health['api'] {
  const counts = sumOfCounts(minutes.map(({ counts }) => counts))
  const requests = counts.reduce((sum, number) => sum + number, 0)
  const faults = minutes.reduce((sum, minute) => sum + minute.faults, 0)
  const [p50_ms, p95_ms, p99_ms] = [0.5, 0.95, 0.99].map((share) => percentile(counts, share))
  const known = new Map(minutes.map(({ minute, counts }) => [Date.parse(minute), counts]))
  const now = Math.floor(Date.parse(at) / 60_000) * 60_000
  const shown = Array.from({ length: 15 }, (_, ago) => now - (14 - ago) * 60_000).map((time) => ({
    minute: new Date(time).toISOString(),
    p95_ms: percentile(known.get(time) ?? [], 0.95),
  }))
  const check =
    requests === 0
      ? good('No requests in the last 15 minutes')
      : faults >= 5 && faults > requests * 0.05
        ? bad(
            countedInEnglish(
              faults,
              'of the last answers was a fault',
              'of the last answers were faults',
            ),
          )
        : (p95_ms ?? 0) > slow_p95_ms
          ? notice('The API answers slowly')
          : faults > 0
            ? notice(`${countedInEnglish(faults, 'fault')} in the last 15 minutes`)
            : good('The API answers quickly')
  return {
    ...check,
    requests,
    faults,
    p50_ms: p50_ms ?? null,
    p95_ms: p95_ms ?? null,
    p99_ms: p99_ms ?? null,
    minutes: shown,
  }
}

function databaseOf({ database }: Measured, ping_ms: number): Health['database'] {
  const { connections, connections_max, hits, reads, size_bytes } = database
  const blocks = hits + reads
  const cache_hit_percent = blocks > 0 ? (100 * hits) / blocks : null
  const check =
    connections > connections_max * 0.9
      ? notice('The database is nearly out of connections')
      : ping_ms > slow_ping_ms
        ? notice('The database answers slowly')
        : blocks > 1_000_000 && (cache_hit_percent ?? 100) < 90
          ? notice('The database has too little memory for what is asked of it')
          : good('The database answers')
  return { ...check, ping_ms, connections, connections_max, cache_hit_percent, size_bytes }
}

function claimsOf({ claims }: Measured): Health['claims'] {
  if (!claims) {
    const nothing = { waiting: null, overdue: null, oldest_at: null }
    return { ...good('No claims to process'), ...nothing }
  }
  const { waiting, overdue, oldest_at } = claims
  const check =
    overdue > 0
      ? notice(`${countedInEnglish(overdue, 'claim is', 'claims are')} past the review target`)
      : good(
          waiting === 0
            ? 'No claims are waiting'
            : countedInEnglish(waiting, 'claim waits', 'claims wait'),
        )
  return { ...check, waiting, overdue, oldest_at }
}

function jobsOf({ jobs, at, workers }: Measured): Health['jobs'] {
  const { queued, running, failing, given_up, oldest_at, failures } = jobs
  const late = oldest_at !== null && Date.parse(at) - Date.parse(oldest_at) > late_job_ms
  const check =
    late && workers > 0
      ? bad('Jobs wait for more than five minutes')
      : given_up > 0
        ? notice(`${countedInEnglish(given_up, 'job')} failed for good`)
        : failing > 0
          ? notice(`${countedInEnglish(failing, 'job')} failed and will be tried again`)
          : good(
              queued > 0
                ? countedInEnglish(queued, 'job waits', 'jobs wait')
                : 'No jobs are waiting',
            )
  return { ...check, queued, running, failing, given_up, failures }
}

function storageOf({ servers }: Measured): Health['storage'] {
  const findings = servers.map(({ storage }) => storage)
  const least = findings
    .filter(({ free_bytes }) => free_bytes !== null)
    .sort((a, b) => (a.free_bytes ?? 0) - (b.free_bytes ?? 0))[0]
  const { free_bytes = null, size_bytes = null } = least ?? {}
  const broken = findings.find(({ ok }) => !ok)
  const check = broken
    ? bad(`Files can’t be kept: ${broken.fault}`)
    : findings.length === 0
      ? unknown('Storage has not been checked yet')
      : free_bytes !== null && free_bytes < Math.min(little_bytes, (size_bytes ?? 0) * 0.05)
        ? notice('The disk is nearly full')
        : good('Files can be saved')
  return { ...check, free_bytes, size_bytes }
}

function mailOf({ servers, jobs, mail_sent_at, at }: Measured): Health['mail'] {
  const findings = servers.map(({ mail }) => mail)
  const { mail_waiting, mail_failing_since } = jobs
  const broken = findings.find(({ ok }) => !ok)
  const check = broken
    ? bad(`Mail can’t be sent: ${broken.fault}`)
    : mail_failing_since
      ? notice(`Mail fails for ${agoOf(mail_failing_since, at)}`)
      : findings.length === 0
        ? unknown('Mail has not been checked yet')
        : findings.some(({ server }) => server)
          ? good('The mail server answers')
          : good('No mail server is set: mail stays in the mailbox')
  return { ...check, waiting: mail_waiting, sent_at: mail_sent_at }
}

function workerOf({ workers, worker_seen_at, at }: Measured): Health['worker'] {
  const check =
    workers > 0
      ? good(countedInEnglish(workers, 'worker is running', 'workers are running'))
      : bad(
          worker_seen_at
            ? `No worker runs for ${agoOf(worker_seen_at, at)}`
            : 'No worker runs: jobs are not done',
        )
  return { ...check, workers, seen_at: worker_seen_at }
}

/** A new installation has a while until somebody is reminded of its first one. */
const first_backup_within_ms = 2 * day_ms

function backupsOf({ backups, at }: Measured): Health['backups'] {
  const { late_after_hours, since, ...known } = backups
  const { at: made_at, drill } = backups
  const ageOf = (moment: string) => Date.parse(at) - Date.parse(moment)
  const check =
    made_at === null
      ? ageOf(since) > first_backup_within_ms
        ? notice('No backup was made yet')
        : unknown('No backup was made yet')
      : ageOf(made_at) > late_after_hours * 3_600_000
        ? bad(`The last backup was made ${agoOf(made_at, at)} ago`)
        : drill?.good === false
          ? bad('The last backup that was restored for trial is not good')
          : good('Backups are made')
  return { ...check, ...known }
}

function standbyOf(state: StandbyState | undefined): Health['standby'] {
  if (!state) return null
  const { as_of, fault } = state
  const check = fault
    ? notice(
        `The standby isn’t read: ${fault}. Reports, exports and backups read the database itself`,
      )
    : good('Reports, exports and backups read the standby')
  return { ...check, as_of }
}

const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const dayOf = (moment: string) => long.format(new Date(moment))

function updatesOf({ updates, at }: Measured): Health['updates'] {
  const { checked_at, fault, findings: pending, packages } = updates
  const why = fault ? `: ${fault}` : ''
  const stale = checked_at === null || Date.parse(at) - Date.parse(checked_at) > 2 * day_ms
  const check = stale
    ? unknown((checked_at ? `Last checked on ${dayOf(checked_at)}` : 'Not checked yet') + why)
    : pending.length > 0
      ? notice(`${countedInEnglish(pending.length, 'security update')} pending`)
      : good('No pending security updates')
  return { ...check, checked_at, packages, pending, enabled: fault !== turned_off }
}

function agoOf(time: string, at: string): string {
  const minutes = Math.round((Date.parse(at) - Date.parse(time)) / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return countedInEnglish(minutes, 'minute')
  return minutes < 2880
    ? countedInEnglish(Math.round(minutes / 60), 'hour')
    : countedInEnglish(Math.round(minutes / 1440), 'day')
}
