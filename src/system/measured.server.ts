// What the database knows of jobs, mails, workers and backups, read when Prometheus asks.
import { Gauge, type Registry } from 'prom-client'
import type { Sql } from '#lib/db.server.ts'

type Seen = {
  jobs: Record<'queued' | 'running' | 'failing' | 'given_up' | 'mail_waiting', number>
  oldest_seconds: number
  workers: number
  backup_at: number
  used: number
  most: number
}

export function measuring(registry: Registry, sql: Sql): () => Promise<void> {
  const registers = [registry]
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `healthfund_${name}`, help, registers })
  const jobs = new Gauge({
    name: 'healthfund_jobs',
    help: 'Jobs by how they stand.',
    labelNames: ['state'],
    registers,
  })
  const mails = gauge('mails_waiting', 'Mails that are not sent yet.')
  const oldest = gauge('oldest_job_seconds', 'How long the oldest waiting job is overdue.')
  const workers = gauge('workers', 'Workers that told of themselves within 45 seconds.')
  const backup = gauge('last_backup_timestamp_seconds', 'When the last backup was made; 0: never.')
  const used = gauge('database_connections', 'Connections of the database that are taken.')
  const most = gauge('database_connections_most', 'Connections that the database has at all.')

  return async () => {
    const [seen] = await sql<[Seen]>`
      select j.jobs, coalesce(extract(epoch from now() - (j.jobs ->> 'oldest_at')::timestamptz), 0)::float8
          as oldest_seconds,
        (select count(*)::int from private.processes
          where kind = 'worker' and told_at > now() - interval '45 seconds') as workers,
        (select coalesce(extract(epoch from at), 0)::float8 from private.last_backup) as backup_at,
        (select sum(numbackends)::int from pg_stat_database) as used,
        current_setting('max_connections')::int as most
      from (select private.jobs_under_way() as jobs) j`
    for (const state of ['queued', 'running', 'failing', 'given_up'] as const)
      jobs.set({ state }, seen.jobs[state])
    mails.set(seen.jobs.mail_waiting)
    oldest.set(seen.oldest_seconds)
    workers.set(seen.workers)
    backup.set(seen.backup_at)
    used.set(seen.used)
    most.set(seen.most)
  }
}
