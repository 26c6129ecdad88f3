// Effects of time on families: cover that begins, ends or is outgrown changes Solidarity, each on its company's day.
import { z } from 'zod'
import type { Sql } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import { oneByOne } from '#lib/one-by-one.server.ts'

const NewAge = z.object({ was: z.int(), now: z.int() })
const CoverInput = z.object({ company_id: z.uuid().optional(), new_age: NewAge.optional() })

/** Runs daily for all companies, and for one company when its rules change. */
export const keepFamilies: Task = async (input, { sql, log }) => {
  const { company_id = null, new_age } = CoverInput.parse(input ?? {})
  if (company_id && new_age) {
    const { was, now } = new_age
    await sql`select private.notify_of_new_age(${company_id}, ${was}, ${now})`
  }
  const companies = await sql<{ id: string; today: string }[]>`
    select id, company_today(id) as today from companies
    where status <> 'suspended' and (${company_id}::uuid is null or id = ${company_id}) order by id`
  await oneByOne(companies, log, ({ id, today }) => keepFamiliesOf(sql, id, today))
}

export async function keepFamiliesOf(sql: Sql, company_id: string, today: string) {
  for (;;) {
    const [done] = await sql<[{ changed: number }]>`
      select private.cover_dependents(${company_id}, null, ${today}) as changed`
    if (done.changed === 0) break
  }
  await sql`select private.notify_of_ageing(${company_id}, ${today})`
}
