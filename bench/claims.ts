// Workloads 1 to 3 and 10: claims submitted and approved by 32 clients, spread over companies and all in one,
// beside the same reads and writes as bare SQL.
import { randomUUID } from 'node:crypto'
import type { Sql } from '#lib/db.server.ts'
import { httpRate, rate, record, type MeasuredRate } from './measure.ts'
import { openRaw, rawApprove, rawSubmit } from './raw-claims.ts'
import { openPool, type RunningServer, type BenchStage } from './stage.ts'
import { openWorld, pick, type Signed, type World } from './world.ts'

const clients = 32
const rounds = 3

export async function claims(stage: BenchStage, full: boolean, seconds: number) {
  const sql = openPool(stage.url, 4)
  const raw = openPool(stage.url, clients)
  try {
    const size = full ? { companies: 100, people: 1000 } : { companies: 20, people: 100 }
    const world = await openWorld(stage, sql, { ...size, signed: 60, name: 'claims' })
    await openRaw(sql)
    await submit(stage, world, raw, seconds)
    await approve(stage, world, { sql, raw }, seconds)
  } finally {
    await raw.end()
    await sql.end()
  }
}

type Compared = Record<'spread' | 'one' | 'raw', () => Promise<MeasuredRate>>

/** The first round warms up; then in turns, so that a noisy neighbour meets all three. */
async function compare(workload: string, what: string, { spread, one, raw }: Compared) {
  const measured: Record<keyof Compared, MeasuredRate[]> = { spread: [], one: [], raw: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const found = { spread: await spread(), one: await one(), raw: await raw() }
    if (round === 0) continue
    measured.spread.push(found.spread)
    measured.one.push(found.one)
    measured.raw.push(found.raw)
  }
  const [ours, alone, bare] = [measured.spread, measured.one, measured.raw].map(middle)
  const failed = [...measured.spread, ...measured.one].reduce((sum, one) => sum + one.failed, 0)
  record({
    workload,
    name: `${what} by ${clients} clients (p50 ${ours!.p50_ms} ms, p99 ${ours!.p99_ms} ms, ${failed} failed)`,
    value: ours!.per_second,
    cost: ours!.cost,
    unit: '/s',
    baseline: bare!.per_second,
    goal: '≥ 0.5',
    holds: (ratio) => ratio >= 0.5,
  })
  record({
    workload: '3',
    name: `${what}, everything in one company, beside spread out`,
    value: alone!.per_second,
    cost: alone!.cost,
    unit: '/s',
    baseline: ours!.per_second,
    goal: '≥ 0.7',
    holds: (ratio) => ratio >= 0.7,
  })
}

const middle = (rates: MeasuredRate[]): MeasuredRate =>
  [...rates].sort((a, b) => a.per_second - b.per_second)[Math.floor(rates.length / 2)]!

export type PlannedRequest = { token: string; path: string; body?: object; key?: string }

export const sendFor = (
  { origin }: RunningServer,
  next: () => PlannedRequest,
  seconds: number,
  by = clients,
) =>
  httpRate(
    {
      url: origin,
      requests: [
        {
          setupRequest: (request) => {
            const { token, path, body, key } = next()
            const headers = {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              'accept-encoding': 'gzip, deflate, br', // as browsers send it: packing is part of what an answer costs
              ...(key ? { 'idempotency-key': key } : {}),
            }
            return body
              ? { ...request, method: 'POST', path, headers, body: JSON.stringify(body) }
              : { ...request, path, headers }
          },
        },
      ],
    },
    by,
    seconds,
  )

/**
 * Bills of now, of any height, by any of these people: each that is like an earlier one of theirs is looked into, and in
 * life few are.
 */
export const submissionBy = (people: readonly Signed[], type_of: Map<string, string>) => () => {
  const { token, company_id } = pick(people)
  const body = {
    category: 'treatment',
    type_id: type_of.get(company_id),
    provider: 'Harbour Clinic',
    service_on: new Date().toISOString().slice(0, 10),
    bill_cents: 10 + Math.floor(Math.random() * 100_000),
    amount_cents: 10,
    receipt_ids: [],
  }
  return { token, path: '/api/claims', body, key: randomUUID() }
}

