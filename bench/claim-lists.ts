// Workloads 4 and 5: what lists of claims cost where there are a million, beside bare SQL and beside ten thousand.
import type { Sql } from '#lib/db.server.ts'
import { httpRate, rate, record } from './measure.ts'
import { openPair, type Sized } from './pair.ts'
import { openPool, type Stage } from './stage.ts'
import { pick, type Signed } from './world.ts'

export async function claimLists(stage: Stage, full: boolean) {
  const sql = openPool(stage.url, 4)
  const raw = openPool(stage.url, 32)
  try {
    const { big, small, claims } = await openPair(stage, sql, full)
    await mine(stage, raw, big.people, claims.big)
    await queue(stage, big, small, claims.big, claims.small)
  } finally {
    await raw.end()
    await sql.end()
  }
}

async function mine({ origin }: Stage, raw: Sql, people: Signed[], many: number) {
  const seconds = 4
  const http = () =>
    httpRate(
      {
        url: origin,
        requests: [
          {
            setupRequest: (request) => ({
              ...request,
              path: '/api/claims/mine',
              headers: { authorization: `Bearer ${pick(people).token}` },
            }),
          },
        ],
      },
      32,
      seconds,
    )
  const bare = () =>
    rate(
      () => {
        const { id, company_id } = pick(people)
        return raw`select id, version, category, type_name, for_whom, provider, service_on, bill_cents,
            amount_cents, approved_cents, status, stage, payment, paid_on, submitted_at, reviewed_at,
            receipts, automatic
          from claims where company_id = ${company_id} and person_id = ${id} order by id desc limit 21`
      },
      32,
      seconds,
    )
  await http()
  await bare()
  const [ours, beside] = [await http(), await bare()]
  record({
    workload: '4',
    name: `my claims of ${many}, newest 20, by 32 clients (${ours.failed} failed)`,
    value: ours.per_second,
    unit: '/s',
    beside: beside.per_second,
    goal: '≥ 0.2',
    holds: (ratio) => ratio >= 0.2,
  })
  record({
    workload: '4',
    name: 'my claims, p99 beside p50',
    value: ours.p99_ms,
    unit: 'ms',
    beside: ours.p50_ms,
    goal: '≤ 10',
    holds: (ratio) => ratio <= 10,
  })
}

const asked = {
  'first page': '',
  'pending, oldest first': 'status=pending',
  'one category, newest first': 'category=treatment&sort=newest',
  'by amount': 'sort=-amount',
  'both filters, by amount': 'status=approved&category=prevention&sort=amount',
  'search, common': 'search=horvat',
  'search, one of all': 'search=person777@',
  'search, none': 'search=xyzzy',
  'search with a filter': 'search=ana+kralj&status=pending',
}

async function queue(stage: Stage, big: Sized, small: Sized, many: number, few: number) {
  const get =
    ({ admin }: Sized, query: string) =>
    async () => {
      const answer = await fetch(`${stage.origin}/api/review/claims?${query}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      })
      if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { next: string | null }
    }
  const p50 = async (ask: () => Promise<unknown>) => {
    for (let n = 0; n < 20; n += 1) await ask()
    return (await rate(ask, 1, 1.5)).p50_ms
  }
  const compare = async (name: string, of_big: string, of_small = of_big) => {
    const beside = await p50(get(small, of_small))
    const value = await p50(get(big, of_big))
    record({
      workload: '5',
      name: `review queue of ${many} claims, ${name}: p50 beside that of ${few}`,
      value,
      unit: 'ms',
      beside,
      goal: '≤ 1.5',
      holds: (ratio) => ratio <= 1.5,
    })
  }
  for (const [name, query] of Object.entries(asked)) await compare(name, query)
  const deep = async (company: Sized, pages: number) => {
    let query = 'limit=200'
    for (let page = 0; page < pages; page += 1) {
      const { next } = await get(company, query)()
      if (!next) break
      query = `limit=200&after=${encodeURIComponent(next)}`
    }
    return query.replace('limit=200', 'limit=50')
  }
  await compare('a deep page', await deep(big, 200), await deep(small, 20))
}
