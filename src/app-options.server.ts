// The parts that the app is made of.
import type { Hono } from 'hono'
import type { tokenVerifier } from '#gotrue/tokens.server.ts'
import type { Draw } from '#funds/my-money/my-paper.server.ts'
import type { SealVerdict } from '#claims/verdicts.server.ts'
import type { MakePassword } from '#employees/employees.server.ts'
import type { Tracer } from '#lib/tracing.server.ts'
import type { Transactions } from '#lib/transactions.server.ts'
import type { Config } from '#lib/config.server.ts'
import type { Elsewhere } from '#lib/standby-reads.server.ts'
import type { Sql } from '#lib/db.server.ts'
import type { Files } from '#lib/files.server.ts'
import type { Live } from '#lib/live.server.ts'
import type { Log } from '#lib/log.server.ts'
import type { Metrics } from '#lib/metrics.server.ts'
import type { Standby } from '#lib/standby.server.ts'
import type { WorkerPool } from '#lib/worker-pool.server.ts'
import type { Actor } from '#actor.ts'
import type { UnsubscribeLinks } from '#notifications/unsubscribe.server.ts'
import type { ResponseTimes } from '#system/response-times.server.ts'
import type { SetupActs } from '#users/users.server.ts'

export type AppOptions = {
  tracer?: Tracer | undefined
  config: Config
  log: Log
  metrics: Metrics
  times: ResponseTimes
  live: Live
  transactions: Transactions<Actor>
  /** Transactions of companies' own systems, under a login of their own. */
  by_key: Transactions<Actor>
  /** The database's standby, where one is set. */
  standby: Standby
  elsewhere: Elsewhere | undefined
  /** The pools, by login: requests ask as people, the owner migrates and works. */
  sql: { request: Sql; key: Sql; owner: Sql }
  auth: {
    service: Hono
    verify: ReturnType<typeof tokenVerifier>
    setup: SetupActs
    /** An initial password and its hash: for accounts that HR makes. */
    makePassword: MakePassword
  }
  /** The fingerprint of the installation's key that this server runs with. */
  key_fingerprint: string
  /** The store of receipts and of people's workbooks, which are made there of what was sent. */
  files: Files
  workers: WorkerPool
  workbooks: WorkerPool
  /** Puts a statement on paper, in a process of its own. */
  draw: Draw
  /** The signed links by which mails are switched off. */
  unsubscribe_links: UnsubscribeLinks
  /** Signs when a form that is open to everybody was opened. */
  form_key: Buffer
  seal_verdict: SealVerdict
  /** Keep what webhooks are signed with, and what lists of employees are fetched with. */
  webhook_key: Buffer
  /** Keeps what identity providers gave. */
  provider_key: Buffer
  source_key: Buffer
}
