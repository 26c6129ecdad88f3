// Workload 7: a hundred thousand people brought in by a file. Workload 5: as many listed and found.
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '#lib/db.server.ts'
import { record, waitsOf } from './measure.ts'
import { comparePair, deepPage, openPair, type Sized } from './pair.ts'
import { ask, openPool, type BenchStage } from './stage.ts'
import { openWorld } from './world.ts'

const password = 'a quiet harbour at dawn'
const first = ['Ana', 'Marko', 'Iva', 'Luka', 'Žana', 'Petra', 'Noa', 'Ema', 'Filip', 'Lucija']
const last = ['Horvat', 'Kovač', 'Babić', 'Marić', 'Jurić', 'Novak', 'Kralj', 'Vuković', 'Božić']
const departments = ['Engineering', 'Sales', 'People', 'Finance', 'Operations']
const pick = (from: string[], at: number) => from[at % from.length] ?? ''

const personAt = (at: number, domain: string) => ({
  full_name: `${pick(first, at * 7)} ${pick(last, at * 13)} ${at.toString(36)}`,
  email: `person${at}@${domain}`,
  department: pick(departments, at * 3),
})

type Admin = { token: string; company_id: string }

async function openCompany({ origin }: BenchStage, sql: Sql, domain: string): Promise<Admin> {
  const email = `hr@${domain}`
  const data = { full_name: 'Bench Admin', role: 'company_admin', company_name: domain }
  const { access_token } = await ask(origin, '/auth/v1/signup', { email, password, data })
  const [company] = await sql<[{ id: string }]>`
    update companies set status = 'active' where domain = ${domain} returning id`
  return { token: String(access_token), company_id: company.id }
}

export async function people(stage: BenchStage, full: boolean) {
  const sql = openPool(stage.url, 2)
  const many = full ? 100_000 : 20_000
  try {
    const big = await openCompany(stage, sql, 'onboarded.test')
    const raw_seconds = await bring(sql, big.company_id, many, 'raw.test')
    await sql`delete from auth.users where email like '%@raw.test'`
    await sql`vacuum analyze`
    await onboard(stage, sql, big, many, raw_seconds)
  } finally {
    await sql.end()
  }
}

/** COPY plus set-based inserts of the same rows, in one transaction, by a plain driver. */
async function bring(sql: Sql, company_id: string, count: number, domain: string): Promise<number> {
  const began = performance.now()
  await sql.begin(async (tx) => {
    await tx`create temp table file (id uuid default gen_random_uuid(), full_name text, email text,
      department text) on commit drop`
    const copy = await tx`copy file (full_name, email, department) from stdin`.writable()
    for (let at = 0; at < count; at += 1000) {
      const rows = Array.from({ length: Math.min(1000, count - at) }, (_, n) =>
        personAt(at + n, domain),
      )
      const text = rows.map((p) => `${p.full_name}\t${p.email}\t${p.department}\n`).join('')
      if (!copy.write(text)) await new Promise((resolve) => copy.once('drain', resolve))
    }
    copy.end()
    await new Promise((resolve, reject) => copy.once('finish', resolve).once('error', reject))
    await tx`
      insert into auth.users (id, email, placement, raw_app_meta_data, raw_user_meta_data)
      select id, email, jsonb_build_object('role', 'employee', 'company_id', ${company_id}::text,
          'department', department),
        '{"provider": "email", "providers": ["email"]}',
        jsonb_build_object('sub', id, 'email', email, 'email_verified', false, 'phone_verified', false,
          'full_name', full_name)
      from file`
    await tx`
      insert into auth.identities (user_id, provider, provider_id, identity_data)
      select id, 'email', id::text, jsonb_build_object('sub', id, 'email', email,
        'email_verified', false, 'phone_verified', false, 'full_name', full_name)
      from file`
  })
  return (performance.now() - began) / 1000
}

async function onboard(
  stage: BenchStage,
  sql: Sql,
  admin: Admin,
  count: number,
  raw_seconds: number,
) {
  const get = clientOf(stage, admin)
  const quiet = await timed(get, fileOf(count, 'onboarded.test'))
  record({
    workload: '7',
    name: `bring in ${count} people (dry run ${quiet.read_seconds.toFixed(1)} s), beside COPY and inserts`,
    value: quiet.seconds,
    unit: 's',
    baseline: raw_seconds,
    goal: '≤ 3',
    holds: (ratio) => ratio <= 3,
  })
  await meanwhile(stage, sql, get, fileOf(count, 'more.test'))
}

