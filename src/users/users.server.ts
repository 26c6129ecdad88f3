import type { z } from 'zod'
import { row } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Me, type Setup, type users } from './users.contract.ts'

export const usersHandlers = (
  setup: (given: z.output<typeof Setup>) => Promise<void>,
): Handlers<typeof users> => ({
  me: ({ tx, actor }) =>
    row(
      Me,
      tx`
        select p.id, p.email, p.full_name, p.role, p.status,
          ${actor.waiting_for}::text as waiting_for,
          case when c.id is not null then json_build_object('id', c.id, 'name', c.name,
            'status', c.status, 'currency', c.currency, 'time_zone', c.time_zone) end as company
        from profiles p left join companies c on c.id = p.company_id
        where p.id = ${actor.id}`,
    ),

  setup: async ({ input }) => {
    await setup(input)
    return { email: input.email }
  },
})
