// The limits of a company's policy, as its owners write them.
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { type limits, PolicyLimit } from './limits.contract.ts'

export const limitsHandlers: Handlers<typeof limits> = {
  list: ({ tx, actor }) => rows(PolicyLimit, limitsOf(tx, actor)),

  add: async ({ tx, actor, input }) => {
    const [made] = await tx<[{ id: string }]>`
      select save_limit(${tx.json(input)}, null) as id`
    return row(PolicyLimit, limitsOf(tx, actor, made.id))
  },

  change: async ({ tx, actor, input: { version, ...limit } }) => {
    await tx`select save_limit(${tx.json(limit)}, ${version})`
    return row(PolicyLimit, limitsOf(tx, actor, limit.id))
  },

  remove: async ({ tx, input: { id } }) => {
    await tx`select remove_limit(${id})`
    return { id }
  },
}

const limitsOf = (tx: Tx, { company_id }: Actor, id?: string) => tx`
  select l.id, l.kind, l.category, l.type_id, l.group_id, l.cents, l.claims, l.months, l.version,
    l.since
  from claim_limits l
  where l.company_id = ${company_id} ${id ? tx`and l.id = ${id}` : tx``}
  order by l.category nulls first, l.type_id nulls first, l.kind, l.id limit 1000`
