// Workload 6: the three dashboards where there are a million claims beside the same where there are ten thousand, and
// the reports over the million. Two databases, so that the provider's dashboard has its small one, too.
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '#lib/db.server.ts'
import { leastInTurns, recordNotMeasured, rate, record } from './measure.ts'
import { openBeside, openPool, type RunningServer, type BenchStage } from './stage.ts'
import { openWorld, type Signed } from './world.ts'
import { fillYear } from './year.ts'

type Side = { origin: string; people: Record<Who, Signed> }
type Who = keyof typeof dashboard_reads

/** Requests of each page, all at once. */
export const dashboard_reads = {
  employee: [
    '/api/me',
    '/api/notifications/unread',
    '/api/funds/mine',
    '/api/claims/mine?limit=5',
    '/api/health-checks/reminder',
    '/api/dependents',
  ],
  'company admin': [
    '/api/me',
    '/api/notifications/unread',
    '/api/employees/summary',
    '/api/funds/trend',
    '/api/review/waiting',
    '/api/funds',
    '/api/review/claims?sort=newest&limit=5',
    '/api/claim-types',
  ],
  'super admin': [
    '/api/me',
    '/api/notifications/unread',
    '/api/system/figures',
    '/api/companies?sort=-joined&limit=5',
    '/api/system/health',
  ],
}

/** The single request in which the browser asks them (src/lib/together.ts). */
export const togetherPath = (paths: string[]) =>
  `/api/together?${new URLSearchParams(paths.map((path) => ['ask', path.slice('/api'.length)]))}`

export async function dashboards(stage: BenchStage, full: boolean) {
  const [many, few] = [full ? 1_000_000 : 100_000, 10_000]
  const small = await openBeside(stage, 'few')
  try {
    const sides = {
      big: await open(stage, many, many / 10),
      small: await open(small, few, few / 10),
    }
    // First, while the server has done little else: what the reports take of memory is seen.
    await reports(stage, sides.big, many)
    await compareAll(sides, many, few)
  } finally {
    await small.close()
  }
}

export async function compareAll(sides: Record<'big' | 'small', Side>, many: number, few: number) {
  for (const who of Object.keys(dashboard_reads) as Who[]) await compare(who, sides, many, few)
}

async function open(place: RunningServer, claims: number, people: number): Promise<Side> {
  const sql = openPool(place.url, 2)
  try {
    const {
      companies: [company],
    } = await openWorld(place, sql, { companies: 1, people, signed: 20, name: 'year' })
    await fillYear(sql, company!, claims)
    const provider = await superAdmin(place, sql)
    const [employee] = company!.people
    return {
      origin: place.origin,
      people: { employee: employee!, 'company admin': company!.admin, 'super admin': provider },
    }
  } finally {
    await sql.end()
  }
}

/** Somebody of the provider's staff, signed in. */
export async function superAdmin({ origin }: RunningServer, sql: Sql): Promise<Signed> {
  const [made] = await sql<[{ id: string }]>`
    insert into auth.users (email, email_confirmed_at, placement, raw_app_meta_data, raw_user_meta_data)
    values ('staff@provider.test', now(), '{"role": "super_admin"}',
      '{"provider": "email", "providers": ["email"]}', '{"full_name": "Bench Staff"}') returning id`
  await sql`update profiles set status = 'active', confirmed_at = now() where id = ${made.id}`
  const answer = await fetch(`${origin}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([made.id]),
  })
  const [token] = (await answer.json()) as string[]
  return { id: made.id, company_id: '', token: token ?? '' }
}

const clientOf = ({ origin, people }: Side, who: Who) => {
  const headers = { authorization: `Bearer ${people[who].token}` }
  return async (path: string) => {
    const answer = await fetch(origin + path, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
}

async function compare(
  who: Who,
  { big, small }: Record<'big' | 'small', Side>,
  many: number,
  few: number,
) {
  const measure = async (name: string, path: string) => {
    const p50 = (side: Side) => async () => {
      const get = clientOf(side, who)
      const page = () => get(path)
      for (let n = 0; n < 10; n += 1) await page()
      return (await rate(page, 1, 1)).p50_ms
    }
    const [value, baseline] = await leastInTurns(p50(big), p50(small))
    record({
      workload: '6',
      name: `${name}, ${many} claims: p50 beside that of ${few}`,
      value,
      unit: 'ms',
      baseline,
      goal: '≤ 1.5',
      holds: (ratio) => ratio <= 1.5,
    })
  }
  await measure(`${who} dashboard`, togetherPath(dashboard_reads[who]))
  for (const path of dashboard_reads[who].slice(2)) await measure(`${who}: ${path.slice(4)}`, path)
}

const report_kinds = [
  'fund_allocation',
  'claims_activity',
  'company_performance',
  'utilization_trends',
]

/** Reports made in the background while dashboards are asked for: how long they take, and how much memory. */
export async function reports({ pid }: RunningServer, side: Side, many: number) {
  const headers = {
    authorization: `Bearer ${side.people['super admin'].token}`,
    'content-type': 'application/json',
  }
  const year = new Date().getUTCFullYear()
  const to = new Date().toISOString().slice(0, 7)
  for (const kind of report_kinds) {
    await forgetPeak(pid)
    const began = performance.now()
    const body = JSON.stringify({ kind, from: `${year}-01`, to })
    const answer = await fetch(`${side.origin}/api/reports`, { method: 'POST', headers, body })
    const { id } = (await answer.json()) as { id: string }
    const status = async () => {
      const list = await fetch(`${side.origin}/api/reports`, { headers })
      const { reports } = (await list.json()) as { reports: { id: string; status: string }[] }
      return reports.find((report) => report.id === id)?.status
    }
    let now = await status()
    while (now === 'waiting' || now === 'making') {
      await pause(100)
      now = await status()
    }
    if (now !== 'ready') throw new Error(`${kind}: ${now}`)
    record({
      workload: '6',
      name: `report over ${many} claims, ${kind.replace('_', ' ')}`,
      value: (performance.now() - began) / 1000,
      unit: 's',
      goal: '≤ 60 s',
      holds: (_, value) => value <= 60,
    })
    const peak = await peakOf(pid)
    const name = `memory of the server and worker process meanwhile, ${kind.replace('_', ' ')}`
    const goal = '≤ 300 MB'
    if (peak === undefined) recordNotMeasured('6', name, goal, 'no /proc here')
    else {
      const holds = (_: number, value: number) => value <= 300
      record({ workload: '6', name, value: peak, unit: 'MB', goal, holds })
    }
  }
}

const forgetPeak = (pid: number | undefined) =>
  writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {}) // elsewhere there is no such file

/** The highest resident memory since, in MB. */
async function peakOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(status) ?? []
  return kilobytes ? Number(kilobytes) / 1024 : undefined
}
