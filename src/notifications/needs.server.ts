import { rows } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Need, type needs } from './needs.contract.ts'

export const needsHandlers: Handlers<typeof needs> = {
  list: async ({ tx }) => {
    const lines = await rows(Need, tx`select * from needs_you()`)
    return { things: lines.reduce((sum, { items }) => sum + items, 0), lines }
  },
}