async function submit(stage: BenchStage, world: World, raw: Sql, seconds: number) {
  const all = world.companies.flatMap(({ people }) => people)
  const type_of = new Map(world.companies.map(({ id, type_id }) => [id, type_id]))
  let most_bytes = 0
  const watching = setInterval(() => {
    const noteBytes = (bytes: number) => (most_bytes = Math.max(most_bytes, bytes))
    memoryOf(stage).then(noteBytes, () => {}) // a server that went away shows where the claims are sent
  }, 500)
  try {
    await compare('1', 'submit a claim', {
      spread: () => sendFor(stage, submissionBy(all, type_of), seconds),
      one: () => sendFor(stage, submissionBy(world.companies[0]!.people, type_of), seconds),
      raw: () => rate(() => rawSubmit(raw, pick(all), type_of), clients, seconds),
    })
  } finally {
    clearInterval(watching)
  }
  record({
    workload: '10',
    name: 'memory of the server process under workload 1',
    value: most_bytes / 2 ** 20,
    unit: 'MB',
    goal: '≤ 350 MB',
    holds: (_, value) => value <= 350,
  })
}

async function memoryOf({ origin }: BenchStage): Promise<number> {
  const memory = (await (await fetch(`${origin}/memory`)).json()) as { rss: number }
  return memory.rss
}

export type ToDo = { id: number; company_id: string; version: number }

async function approve(
  stage: BenchStage,
  world: World,
  { sql, raw }: { sql: Sql; raw: Sql },
  seconds: number,
) {
  const admins = new Map(world.companies.map(({ id, admin }) => [id, admin]))
  const most = (rounds + 1) * seconds * 1500
  const spread = await makePendingClaims(sql, 'public', world.companies, most)
  const alone = await makePendingClaims(sql, 'public', world.companies.slice(0, 1), most)
  const bare = await makePendingClaims(sql, 'raw', world.companies, most * 2)
  await compare('2', 'approve a claim', {
    spread: () => sendFor(stage, approvalOf(spread, admins), seconds),
    one: () => sendFor(stage, approvalOf(alone, admins), seconds),
    raw: () => rate(() => rawApprove(raw, bare.pop()!, admins), clients, seconds),
  })
}

export const approvalOf = (claims: ToDo[], admins: Map<string, Signed>) => () => {
  const claim = claims.pop()
  if (!claim) throw new Error('more claims were approved than there are')
  const { id, company_id, version } = claim
  const { token } = admins.get(company_id)!
  return { token, path: `/api/review/claims/${id}/approval`, body: { version } }
}

/** Claims that wait, as many as could be approved, with the money that is held for them. */
export async function makePendingClaims(
  sql: Sql,
  schema: 'public' | 'raw',
  companies: readonly { id: string }[],
  most: number,
) {
  const s = sql.unsafe(schema)
  const made = await sql.begin(async (tx) => {
    if (schema === 'public')
      await tx`alter table claims disable trigger user, enable trigger numbered`
    const rows = await tx<ToDo[]>`
      with people as (
        select a.company_id, a.plan_year, a.person_id, row_number() over () as at, count(*) over () as all
        from accounts a join profiles p on p.id = a.person_id
        where a.kind = 'available' and a.category = 'treatment'
          and a.company_id = any (${companies.map(({ id }) => id)}::uuid[]))
      insert into ${s}.claims (company_id, person_id, category, type_id, type_name, provider, service_on,
        plan_year, bill_cents, amount_cents, receipts, stage, policy_version, spot_check_draw, due_at)
      select p.company_id, p.person_id, 'treatment', t.id, t.name, 'Harbour Clinic', current_date,
        p.plan_year, 10, 10, 0, 'first_review', 1, 50, now() + interval '3 days'
      from generate_series(1, ${most}) n
      join people p on p.at = 1 + n % p.all
      cross join lateral (select id, name from claim_types t where t.company_id = p.company_id
        and t.category = 'treatment' limit 1) t
      returning id, company_id, version`
    await tx`
      insert into ${s}.accounts as a (company_id, plan_year, kind, category, person_id, balance_cents)
      select company_id, plan_year, 'held', 'treatment', person_id, count(*) * 10
        from ${s}.claims where (company_id, id) in (
          select unnest(${rows.map((row) => row.company_id)}::uuid[]), unnest(${rows.map(({ id }) => id)}::bigint[]))
        group by 1, 2, 5
      on conflict (company_id, plan_year, person_id, kind, category)
        do update set balance_cents = a.balance_cents + excluded.balance_cents`
    if (schema === 'public') await tx`alter table claims enable trigger user`
    return [...rows]
  })
  await sql`vacuum analyze ${s}.claims`
  return made.sort(() => Math.random() - 0.5)
}
