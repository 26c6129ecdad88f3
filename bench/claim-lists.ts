// Workloads 4 and 5: what lists of claims cost where there are a million, beside bare SQL and beside ten thousand.
import type { Sql } from '#lib/db.server.ts'
import { httpRate, rate, record } from './measure.ts'
import { comparePair, deepPage, openPair, type Pair, type Sized } from './pair.ts'
import { openPool, type BenchStage } from './stage.ts'
import { pick, type Signed } from './world.ts'

export async function claimLists(stage: BenchStage, full: boolean) {
  const sql = openPool(stage.url, 4)
  const raw = openPool(stage.url, 32)
  try {
    const pair = await openPair(stage, sql, full)
    await mine(stage, raw, pair.big.people, pair.claims.big)
    await queue(stage, pair)
  } finally {
    await raw.end()
    await sql.end()
  }
}

async function mine({ origin }: BenchStage, raw: Sql, people: Signed[], many: number) {
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
  const [ours, baseline] = [await http(), await bare()]
  record({
    workload: '4',
    name: `my claims of ${many}, newest 20, by 32 clients (${ours.failed} failed)`,
    value: ours.per_second,
    cost: ours.cost,
    unit: '/s',
    baseline: baseline.per_second,
    goal: '≥ 0.2',
    holds: (ratio) => ratio >= 0.2,
  })
  record({
    workload: '4',
    name: 'my claims, p99 beside p50',
    value: ours.p99_ms,
    unit: 'ms',
    baseline: ours.p50_ms,
    goal: '≤ 10',
    holds: (ratio) => ratio <= 10,
  })
}

const list_pages = {
  'first page': '',
  'pending, oldest first': 'status=pending',
  'one category, newest first': 'category=treatment&sort=newest',
  'by amount': 'sort=-amount',
  'both filters, by amount': 'status=approved&category=prevention&sort=amount',
  'search, common': 'search=horvat',
  'search, a first name, by amount': 'search=petra&sort=amount',
  'search, one of all': 'search=person777@',
  'search, none': 'search=xyzzy',
  'search with a filter': 'search=ana&status=approved',
  'two words with a filter (fewer rows than a page in the small one)':
    'search=ana+kralj&status=pending',
}

async function queue(stage: BenchStage, pair: Pair) {
  const path = '/api/review/claims'
  const compare = (what: string, of_big: string, of_small = of_big) =>
    comparePair(stage, pair, {
      workload: '5',
      name: `review queue of ${pair.claims.big} claims, ${what}: p50 beside that of ${pair.claims.small}`,
      path: of_big,
      path_of_small: of_small,
    })
  for (const [name, query] of Object.entries(list_pages)) await compare(name, `${path}?${query}`)
  const deep = (of: Sized, pages: number) => deepPage(stage, of, path, pages)
  await compare('a deep page', await deep(pair.big, 200), await deep(pair.small, 5))
}
