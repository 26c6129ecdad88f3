// A world at size, by set-based SQL: companies with money, people with grants, some of them signed in.
import { randomUUID } from 'node:crypto'
import type { Sql } from '#lib/db.server.ts'
import type { RunningServer } from './stage.ts'

export type Signed = { id: string; company_id: string; token: string }
export type World = {
  companies: {
    id: string
    plan_year: string
    type_id: string
    people: Signed[]
    admin: Signed
    /** How long everybody's grants took, in the background. */
    grants_seconds: number
  }[]
}

/** `every_pending`: each so-manieth has not answered the invitation; `funded`: for which share of all there is money. */
type Size = {
  companies: number
  people: number
  signed: number
  name: string
  every_pending?: number
  funded?: number
}

export async function openWorld(place: RunningServer, sql: Sql, size: Size): Promise<World> {
  const companies: World['companies'] = []
  await sql`alter table auth.users disable trigger account_changed`
  for (let n = 0; n < size.companies; n += 1) {
    companies.push(await openCompany(place, sql, `${size.name}${n}.test`, size))
  }
  await sql`alter table auth.users enable trigger account_changed`
  await sql`vacuum analyze`
  return { companies }
}

async function openCompany(place: RunningServer, sql: Sql, domain: string, size: Size) {
  const { people, signed, every_pending = people + 1, funded = 1 } = size
  const [company] = await sql<[{ id: string }]>`
    insert into companies (name, domain, status) values (${domain}, ${domain}, 'active') returning id`
  const { id } = company
  await sql`select count(*) from private.add_people(${id}, 'company_admin', array[
    row('hr@' || ${domain}::text, 'Bench Admin', null, null)::private.newcomer], null)`
  for (let at = 0; at < people; at += 10_000) {
    await sql`select count(*) from private.add_people(${id}, 'employee', array(
      select row('person' || i || '@' || ${domain}::text,
        (array['Ana', 'Marko', 'Iva', 'Luka', 'Žana', 'Petra', 'Noa', 'Ema', 'Filip', 'Lucija'])[1 + i % 10]
        || ' ' || (array['Horvat', 'Kovač', 'Babić', 'Marić', 'Jurić', 'Novak', 'Kralj', 'Vuković', 'Božić'])
          [1 + i / 10 % 9] || ' ' || to_hex(i), null,
        (array['Engineering', 'Sales', 'People', 'Finance', 'Operations'])[1 + i / 90 % 5])::private.newcomer
      from generate_series(${at}::int + 1, ${Math.min(at + 10_000, people)}) i), null)`
  }
  await sql`update auth.users u set email_confirmed_at = now() from profiles p
    where p.company_id = ${id} and u.id = p.id`
  await sql`analyze profiles`
  // Their grants follow below: nobody makes them in the background meanwhile.
  await sql.begin(async (tx) => {
    await tx`update profiles set status = 'active', confirmed_at = now(),
      joined_on = date_trunc('year', now())::date
      where company_id = ${id} and (role <> 'employee'
        or substring(email from '\\d+')::int % ${every_pending} <> 0)`
    await tx`delete from regrants where company_id = ${id}`
    await tx`delete from graphile_worker._private_jobs where locked_at is null`
  })
  const [year] = await sql<[{ plan_year: string }]>`
    select starts_on as plan_year from plan_years where company_id = ${id}`
  const { plan_year } = year
  const share = Math.round(people * funded)
  await sql`select contribute(${id}, ${plan_year}, ${share * 100_000}, ${plan_year}, 'BENCH')`
  const amounts = {
    prevention_cents: share * 20_000,
    treatment_cents: share * 70_000,
    solidarity_cents: share * 10_000,
    act: randomUUID(),
  }
  await sql`select allocate(${id}, ${plan_year}, ${sql.json(amounts)}, false)`
  const began = performance.now()
  await sql`select private.enroll(${id}, ${plan_year}, array(
    select p.id from profiles p where p.company_id = ${id} and p.role = 'employee'
      and p.status = 'active' order by p.id))`
  // The planner needs statistics of the new rows; autovacuum would make them within a minute.
  await sql`analyze grants, accounts`
  for (;;) {
    const [done] = await sql<[{ people: number }]>`
      select private.grant_waiting(${id}, ${plan_year}, 250) as people`
    if (done.people === 0) break
  }
  const grants_seconds = (performance.now() - began) / 1000
  for (;;) {
    const [done] = await sql<[{ sealed: number }]>`select seal_transfers(${id}, 5000) as sealed`
    if (done.sealed < 5000) break
  }
  await sql`delete from graphile_worker._private_jobs where locked_at is null`
  const [type] = await sql<[{ id: string }]>`
    select id from claim_types where company_id = ${id} and category = 'treatment' limit 1`
  const chosen = await sql<{ id: string; role: string }[]>`
    (select id, role from profiles where company_id = ${id} and role = 'company_admin')
    union all
    (select id, role from profiles where company_id = ${id} and role = 'employee'
      and status = 'active' order by id limit ${signed})`
  const tokens = await signIn(
    place,
    chosen.map((person) => person.id),
  )
  const all = chosen.map((person, at) => ({
    id: person.id,
    role: person.role,
    company_id: id,
    token: tokens[at] ?? '',
  }))
  const admin = all.find(({ role }) => role === 'company_admin')
  if (!admin) throw new Error('a company of the bench has no admin')
  return {
    id,
    plan_year,
    grants_seconds,
    type_id: type.id,
    admin,
    people: all.filter(({ role }) => role === 'employee'),
  }
}

export async function signIn({ origin }: RunningServer, people: string[]): Promise<string[]> {
  const answer = await fetch(`${origin}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(people),
  })
  if (!answer.ok) throw new Error(`sessions: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as string[]
}

export const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!
