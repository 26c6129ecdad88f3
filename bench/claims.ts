// Workloads 1 to 3: claims submitted and approved by 32 clients, spread over companies and all in one,
// beside the same reads and writes as bare SQL.
import { randomUUID } from 'node:crypto'
import type { Sql } from '#lib/db.server.ts'
import { httpRate, rate, record, type Rate } from './measure.ts'
import { openRaw, rawApprove, rawSubmit } from './raw-claims.ts'
import { openPool, type Stage } from './stage.ts'
import { openWorld, type Signed, type World } from './world.ts'

const clients = 32
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

export async function claims(stage: Stage, full: boolean, seconds: number) {
  const sql = openPool(stage.url, 4)
  try {
    const size = full ? { companies: 100, people: 1000 } : { companies: 20, people: 100 }
    const world = await openWorld(stage, sql, { ...size, signed: full ? 60 : 50, name: 'claims' })
    await openRaw(sql)
    const bench = new ClaimsBench(stage, sql, world)
    await bench.submit(seconds)
    await bench.approve(seconds)
  } finally {
    await sql.end()
  }
}

const middle = (rates: Rate[]): Rate =>
  [...rates].sort((a, b) => a.per_second - b.per_second)[Math.floor(rates.length / 2)]!

class ClaimsBench {
  readonly #stage: Stage
  readonly #sql: Sql
  readonly #world: World

  constructor(stage: Stage, sql: Sql, world: World) {
    this.#stage = stage
    this.#sql = sql
    this.#world = world
  }

  /** One round warms up; then in turns, so that a noisy neighbour meets both. */
  async #compare(
    workload: string,
    what: string,
    spread: () => Promise<Rate>,
    one: () => Promise<Rate>,
    raw: () => Promise<Rate>,
  ) {
    const rounds = { spread: [] as Rate[], one: [] as Rate[], raw: [] as Rate[] }
    for (let round = 0; round < 4; round += 1) {
      const measured = { spread: await spread(), one: await one(), raw: await raw() }
      if (round === 0) continue
      rounds.spread.push(measured.spread)
      rounds.one.push(measured.one)
      rounds.raw.push(measured.raw)
    }
    const [ours, alone, bare] = [middle(rounds.spread), middle(rounds.one), middle(rounds.raw)]
    record({
      workload,
      name: `${what} by ${clients} clients (p50 ${ours.p50_ms} ms, p99 ${ours.p99_ms} ms, ${ours.failed} failed)`,
      value: ours.per_second,
      unit: '/s',
      beside: bare.per_second,
      goal: '≥ 0.5',
      holds: (ratio) => ratio >= 0.5,
    })
    record({
      workload: '3',
      name: `${what} with everything in one company, beside spread out (${alone.failed} failed)`,
      value: alone.per_second,
      unit: '/s',
      beside: ours.per_second,
      goal: '≥ 0.7',
      holds: (ratio) => ratio >= 0.7,
    })
  }

  async submit(seconds: number) {
    const all = this.#world.companies.flatMap(({ people }) => people)
    const type_of = new Map(this.#world.companies.map(({ id, type_id }) => [id, type_id]))
    const today = new Date().toISOString().slice(0, 10)
    const submitting = (people: readonly Signed[]) =>
      httpRate(
        {
          url: this.#stage.origin,
          requests: [
            {
              setupRequest: (request) => {
                const person = pick(people)
                const body = {
                  category: 'treatment',
                  type_id: type_of.get(person.company_id),
                  provider: 'Harbour Clinic',
                  service_on: today,
                  bill_cents: 10 + Math.floor(Math.random() * 90),
                  amount_cents: 10,
                  receipt_ids: [],
                }
                return {
                  ...request,
                  method: 'POST',
                  path: '/api/claims',
                  headers: {
                    authorization: `Bearer ${person.token}`,
                    'content-type': 'application/json',
                    'idempotency-key': randomUUID(),
                  },
                  body: JSON.stringify(body),
                }
              },
            },
          ],
        },
        clients,
        seconds,
      )
    const raw = openPool(this.#stage.url, clients)
    const one = this.#world.companies[0]!
    try {
      await this.#compare(
        '1',
        'submit a claim',
        () => submitting(all),
        () => submitting(one.people),
        () => rate(() => rawSubmit(raw, pick(all), type_of), clients, seconds),
      )
    } finally {
      await raw.end()
    }
  }

  async approve(seconds: number) {
    const admins = new Map(this.#world.companies.map(({ id, admin }) => [id, admin]))
    const pending = async (company_id: string | null, most: number) =>
      await this.#sql<{ id: number; company_id: string; version: number }[]>`
        select id, company_id, version from claims where status = 'pending'
          and (${company_id}::uuid is null or company_id = ${company_id}) order by random() limit ${most}`
    const approving = (claims: { id: number; company_id: string; version: number }[]) =>
      httpRate(
        {
          url: this.#stage.origin,
          requests: [
            {
              setupRequest: (request) => {
                const claim = claims.pop()
                return {
                  ...request,
                  method: 'POST',
                  path: `/api/review/claims/${claim?.id ?? 0}/approval`,
                  headers: {
                    authorization: `Bearer ${admins.get(claim?.company_id ?? '')?.token}`,
                    'content-type': 'application/json',
                  },
                  body: JSON.stringify({ version: claim?.version ?? 0 }),
                }
              },
            },
          ],
        },
        clients,
        seconds,
      )
    const raw = openPool(this.#stage.url, clients)
    const one = this.#world.companies[0]!
    const most = 3000 * seconds
    const todo = await this.#sql<{ id: number; company_id: string }[]>`
      select id, company_id from raw.claims order by random()`
    try {
      await this.#compare(
        '2',
        'approve a claim',
        async () => approving([...(await pending(null, most))]),
        async () => approving([...(await pending(one.id, most))]),
        () => rate(() => rawApprove(raw, todo.pop(), admins), clients, seconds),
      )
    } finally {
      await raw.end()
    }
  }
}
