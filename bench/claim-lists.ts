// Workloads 4 and 5: what lists of claims cost where there are a million, beside bare SQL and beside ten thousand.
import type { Sql } from '#lib/db.server.ts'
import { httpRate, rate, record } from './measure.ts'
import type { Stage } from './stage.ts'
import { openWorld, pick, type Signed, type World } from './world.ts'

type Company = World['companies'][number]

export async function lists(stage: Stage, { sql, raw }: { sql: Sql; raw: Sql }, full: boolean) {
  const many = full ? 1_000_000 : 200_000
  const few = 10_000
  const of_size = (people: number, name: string) =>
    openWorld(stage, sql, { companies: 1, people, signed: 200, name })
  const { companies: big } = await of_size(full ? 100_000 : 20_000, 'million')
  const { companies: small } = await of_size(1000, 'thousands')
  await fill(sql, big[0]!, many)
  await fill(sql, small[0]!, few)
  await mine(stage, raw, big[0]!.people, many)
  await queue(stage, big[0]!, small[0]!, many, few)
}

/** Claims of a year in every state, without their events and money: lists look at neither. */
async function fill(sql: Sql, { id, plan_year }: Company, count: number) {
  await sql`alter table claims disable trigger user`
  for (let at = 0; at < count; at += 100_000) {
    await sql`
      with people as (
        select id, row_number() over (order by id) as at, count(*) over () as all from profiles
        where company_id = ${id} and role = 'employee')
      insert into claims (company_id, person_id, category, type_id, type_name, provider, service_on,
        plan_year, bill_cents, amount_cents, approved_cents, receipts, status, stage, payment,
        policy_version, drawn, submitted_at, due_at)
      select ${id}, p.id, (array['prevention', 'treatment'])[1 + n % 2], ${id}, 'GP visit',
        'Harbour Clinic', current_date - n % 300, ${plan_year}, 10 + n * 7 % 50000, 10 + n * 7 % 50000,
        case when n % 10 < 7 then 10 + n * 7 % 50000 end, 1,
        case when n % 10 < 7 then 'approved' when n % 10 = 7 then 'rejected' when n % 10 = 8 then 'pending'
          else 'withdrawn' end,
        case when n % 10 = 8 then 'first_review' end, case when n % 10 < 7 then 'paid' end, 1, n % 100,
        now() - n % 300 * interval '1 day', case when n % 10 = 8 then now() + interval '1 day' end
      from generate_series(${at}::int + 1, ${Math.min(at + 100_000, count)}) n
      join people p on p.at = 1 + n::bigint * 7919 % p.all`
  }
  await sql`
    insert into claim_totals
    select company_id, status, category, type_id, count(*), sum(amount_cents),
      coalesce(sum(approved_cents), 0), 0
    from claims where company_id = ${id} group by 1, 2, 3, 4`
  await sql`alter table claims enable trigger user`
  await sql`vacuum analyze claims`
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

async function queue(stage: Stage, big: Company, small: Company, many: number, few: number) {
  const get =
    ({ admin }: Company, query: string) =>
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
  const deep = async (company: Company, pages: number) => {
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
