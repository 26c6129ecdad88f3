// Workload 6, the money of the dashboards: a company of a hundred thousand with grants beside one of ten thousand.
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '#lib/db.server.ts'
import { inTurns, rate, record } from './measure.ts'
import { ask, openPool, type Stage } from './stage.ts'

const password = 'a quiet harbour at dawn'
type Admin = { token: string; company_id: string; year: string }

export async function funds(stage: Stage, full: boolean) {
  const sql = openPool(stage.url, 2)
  const many = full ? 100_000 : 20_000
  try {
    const small = await staffed(stage, sql, 'small-fund.test', many / 10)
    const big = await staffed(stage, sql, 'big-fund.test', many)
    record({
      workload: '6',
      name: `grants of ${many} people by a background act, per person, beside ${many / 10}`,
      value: big.seconds / many,
      unit: 's each',
      beside: small.seconds / (many / 10),
      goal: '≤ 1.5',
      holds: (ratio) => ratio <= 1.5,
    })
    await sql`vacuum analyze`
    for (const [name, path] of Object.entries(asked)) {
      await compare(
        stage,
        `${name}, ${many} people beside ${many / 10}`,
        path,
        big.admin,
        small.admin,
      )
    }
  } finally {
    await sql.end()
  }
}

const asked = {
  'Funds: the three categories': '/api/funds',
  'company dashboard: balance, utilization, twelve months': '/api/funds/trend',
  'company dashboard: action required': '/api/funds/notices',
  'company dashboard: employees': '/api/employees/summary',
  'those who wait for funds': '/api/funds/waiting?limit=10',
  'statement, newest 25': '/api/funds/statement?limit=25',
}

async function staffed(stage: Stage, sql: Sql, domain: string, people: number) {
  const email = `hr@${domain}`
  const data = { full_name: 'Bench Admin', role: 'company_admin', company_name: domain }
  const { access_token } = await ask(stage.origin, '/auth/v1/signup', { email, password, data })
  const [company] = await sql<[{ id: string; year: string }]>`
    update companies set status = 'active' where domain = ${domain}
    returning id, current_plan_year(id) as year`
  const admin: Admin = { token: String(access_token), company_id: company.id, year: company.year }
  // Money for nine of ten: the others wait, and are summed up all the same.
  const cents = people * 0.9
  await sql`select contribute(${company.id}, ${company.year}, ${cents * 100_000}, ${company.year}, 'bench')`
  await sql`select allocate(${company.id}, ${company.year}, ${cents * 20_000}, ${cents * 70_000},
    ${cents * 10_000}, false, gen_random_uuid())`
  await sql`
    select count(*) from wall.add_people(${company.id}, 'employee', array(
      select row('person' || n || '@' || ${domain}::text, 'Person ' || n, null, 'Sales')::wall.newcomer
      from generate_series(1, ${people}::int) n), null)`
  const began = performance.now()
  await sql`update profiles set status = 'active' where company_id = ${company.id} and role = 'employee'`
  for (;;) {
    const [done] = await sql<[{ finished: boolean }?]>`
      select finished_at is not null as finished from regrants where company_id = ${company.id}`
    if (done?.finished) break
    await pause(20)
  }
  const seconds = (performance.now() - began) / 1000
  for (;;) {
    const [left] = await sql<[{ count: number }]>`
      select count(*) as count from unsealed_transfers where company_id = ${company.id}`
    if (left.count === 0) return { admin, seconds }
    await pause(100)
  }
}

async function compare(stage: Stage, name: string, path: string, big: Admin, small: Admin) {
  const p50 = async ({ token }: Admin) => {
    const headers = { authorization: `Bearer ${token}` }
    const get = async () => {
      const answer = await fetch(stage.origin + path, { headers })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
    for (let n = 0; n < 10; n += 1) await get()
    return (await rate(get, 1, 0.6)).p50_ms
  }
  const [value, beside] = await inTurns(
    () => p50(big),
    () => p50(small),
  )
  const holds = (ratio: number) => ratio <= 1.5
  record({ workload: '6', name, value, unit: 'ms', beside, goal: '≤ 1.5', holds })
}
