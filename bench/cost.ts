// The cost of an act: the processor’s time of the server and of PostgreSQL, the log written and the rows changed,
// beside what the plain statement takes of PostgreSQL in the same run, and for reads a bare server with it. Rates depend on what else the machine does; these hardly do.
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '#lib/db.server.ts'
import {
  approvalOf,
  makePendingClaims,
  sendFor,
  submissionBy,
  type PlannedRequest,
} from './claims.ts'
import { readCpu, unmeasured } from './cpu.ts'
import { dashboard_reads, togetherPath } from './dashboards.ts'
import { recordNotMeasured, rate, record, type MeasuredRate } from './measure.ts'
import { openRaw, rawApprove, rawSubmit } from './raw-claims.ts'
import { openPool, type RunningServer, type BenchStage } from './stage.ts'
import { openWorld, pick, type Signed, type World } from './world.ts'

const clients = 8
const workload = 'cost'

type MeasuredAct = {
  name: string
  run: (seconds: number) => Promise<MeasuredRate>
  /** The same writes as plain statements, the same reads by a bare server. */
  plain?: (seconds: number) => Promise<MeasuredRate>
  goals: { node: number; postgres: number }
  writes?: boolean
}

export async function cost(stage: BenchStage, seconds: number) {
  if (unmeasured) {
    recordNotMeasured(workload, 'processor time per act', '', unmeasured)
    return
  }
  const sql = openPool(stage.url, 4)
  const raw = openPool(stage.url, clients)
  try {
    const size = { companies: 20, people: 100, signed: 60, name: 'cost' }
    const world = await openWorld(stage, sql, size)
    await openRaw(sql)
    const meter = meterOf(stage, sql)
    for (const act of await acts(stage, world, { sql, raw }, seconds)) {
      await measured(act, meter, seconds, sql)
    }
  } finally {
    await raw.end()
    await sql.end()
  }
}

async function measured(act: MeasuredAct, meter: Meter, seconds: number, sql: Sql) {
  const { name, run, plain, goals, writes = false } = act
  await run(3) // warm: a server that just started is still compiling what it runs
  await sql`analyze` // as autovacuum does: what was planned for empty tables is planned again
  const plainly = plain && (await costPerAct(meter, () => plain(seconds), seconds, false))
  const ours = await costPerAct(meter, () => run(seconds), seconds, writes)
  const line = (unit: string, value: number, goal?: number, baseline?: number) =>
    record({
      workload,
      name,
      value,
      unit,
      ...(baseline === undefined ? {} : { baseline }),
      goal: goal === undefined ? '' : `≤ ${goal}`,
      holds: (_, measured_value) => goal === undefined || measured_value <= goal,
    })
  line('ms CPU, server', ours.server_ms, goals.node, writes ? undefined : plainly?.server_ms)
  line('ms CPU, PostgreSQL', ours.postgres_ms, goals.postgres, plainly?.postgres_ms)
  if (!writes) return
  line('bytes of WAL', ours.wal_bytes)
  line('rows written', ours.rows)
}

type UsedResources = { server_ms: number; postgres_ms: number; wal_bytes: number; rows: number }
type Meter = (settled: boolean) => Promise<UsedResources>

export async function costPerAct(
  meter: Meter,
  run: () => Promise<MeasuredRate>,
  seconds: number,
  writes: boolean,
) {
  const before = await meter(writes)
  const { per_second, failed, refused_with } = await run()
  const after = await meter(writes)
  if (failed > 0)
    throw new Error(`${failed} of them failed (${refused_with}): what they cost says nothing`)
  const each = (of: keyof UsedResources) => (after[of] - before[of]) / (per_second * seconds)
  return {
    server_ms: each('server_ms'),
    postgres_ms: each('postgres_ms'),
    wal_bytes: each('wal_bytes'),
    rows: each('rows'),
  }
}

/** PostgreSQL tells of rows once its connections have been idle for ten seconds. */
const rows_told_ms = 11_000

export const meterOf =
  ({ origin }: RunningServer, sql: Sql): Meter =>
  async (settled) => {
    if (settled) await pause(rows_told_ms)
    const cpu = await readCpu(origin)
    if (!cpu) throw new Error('Nothing is measured here')
    const [wal] = await sql<[{ wal_bytes: number; rows: number }]>`
      select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal_bytes,
        (tup_inserted + tup_updated + tup_deleted)::float8 as rows
      from pg_stat_database where datname = current_database()`
    return { ...cpu, ...wal }
  }

async function acts(
  stage: BenchStage,
  world: World,
  { sql, raw }: { sql: Sql; raw: Sql },
  seconds: number,
): Promise<MeasuredAct[]> {
  const people = world.companies.flatMap((company) => company.people)
  const admins = world.companies.map(({ admin }) => admin)
  const byId = new Map(world.companies.map(({ id, admin }) => [id, admin]))
  const types = new Map(world.companies.map(({ id, type_id }) => [id, type_id]))
  const most = seconds * 3000
  const waiting = await makePendingClaims(sql, 'public', world.companies, most)
  const bare = await makePendingClaims(sql, 'raw', world.companies, most * 2)
  const send = (next: () => PlannedRequest) => (time: number) => sendFor(stage, next, time, clients)
  const read = (who: Signed[], paths: string[]) => {
    let asked_so_far = 0
    return send(() => ({
      token: pick(who).token,
      path: paths[(asked_so_far += 1) % paths.length] ?? '',
    }))
  }
  const plainly = (work: () => Promise<unknown>) => (time: number) => rate(work, clients, time)
  return [
    {
      name: 'submit a claim',
      run: send(submissionBy(people, types)),
      plain: plainly(() => rawSubmit(raw, pick(people), types)),
      goals: { node: 1, postgres: 1.8 },
      writes: true,
    },
    {
      name: 'approve a claim',
      run: send(approvalOf(waiting, byId)),
      plain: plainly(() => rawApprove(raw, bare.pop()!, byId)),
      goals: { node: 1, postgres: 1.8 },
      writes: true,
    },
    {
      name: 'my claims, newest 20',
      run: read(people, ['/api/claims/mine']),
      plain: send(() => {
        const { token, id, company_id } = pick(people)
        return { token, path: `/bare/claims/${company_id}/${id}` }
      }),
      goals: { node: 0.5, postgres: 0.35 },
    },
    {
      name: 'who am I',
      run: read(people, ['/api/me']),
      plain: send(() => {
        const { token, id } = pick(people)
        return { token, path: `/bare/person/${id}` }
      }),
      goals: { node: 0.3, postgres: 0.2 },
    },
    {
      name: 'the queue, first page',
      run: read(admins, ['/api/review/claims']),
      goals: { node: 0.8, postgres: 1 },
    },
    ...Object.entries({ employee: people, 'company admin': admins }).map(([who, all]) => ({
      name: `the dashboard of an ${who}`.replace('an company', 'a company'),
      run: read(all, [togetherPath(dashboard_reads[who as keyof typeof dashboard_reads])]),
      goals: { node: 2, postgres: 2 },
    })),
  ]
}
