import type { Live } from '#lib/live.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { topicsOf } from '#topics.ts'
import type { live } from './live.contract.ts'

export const liveHandlers = (service: Live): Handlers<typeof live> => ({
  open: ({ actor, signal, again }) =>
    service.stream(topicsOf(actor), signal, {
      person_id: actor.id,
      topics: async () => {
        const now = await again()
        return now && topicsOf(now)
      },
    }),
})
