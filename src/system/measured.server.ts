// The database's figures of jobs, mails, workers and backups, read when Prometheus asks.
import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Sql } from '#lib/db.server.ts'

type MeasuredRow = {
  jobs: Record<'queued' | 'running' | 'failing' | 'given_up' | 'mail_waiting', number>
  oldest_seconds: number
  workers: number
  backup_at: number
  late_after_seconds: number
  backup_bytes: number
  drill_at: number
  drill_good: number
  installed_at: number
  used: number
  most: number
  bytes: number
}

type MeasuringInput = {
  registry: Registry
  pools: Record<'owner' | 'request' | 'key', Sql>
  folder: string
}

export function makeMeasuring({ registry, pools, folder }: MeasuringInput): () => Promise<void> {
  const sql = pools.owner
  const registers = [registry]
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `healthfund_${name}`, help, registers, aggregator: 'first' })
  const jobs = new Gauge({
    aggregator: 'first',
    name: 'healthfund_jobs',
    help: 'Jobs by state.',
    labelNames: ['state'],
    registers,
  })
  const mails = gauge('mails_waiting', 'Mails that are not sent yet.')
  const oldest = gauge('oldest_job_seconds', 'How long the oldest waiting job is overdue.')
  const workers = gauge('workers', 'Workers that run.')
  const backup = gauge('last_backup_timestamp_seconds', 'When the last backup was made; 0: never.')
  const late = gauge('backup_late_seconds', 'After how long without another backup it is late.')
  const size = gauge('last_backup_bytes', 'How large the last backup is.')
  const drilled = gauge(
    'last_drill_timestamp_seconds',
    'When a backup was last restored for trial; 0: never.',
  )
  const proven = gauge('last_drill_good', 'Whether that went well: 1 or 0.')
  const installed = gauge('installed_timestamp_seconds', 'When this installation was set up.')
  const used = gauge('database_connections', 'Connections of the database that are in use.')
  const most = gauge('database_connections_most', 'Connections that the database allows.')

  const bytes = gauge('database_bytes', 'How large the database is.')
  const lookHere = makeMeasuringHere({ registry, pools, folder })

  return async () => {
    await lookHere()
    const [measures] = await sql<[MeasuredRow]>`
      select j.jobs, coalesce(extract(epoch from now() - (j.jobs ->> 'oldest_at')::timestamptz), 0)::float8
          as oldest_seconds,
        (select count(*)::int from private.running('worker')) as workers,
        coalesce(extract(epoch from b.at), 0)::float8 as backup_at,
        b.late_after_hours * 3600 as late_after_seconds, coalesce(b.bytes, 0) as backup_bytes,
        coalesce(extract(epoch from d.at), 0)::float8 as drill_at,
        coalesce(d.good, false)::int as drill_good,
        (select extract(epoch from since)::float8 from private.advisory_check) as installed_at,
        (select sum(numbackends)::int from pg_stat_database) as used,
        current_setting('max_connections')::int as most,
        pg_database_size(current_database()) as bytes
      from (select private.jobs_under_way() as jobs) j, private.last_backup b, private.last_drill d`
    for (const state of ['queued', 'running', 'failing', 'given_up'] as const)
      jobs.set({ state }, measures.jobs[state])
    mails.set(measures.jobs.mail_waiting)
    oldest.set(measures.oldest_seconds)
    workers.set(measures.workers)
    backup.set(measures.backup_at)
    late.set(measures.late_after_seconds)
    size.set(measures.backup_bytes)
    drilled.set(measures.drill_at)
    proven.set(measures.drill_good)
    installed.set(measures.installed_at)
    used.set(measures.used)
    most.set(measures.most)
    bytes.set(measures.bytes)
  }
}

/** Figures of this server alone: its own connections, and the disk of its DATA_FOLDER. */
function makeMeasuringHere({ registry, pools, folder }: MeasuringInput) {
  const registers = [registry]
  const [open, waiting] = (['open', 'waiting'] as const).map(
    (what) =>
      new Gauge({
        name: `healthfund_pool_${what}`,
        help: `Of this server’s connections for transactions: ${what}.`,
        labelNames: ['pool'],
        registers,
      }),
  )
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `healthfund_disk_${name}`, help, registers, aggregator: 'first' })
  const free = gauge('free_bytes', 'How much room the disk of DATA_FOLDER has left.')
  const size = gauge('size_bytes', 'How large the disk of DATA_FOLDER is.')
  return async () => {
    for (const [pool, { pool: of }] of Object.entries(pools)) {
      open?.set({ pool }, of.open)
      waiting?.set({ pool }, of.waiting('reads') + of.waiting('writes'))
    }
    // A folder that is not there has no room; System health says why.
    const disk = await statfs(folder).catch(() => undefined)
    free.set(disk ? disk.bavail * disk.bsize : 0)
    size.set(disk ? disk.blocks * disk.bsize : 0)
  }
}
