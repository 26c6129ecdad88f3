// Work of the queue about rights.
import { z } from 'zod'
import type { Task } from '#lib/jobs.server.ts'

const Begun = z.object({ company_id: z.uuid(), ids: z.array(z.uuid()) })

/** Notifies people on the first day of their rights, unless somebody ended them before. */
export const notifyOfBegunRights: Task = async (input, { sql }) => {
  const { company_id, ids } = Begun.parse(input)
  await sql`select private.notify_of_begun(${company_id}, ${ids}::uuid[])`
}
