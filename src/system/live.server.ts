import type { Actor } from '#actor.ts'
import type { Live } from '#lib/live.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { topicsOf } from '#topics.ts'
import type { live } from './live.contract.ts'

/** The topics they may hear, and what their menu shows: a screen whose stream ends asks again who they are. */
const topicsAndRights = (actor: Actor) => [...topicsOf(actor), ...actor.rights].join(' ')

export const liveHandlers = (service: Live): Handlers<typeof live> => ({
  open: ({ actor, signal, again }) =>
    service.stream(topicsOf(actor), signal, {
      person_id: actor.id,
      opened_as: topicsAndRights(actor),
      now: async () => {
        const now = await again()
        return now && topicsAndRights(now)
      },
    }),
})
