// Jobs by the clock for the connections of a company's systems.
import type { Task } from '#lib/jobs.server.ts'

export const notifyOfEndingKeys: Task = async (_, { sql }) => {
  await sql`select private.notify_of_ending_keys()`
}
