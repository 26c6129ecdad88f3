import { z } from 'zod'
import { Operator } from '#landing/site.contract.ts'
import { get, post } from '#lib/contract.ts'

/** `unknown` is neither: it could not be found out. `notice` is worth a look, and all goes on. */
export type CheckState = z.infer<typeof CheckState>
export const CheckState = z.enum(['good', 'notice', 'bad', 'unknown'])

export type Check = z.infer<typeof Check>
export const Check = z.object({ state: CheckState, sentence: z.string() })

export type Health = z.infer<typeof Health>
export const Health = z.object({
  at: z.iso.datetime({ offset: true }),
  operational: z.boolean(),
  /** All systems operational, or why not. */
  sentence: z.string(),
  servers: z.int(),
  api: Check.extend({
    requests: z.int(),
    faults: z.int(),
    p50_ms: z.number().nullable(),
    p95_ms: z.number().nullable(),
    p99_ms: z.number().nullable(),
    /** The last fifteen minutes, oldest first; null where nobody asked for anything. */
    minutes: z.object({ minute: z.string(), p95_ms: z.number().nullable() }).array(),
  }),
  database: Check.extend({
    ping_ms: z.number(),
    connections: z.int(),
    connections_max: z.int(),
    cache_hit_percent: z.number().nullable(),
    size_bytes: z.int(),
  }),
  claims: Check.extend({
    waiting: z.int().nullable(),
    overdue: z.int().nullable(),
    oldest_at: z.iso.datetime({ offset: true }).nullable(),
  }),
  jobs: Check.extend({
    queued: z.int(),
    running: z.int(),
    failing: z.int(),
    given_up: z.int(),
    failures: z
      .object({ task: z.string(), jobs: z.int(), since: z.string(), reason: z.string() })
      .array(),
  }),
  storage: Check.extend({ free_bytes: z.number().nullable(), size_bytes: z.number().nullable() }),
  mail: Check.extend({ waiting: z.int(), sent_at: z.string().nullable() }),
  worker: Check.extend({ workers: z.int(), seen_at: z.string().nullable() }),
  backups: Check.extend({
    at: z.string().nullable(),
    version: z.string().nullable(),
    bytes: z.number().nullable(),
    drill: z.object({ at: z.string(), good: z.boolean(), sentence: z.string() }).nullable(),
  }),
  /** Null where none is set. */
  standby: Check.extend({ as_of: z.string().nullable() }).nullable(),
  updates: Check.extend({
    checked_at: z.string().nullable(),
    packages: z.int().nullable(),
    enabled: z.boolean(),
    pending: z
      .object({
        package: z.string(),
        version: z.string(),
        title: z.string(),
        severity: z.string(),
        url: z.string().nullable(),
      })
      .array(),
  }),
})

export type PlatformFigures = z.infer<typeof PlatformFigures>
export const PlatformFigures = z.object({
  /** How many days ago the figures `before` are of. */
  days: z.int(),
  companies: z.int(),
  companies_before: z.int(),
  employees: z.int(),
  employees_before: z.int(),
  /** One line for each currency, that of most companies first: currencies are never added. */
  money: z
    .object({
      currency: z.string(),
      companies: z.int(),
      managed_cents: z.int(),
      managed_before_cents: z.int(),
      /** Null if fewer than five people used it, or if it would reveal what those used. */
      used_cents: z.int().nullable(),
      used_before_cents: z.int().nullable(),
      /** How much of what is managed is used; null where nothing is managed, or it is not shown. */
      percent: z.int().nullable(),
      percent_before: z.int().nullable(),
    })
    .array(),
})

/** How this installation is set up, without its secrets; what is not set is null. */
export type Installation = z.infer<typeof Installation>
export const Installation = z.object({
  version: z.string(),
  operator: Operator,
  site_url: z.string().nullable(),
  mail: z.object({ server: z.string().nullable(), from: z.string() }),
  /** The folder, or the bucket and where it is. */
  files: z.string(),
  backups: z.object({
    schedule: z.string().nullable(),
    keep: z.object({ days: z.int(), weeks: z.int(), months: z.int() }),
    place: z.string(),
    encrypted: z.boolean(),
    drill: z.string().nullable(),
  }),
  limits: z.object({
    session_days: z.int(),
    session_idle_days: z.int(),
    admin_session_hours: z.int(),
    admin_idle_minutes: z.int(),
    mail_per_hour: z.int(),
  }),
})

export const system = {
  installation: get('/system/installation', z.object({}), Installation),
  /** The test mail goes to whoever asks. */
  test_mail: post('/system/mail/test', z.object({}), z.object({ to: z.string() })),
  health: get('/system/health', z.object({}), Health),
  figures: get('/system/figures', z.object({}), PlatformFigures),
  retry_jobs: post('/system/jobs/retry', z.object({}), z.object({ jobs: z.int() })),
  check_updates: post('/system/updates/check', z.object({}), z.object({ requested: z.boolean() })),
}
