// Long reads on a standby, if there is one; each knows as of when it read. A read that fails there, because the standby is away,
// late or in conflict with what it replays, is done on the primary.
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from './config.server.ts'
import { connect, type ConnectOptions, type Sql, type Tx } from './db.server.ts'
import type { Log } from './log.server.ts'

/** The moment up to which everything committed is in what was read. */
export type ReadAsOf = { as_of: string; standby: boolean }
export type StandbySettings = { url: string; late_seconds: number }
export type StandbyState = { as_of: string | null; fault: string | null }

/** The standby gets this long to replay what was done just before somebody asked. */
const catch_up_ms = 1_000
const look_again_ms = 40
const connect_within_ms = 2_000

export const standbyIn = (config: Config): StandbySettings | undefined =>
  config.DATABASE_READ_URL
    ? { url: config.DATABASE_READ_URL, late_seconds: config.DATABASE_READ_LATE_SECONDS }
    : undefined

export const connectStandby = (url: string, options: ConnectOptions = {}) =>
  connect(url, { ...options, connect_timeout_ms: connect_within_ms })

type StandbyOptions = {
  primary: Sql
  settings: StandbySettings | undefined
  name: string
  log: Pick<Log, 'warn'>
  max?: number
}

export class Standby {
  /** The result of the last check; nothing where no standby is set. */
  state: StandbyState | undefined
  readonly #primary: Sql
  readonly #there: Sql | undefined
  readonly #late_seconds: number
  readonly #log: Pick<Log, 'warn'>

  constructor({ primary, settings, name, log, max = 2 }: StandbyOptions) {
    this.#primary = primary
    this.#log = log
    this.#late_seconds = settings?.late_seconds ?? 0
    this.#there = settings && connectStandby(settings.url, { max, name: `${name} on a standby` })
  }

  /** A standby that is not set: the primary answers. */
  static none = (primary: Sql, log: StandbyOptions['log']) =>
    new Standby({ primary, settings: undefined, name: '', log })

  /** Reads in one snapshot that writes nothing. If the standby ends it for any reason, the primary does it again. */
  async read<T>(work: (tx: Tx, at: ReadAsOf) => Promise<T>): Promise<T> {
    const there = this.#there
    const as_of = there && (await this.ready())
    if (there && as_of) {
      try {
        return await snapshotOf(there, (tx) => work(tx, { as_of, standby: true }))
      } catch (error) {
        this.failed(error)
      }
    }
    return snapshotOf(this.#primary, async (tx) => {
      const [{ as_of }] = await tx<[{ as_of: string }]>`select now() as as_of`
      return work(tx, { as_of, standby: false })
    })
  }

  /** The moment as of which it would read now; undefined if the primary has to, which is logged. */
  async ready(): Promise<string | undefined> {
    const found = await this.look()
    if (found?.fault) this.#log.warn({ reason: found.fault }, 'reads on the primary')
    return found?.as_of && !found.fault ? found.as_of : undefined
  }

  failed(error: unknown) {
    this.#log.warn({ err: error }, 'a read on the standby failed and is done on the primary')
  }

  async look(): Promise<StandbyState | undefined> {
    if (!this.#there) return undefined
    // Writes come first: the standby must have replayed them.
    const [primary] = await this.#primary<[Here]>`
      select clock_timestamp() as at, pg_current_wal_flush_lsn()::text as position,
        system_identifier::text as system from pg_control_system()`
    this.state = await this.#lookAt(this.#there, primary).catch((error: unknown) => ({
      as_of: null,
      fault: reasons[(error as { code?: string }).code ?? ''] ?? 'it does not answer',
    }))
    return this.state
  }

  async #lookAt(there: Sql, primary: Here): Promise<StandbyState> {
    const deadline = performance.now() + catch_up_ms
    for (;;) {
      const [found] = await there<[There]>`
        select system_identifier::text as system, pg_is_in_recovery() as replays,
          pg_last_wal_replay_lsn() >= ${primary.position}::pg_lsn as there,
          pg_last_xact_replay_timestamp() as replayed_at from pg_control_system()`
      if (found.system !== primary.system)
        return { as_of: null, fault: 'it is of another database' }
      if (!found.replays) return { as_of: null, fault: 'it takes writes, so it is no standby' }
      if (found.there) return { as_of: primary.at, fault: null }
      if (performance.now() > deadline) return this.#late(found.replayed_at, primary.at)
      await pause(look_again_ms)
    }
  }

  #late(as_of: string | null, now: string): StandbyState {
    if (as_of === null) return { as_of, fault: 'it has replayed nothing yet' }
    const late_ms = Date.parse(now) - Date.parse(as_of)
    if (late_ms <= this.#late_seconds * 1000) return { as_of, fault: null }
    return { as_of, fault: `it is ${Math.round(late_ms / 1000)} seconds late` }
  }

  close = async () => this.#there?.end({ timeout: 5 })
}

const reasons: Record<string, string> = {
  '28P01': 'it refuses our login',
  '3D000': 'it has no such database',
  '57P03': 'it is starting',
}

type Here = { system: string; position: string; at: string }
type There = { system: string; replays: boolean; there: boolean; replayed_at: string | null }

const snapshotOf = <T>(sql: Sql, work: (tx: Tx) => Promise<T>) =>
  sql.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`
    return work(tx)
  })

export const standbyOf = (config: Config, primary: Sql, log: Log) =>
  new Standby({ primary, settings: standbyIn(config), name: 'healthfund', log })
