// Acts of people signed in through the product’s own server: in the world at size beside the small one.
import type { Sql } from '#lib/db.server.ts'
import { approvalOf, sendFor, submissionBy, type PlannedRequest, type ToDo } from '../claims.ts'
import { meterOf, costPerAct } from '../cost.ts'
import { dashboard_reads, superAdmin } from '../dashboards.ts'
import { record, type MeasuredRate } from '../measure.ts'
import type { RunningServer } from '../stage.ts'
import { pick, signIn, type Signed } from '../world.ts'

const clients = 2

type SizedWorld = { place: RunningServer; sql: Sql; cast: Cast }
type Cast = {
  people: Signed[]
  admins: Map<string, Signed>
  types: Map<string, string>
  /** Admins of a company of about 500 people, and of the largest there is. */
  usual: Signed
  largest: Signed
  provider: Signed
}

export async function openCast(place: RunningServer, sql: Sql): Promise<Cast> {
  const admins = await signed(
    place,
    await sql`(select p.id, p.company_id from profiles p join headcounts h using (company_id)
        where p.email like 'maker@%' order by h.active desc limit 1)
      union all (select p.id, p.company_id from profiles p join headcounts h using (company_id)
        where p.email like 'maker@%' order by abs(h.active - 500) limit 1)
      union all (select id, company_id from profiles where email like 'maker@%' order by id limit 100)`,
  )
  const people = await sql<Claimant[]>`
    select id, company_id from profiles tablesample bernoulli (20)
    where role = 'employee' and status = 'active' order by random() limit 400`
  const types = await sql<{ id: string; company_id: string }[]>`
    select distinct on (company_id) id, company_id from claim_types where category = 'treatment'
    order by company_id, name`
  const [provider] = await signed(
    place,
    await sql`select id, company_id from profiles where role = 'super_admin' limit 1`,
  )
  return {
    people: await signed(place, people),
    admins: new Map(admins.map((admin) => [admin.company_id, admin])),
    types: new Map(types.map(({ id, company_id }) => [company_id, id])),
    largest: admins[0]!,
    usual: admins[1]!,
    provider: provider ?? (await superAdmin(place, sql)),
  }
}

type Claimant = { id: string; company_id: string }

async function signed(place: RunningServer, people: readonly object[]): Promise<Signed[]> {
  const all = people as readonly Claimant[]
  const tokens = await signIn(
    place,
    all.map(({ id }) => id),
  )
  return all.map((person, at) => ({ ...person, token: tokens[at] ?? '' }))
}

/** `once`: there are only so many in a small world. */
type RepeatedAct = { next: () => PlannedRequest; requests?: number; once?: boolean }

async function actsOf({
  sql,
  cast,
}: SizedWorld): Promise<Record<string, () => Promise<RepeatedAct>>> {
  const read = (who: Signed[], ...paths: string[]) => {
    let so_far = 0
    const next = () => ({ token: pick(who).token, path: paths[(so_far += 1) % paths.length]! })
    return async () => ({ next, requests: paths.length })
  }
  const { people, admins, types, usual, largest, provider } = cast
  const all = [...admins.values()]
  const sizes = { 'a company of 500': usual, 'the largest': largest }
  const of = (name: string, ...paths: string[]) =>
    Object.fromEntries(
      Object.entries(sizes).map(([whose, admin]) => [`${name}, ${whose}`, read([admin], ...paths)]),
    )
  return {
    'submit a claim': async () => ({ next: submissionBy(people, types) }),
    'approve a claim': async () => ({
      next: approvalOf(await waiting(sql, all), admins),
      once: true,
    }),
    'my claims': read(people, '/api/claims/mine'),
    'who am I': read(people, '/api/me'),
    ...of('the queue, first page', '/api/review/claims'),
    ...of('the queue, a common name', '/api/review/claims?search=horvat'),
    ...of('employees, first page', '/api/employees'),
    ...of('employees, a common name', '/api/employees?search=horvat'),
    ...of(
      'find',
      '/api/employees?search=horvat&limit=5',
      '/api/review/claims?search=horvat&limit=5',
    ),
    'the dashboard of an employee': read(people, ...dashboard_reads.employee),
    ...of('the dashboard of a company admin', ...dashboard_reads['company admin']),
    'the dashboard of a super admin': read([provider], ...dashboard_reads['super admin']),
  }
}

const waiting = (sql: Sql, admins: Signed[]): Promise<ToDo[]> =>
  sql<ToDo[]>`select id, company_id, version from claims
    where company_id = any (${admins.map(({ company_id }) => company_id)}::uuid[])
      and stage = 'first_review' order by random() limit 20000`.then((found) => [...found])

/** One act after the other, in the small world and at size, so that a busy machine meets both. */
export async function compareActs(large: SizedWorld, small: SizedWorld, seconds: number) {
  const [many, few] = [await actsOf(large), await actsOf(small)]
  for (const name of Object.keys(many)) {
    const baseline = await measured(small, await few[name]!(), seconds)
    const ours = await measured(large, await many[name]!(), seconds)
    for (const what of ['server', 'PostgreSQL', 'p50', 'p99'] as const) {
      record({
        workload: 'size',
        name,
        value: ours[what],
        unit: what.startsWith('p') ? `ms ${what}` : `ms CPU, ${what}`,
        baseline: baseline[what],
        goal: '',
        holds: () => true,
      })
    }
  }
}

async function measured({ place, sql }: SizedWorld, act: RepeatedAct, seconds: number) {
  const { next, requests = 1, once = false } = act
  const run = (time: number) => sendFor(place, next, time, clients)
  if (!once) await run(1) // warm
  const time = once ? 1 : seconds
  let rate: MeasuredRate | undefined
  const used = await costPerAct(
    meterOf(place, sql),
    async () => (rate = await run(time)),
    time,
    false,
  )
  return {
    server: used.server_ms * requests,
    PostgreSQL: used.postgres_ms * requests,
    p50: rate!.p50_ms,
    p99: rate!.p99_ms,
  }
}
