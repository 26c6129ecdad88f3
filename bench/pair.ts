// Two companies, one ten times (of claims: a hundred times) the other: what lists and counts are measured on, side by side.
import type { Sql } from '#lib/db.server.ts'
import { record, sideBySide } from './measure.ts'
import type { BenchStage } from './stage.ts'
import { openWorld, type World } from './world.ts'

export type Sized = World['companies'][number]
export type Pair = {
  big: Sized
  small: Sized
  people: { big: number; small: number }
  claims: { big: number; small: number }
}

const made = new WeakMap<BenchStage, Promise<Pair>>()

/** The pair is made once, for all parts of a run that measure it. */
export function openPair(stage: BenchStage, sql: Sql, full: boolean): Promise<Pair> {
  const pair = made.get(stage) ?? makePair(stage, sql, full)
  made.set(stage, pair)
  return pair
}

async function makePair(stage: BenchStage, sql: Sql, full: boolean): Promise<Pair> {
  const people = full ? { big: 100_000, small: 10_000 } : { big: 20_000, small: 2000 }
  const claims = full ? { big: 1_000_000, small: 10_000 } : { big: 200_000, small: 2000 }
  const big = await sized(stage, sql, 'big', people.big, claims.big)
  const small = await sized(stage, sql, 'small', people.small, claims.small)
  return { big, small, people, claims }
}

/** One claim in ten is still unanswered, and one person in ten has no money yet; sums include those, too. */
async function sized(stage: BenchStage, sql: Sql, name: string, people: number, claims: number) {
  const size = { companies: 1, people, signed: 200, name, every_pending: 10, funded: 0.8 }
  const { companies } = await openWorld(stage, sql, size)
  const [company] = companies
  if (!company) throw new Error('a world of one company has none')
  await fill(sql, company, claims)
  return company
}

/** Claims of a year in every state, without their events and money: lists look at neither. */
async function fill(sql: Sql, { id, plan_year }: Sized, count: number) {
  await sql`alter table claims disable trigger user, enable trigger numbered`
  const [of] = await sql<[{ all: number }]>`
    select count(*) as all from profiles where company_id = ${id} and role = 'employee'`
  for (let at = 0; at < count; at += 100_000) {
    await sql`
      with people as (
        select id, row_number() over (order by id) as at from profiles
        where company_id = ${id} and role = 'employee')
      insert into claims (company_id, person_id, category, type_id, type_name, provider, service_on,
        plan_year, bill_cents, amount_cents, approved_cents, receipts, status, stage, payment,
        policy_version, spot_check_draw, submitted_at, due_at)
      select ${id}, p.id, (array['prevention', 'treatment'])[1 + n % 2], ${id}, 'GP visit',
        'Harbour Clinic', current_date - n % 300, ${plan_year}, 10 + n * 7 % 50000, 10 + n * 7 % 50000,
        case when n % 10 < 7 then 10 + n * 7 % 50000 end, 1,
        case when n % 10 < 7 then 'approved' when n % 10 = 7 then 'rejected' when n % 10 = 8 then 'pending'
          else 'withdrawn' end,
        case when n % 10 = 8 then 'first_review' end, case when n % 10 < 7 then 'paid' end, 1, n % 100,
        now() - n % 300 * interval '1 day', case when n % 10 = 8 then now() + interval '1 day' end
      from generate_series(${at}::int + 1, ${Math.min(at + 100_000, count)}) n
      join people p on p.at = 1 + n::bigint * 7919 % ${of.all}::bigint`
  }
  await sql`
    insert into claim_totals
    select company_id, status, category, type_id, count(*), sum(amount_cents),
      coalesce(sum(approved_cents), 0), 0
    from claims where company_id = ${id} group by 1, 2, 3, 4`
  await sql`alter table claims enable trigger user`
  await sql`vacuum analyze claims`
}

/** Requests of an admin’s screen, again and again. */
export const clientOf =
  (stage: BenchStage, { admin }: Sized, path: string) =>
  async () => {
    const answer = await fetch(stage.origin + path, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { next?: string | null }
  }

/** The same question in both, in turns. */
export async function comparePair(
  stage: BenchStage,
  { big, small }: Pair,
  line: { workload: string; name: string; path: string; path_of_small?: string },
) {
  const { workload, name, path, path_of_small = path } = line
  const [value, baseline] = await sideBySide(
    clientOf(stage, big, path),
    clientOf(stage, small, path_of_small),
  )
  const holds = (ratio: number) => ratio <= 1.5
  record({ workload, name, value, unit: 'ms', baseline, goal: '≤ 1.5', holds })
}

/** The address of a page far down a list. */
export async function deepPage(stage: BenchStage, of: Sized, path: string, pages: number) {
  let query = 'limit=200'
  for (let page = 0; page < pages; page += 1) {
    const { next } = await clientOf(stage, of, `${path}?${query}`)()
    if (!next) break
    query = `limit=200&after=${encodeURIComponent(next)}`
  }
  return `${path}?${query.replace('limit=200', 'limit=50')}`
}
