// A bundle that an operator may send when asking for help: settings by name, figures, states. No person, company, address
// or secret: free text stays out, whatever it says.
import { writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform, release, totalmem } from 'node:os'
import { env_vars, type Config } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'
import { version } from '#lib/version.server.ts'
import type { DoctorFinding } from './findings.server.ts'

type Bundled = { config: Config; sql: Sql; found: DoctorFinding[] }

export async function writeBundle(file: string, { config, sql, found }: Bundled): Promise<void> {
  const bundle = {
    version,
    made_at: new Date().toISOString(),
    machine: {
      node: process.version,
      platform: platform(),
      release: release(),
      arch: arch(),
      cores: availableParallelism(),
      memory_bytes: totalmem(),
    },
    settings: Object.fromEntries(
      Object.entries(config).map(([name, value]) => [name, harmless(name, value)]),
    ),
    // The sentences name companies, folders and hosts, so only the subject and state of each check are included.
    found: found.map(({ what, state }) => ({ what, state })),
    ...(found.some(({ ends_here }) => ends_here) ? {} : { database: await figuresOf(sql) }),
  }
  await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
}

/** Numbers and switches are included; of any other setting only whether it is set. */
function harmless(name: string, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const usual = env_vars[name as keyof typeof env_vars].shape.safeParse(undefined)
  const is_usual = usual.success && JSON.stringify(usual.data) === JSON.stringify(value)
  return is_usual ? 'as it comes' : 'set'
}

async function figuresOf(sql: Sql) {
  const [database] = await sql`
    select current_setting('server_version') as postgres, pg_database_size(current_database()) as bytes,
      current_setting('max_connections')::int as connections_most,
      (select sum(numbackends)::int from pg_stat_database) as connections,
      current_setting('TimeZone') as time_zone`
  return {
    ...database,
    migrations: await sql`select name, hash, at from migrations order by name`,
    tables: await sql`
      select schemaname || '.' || relname as name, n_live_tup as rows, pg_total_relation_size(relid) as bytes,
        seq_scan, idx_scan, n_dead_tup as dead, last_autovacuum
      from pg_stat_user_tables order by 3 desc, 1`,
    // An error's text may name people, so only its task and its count are included.
    jobs: await sql`
      select task_identifier as task, count(*)::int as jobs, max(attempts)::int as attempts,
        count(*) filter (where last_error is not null)::int as failed, min(run_at) as oldest
      from graphile_worker.jobs group by 1 order by 1`,
    processes: await sql`
      select kind, heartbeat_at, storage -> 'ok' as storage_ok, mail -> 'ok' as mail_ok
      from private.processes order by heartbeat_at`,
    minutes: await sql`
      select minute, sum(faults)::int as faults from private.response_minutes
      group by 1 order by 1 desc limit 60`,
    last_backup: await sql`select at, version, bytes, late_after_hours from private.last_backup`,
    last_drill: await sql`select at, good from private.last_drill`,
  }
}