/** Somebody of another company looks at their claims now and then, while another such file comes in. */
async function meanwhile(stage: BenchStage, sql: Sql, get: Get, file: Blob) {
  const size = { companies: 1, people: 100, signed: 1, name: 'other' }
  const [other_company] = (await openWorld(stage, sql, size)).companies
  const [somebody] = other_company?.people ?? []
  if (!somebody) throw new Error('nobody is there to look meanwhile')
  const listClaims = () => clientOf(stage, somebody)('/api/claims/mine')
  const idle = await waitsOf(listClaims, 5, AbortSignal.timeout(10_000))
  const memory = async () => Number((await get('/memory'))['rss']) / 2 ** 20
  const before = await memory()
  let most = before
  const ended = new AbortController()
  const watching = waitsOf(listClaims, 5, ended.signal)
  const memory_watch = (async () => {
    while (!ended.signal.aborted) {
      await pause(100)
      most = Math.max(most, await memory())
    }
  })()
  await timed(get, file)
  ended.abort()
  const { p99_ms } = await watching
  await memory_watch
  record({
    workload: '7',
    name: 'my claims of another company meanwhile, p99, beside its idle p99',
    value: p99_ms,
    unit: 'ms',
    baseline: idle.p99_ms,
    goal: '≤ 3',
    holds: (ratio) => ratio <= 3,
  })
  record({
    workload: '7',
    name: `memory the server took for another file (${Math.round(before)} MB before)`,
    value: most - before,
    unit: 'MB',
    goal: '≤ 100 MB: flat',
    holds: (_, value) => value <= 100,
  })
}

type Get = ReturnType<typeof clientOf>

const clientOf =
  ({ origin }: BenchStage, { token }: Pick<Admin, 'token'>) =>
  async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(origin + path, {
      headers: { authorization: `Bearer ${token}` },
      ...init,
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, number | string>
  }

async function timed(get: Get, body: Blob) {
  const began = performance.now()
  const { id } = await get('/api/imports?file_name=people.csv', { method: 'POST', body })
  const read_seconds = (performance.now() - began) / 1000
  await get(`/api/imports/${id}/start`, { method: 'POST' })
  while ((await get(`/api/imports/${id}`))['status'] !== 'done') await pause(50)
  return { read_seconds, seconds: (performance.now() - began) / 1000 }
}

/** The file is written before the watch starts, as writing keeps this process busy. */
const fileOf = (count: number, domain: string) => new Blob([...linesOf(count, domain)])

function* linesOf(count: number, domain: string) {
  yield 'full_name,email,phone,department\n'
  for (let at = 0; at < count; at += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - at) }, (_, n) =>
      personAt(at + n, domain),
    )
    yield rows.map((p) => `${p.full_name},${p.email},,${p.department}\n`).join('')
  }
}

const people_reads = {
  'first page': '',
  'sorted by department': 'sort=-department',
  filtered: 'status=pending&department=Sales&sort=-joined',
  'search, common': 'search=horvat',
  'search, one of all': 'search=person777@',
  'search, two common words': 'search=ana%20hor',
  'search, a first name deep in the list': 'search=petra',
  'search, none': 'search=xyzzy',
}

export async function peopleLists(stage: BenchStage, full: boolean) {
  const sql = openPool(stage.url, 2)
  try {
    const pair = await openPair(stage, sql, full)
    const path = '/api/employees'
    const compare = (what: string, of_big: string, of_small = of_big) =>
      comparePair(stage, pair, {
        workload: '5',
        name: `employees of ${pair.people.big}, ${what}: p50 beside that of ${pair.people.small}`,
        path: of_big,
        path_of_small: of_small,
      })
    for (const [name, query] of Object.entries(people_reads))
      await compare(name, `${path}?${query}`)
    const deep = (of: Sized, pages: number) => deepPage(stage, of, path, pages)
    await compare('a deep page', await deep(pair.big, 40), await deep(pair.small, 4))
  } finally {
    await sql.end()
  }
}
