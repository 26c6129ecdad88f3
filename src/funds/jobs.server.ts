// Background work on money: seals, grants of many, the end of years.
import { z } from 'zod'
import type { Sql } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import type { Log } from '#lib/log.server.ts'
import { oneByOne } from '#lib/one-by-one.server.ts'

const people_at_once = 1000
const transfers_at_once = 5000

const OfYear = z.object({ company_id: z.uuid(), plan_year: z.iso.date() })
const GrantInput = OfYear.extend({ person_id: z.uuid() })

/** Seals what was moved since the last time, and runs again in a moment. The schedule starts it if it was not running. */
export const sealTransfers: Task = async (_, { sql, log }) => {
  await sealAll(sql, log)
  await sql`
    select add_job('funds:seal', key => 'funds:seal', run_at => now() + interval '1 second')`
}

export async function sealAll(sql: Sql, log?: Log) {
  const companies = await sql<{ company_id: string }[]>`
    select distinct company_id from unsealed_transfers`
  await oneByOne(companies, log, ({ company_id }) => sealCompany(sql, company_id))
}

async function sealCompany(sql: Sql, company_id: string) {
  for (;;) {
    const [done] = await sql<[{ sealed: number }]>`
      select seal_transfers(${company_id}, ${transfers_at_once}) as sealed`
    if (done.sealed < transfers_at_once) return
  }
}

/** Grants people who wait what the pools have, in order, a batch at a time. */
export const grantWaiting: Task = async (input, { sql }) => {
  const { company_id, plan_year } = OfYear.parse(input)
  for (;;) {
    const [done] = await sql<[{ people: number }]>`
      select private.grant_waiting(${company_id}, ${plan_year}, ${people_at_once}) as people`
    if (done.people === 0) break
    await sealCompany(sql, company_id)
  }
  await publishToAdmins(sql, company_id)
}

/** Moves money that came back to somebody whose grant was lowered meanwhile on to the pool, and to people who wait for it. */
export const lowerGrant: Task = async (input, { sql }) => {
  const { company_id, plan_year, person_id } = GrantInput.parse(input)
  await sql`select private.lock_pools(${company_id}, ${plan_year}),
    private.lower_grants(${company_id}, ${plan_year}, ${[person_id]}::uuid[]),
    private.grant_soon(${company_id}, ${plan_year})`
  await publishToAdmins(sql, company_id)
}

/** A job publishes itself: it has no request that would. */
const publishToAdmins = (sql: Sql, company_id: string) =>
  sql`select private.publish_now(${`admins:${company_id}`})`

/**
 * Computes all grants of a company again: enrols, computes the due, grants. Each batch is a transaction; killed, it starts over.
 */
export const regrant: Task = async (input, tools) => {
  const { sql } = tools
  const { company_id, plan_year } = OfYear.parse(input)
  const [begun] = await sql<{ requested_at: string }[]>`update regrants set people_done = 0
    where company_id = ${company_id} and plan_year = ${plan_year} and finished_at is null
    returning requested_at::text`
  for (const enrolls of [true, false]) {
    await inBatches(
      (after) => sql<[{ last: string | null }]>`
      select private.regrant_some(${company_id}, ${plan_year}, ${after}, ${people_at_once}, ${enrolls})
        as last`,
    )
    // The planner's statistics are far behind the rows just written.
    if (enrolls) await sql`analyze grants, accounts`
    await sealCompany(sql, company_id)
  }
  await grantWaiting(input, tools)
  await sql`update plan_years set opened_at = now()
    where company_id = ${company_id} and starts_on = ${plan_year} and opened_at is null`
  // A request made meanwhile is not done by this run: another one is queued for it.
  await sql`update regrants set finished_at = now()
    where company_id = ${company_id} and plan_year = ${plan_year} and finished_at is null
      and requested_at = ${begun?.requested_at ?? null}::timestamptz`
  await publishToAdmins(sql, company_id)
}

async function inBatches(batch: (after: string | null) => PromiseLike<{ last: string | null }[]>) {
  let after: string | null = null
  do {
    const done: { last: string | null }[] = await batch(after)
    after = done[0]?.last ?? null
  } while (after)
}

/** Plans, opens and closes years and settles leavers, by each company's calendar. */
export const keepYears: Task = async (_, { sql, log }) => {
  const companies = await sql<{ id: string; today: string }[]>`
    select id, company_today(id) as today from companies where status <> 'suspended' order by id`
  await oneByOne(companies, log, ({ id, today }) => keepYearsOf(sql, id, today))
}

/** People whose money expires soon are notified by the clock, on their company's day. */
export const notifyOfExpiry: Task = async (_, { sql, log }) => {
  const companies = await sql<{ id: string; today: string }[]>`
    select id, company_today(id) as today from companies where status = 'active' order by id`
  await oneByOne(
    companies,
    log,
    ({ id, today }) => sql`select private.notify_of_expiry(${id}, ${today})`,
  )
}

export async function keepYearsOf(sql: Sql, company_id: string, today: string) {
  await sql`select private.plan_next_year(${company_id}, ${today})`
  await sql`
    select private.regrant_later(y.company_id, y.starts_on, ${today}) from plan_years y
    left join regrants r on r.company_id = y.company_id and r.plan_year = y.starts_on
    where y.company_id = ${company_id} and y.closed_at is null and y.starts_on <= ${today}
      -- One that is running is left alone; one that has not finished within an hour begins again.
      and (y.opened_at is null and (r.requested_at is null or r.finished_at is not null
          or r.requested_at <= now() - interval '1 hour')
        -- The day of a group's plan has come since everybody was last given theirs.
        or exists (select from group_plans o where o.company_id = y.company_id
          and o.plan_year = y.starts_on and o.counts_from <= ${today}
          and o.counts_from > coalesce(r.as_of, '-infinity'))
        -- Another month of a plan that is granted by month has begun.
        or exists (select from private.months_of(y) m (day) where m.day <= ${today}
          and m.day > coalesce(r.as_of, '-infinity') and (y.by_month or exists (
            select from group_plans o where o.company_id = y.company_id
              and o.plan_year = y.starts_on and o.by_month))))`
  await sql`select private.settle_leavers(${company_id}, ${today})`
  // Closed years are looked at, too: late decisions give money back.
  const over = await sql<{ starts_on: string }[]>`
    select y.starts_on from plan_years y
    where y.company_id = ${company_id} and filing_ends_on(y.ends_on, y.filing_days, null, null) < ${today}
      and (y.closed_at is null or exists (select from private.fund_totals t
        where t.company_id = y.company_id and t.plan_year = y.starts_on
          and t.kind in ('available', 'pool', 'unallocated') and t.balance_cents > 0))
    order by y.starts_on`
  for (const { starts_on } of over) {
    await inBatches(
      (after) => sql<[{ last: string | null }]>`
      select private.close_year_for_some(${company_id}, ${starts_on}, ${today}, ${after},
        ${people_at_once}) as last`,
    )
    await sealCompany(sql, company_id)
  }
}
