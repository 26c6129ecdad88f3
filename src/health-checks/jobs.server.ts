import type { Task } from '#lib/jobs.server.ts'
import type { Sql } from '#lib/db.server.ts'

const at_once = 200

/** People who want tips, and neither had a check for a year nor have one booked. */
export const remindOfDue: Task = async (_, { sql }) => {
  await sql`select private.remind_of_due()`
}

/** The day before a check, by the provider's own clock. */
export const remindOfChecks: Task = (_, { sql }) => remindAt(sql, new Date())

export async function remindAt(sql: Sql, at: Date) {
  for (;;) {
    const [done] = await sql<[{ reminded: number }]>`
      select private.remind_of_checks(${at.toISOString()}, ${at_once}) as reminded`
    if (done.reminded < at_once) return
  }
}
