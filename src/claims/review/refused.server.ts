// Why this reviewer may not decide on a claim now. Approve, reject and ask have the same rule, which is evaluated once for all
// three; a list reads once what all of its rows need.
import { z } from 'zod'
import { Refusal } from '#lib/contract.ts'
import type { Tx } from '#lib/db.server.ts'
import type { Actor } from '#actor.ts'

type TableAlias = 'c' | 'x'

export const Refused = z.object({
  decide: Refusal,
  approve_whole: Refusal,
  decide_many: Refusal,
  withdraw_question: Refusal,
  reverse: Refusal,
})

/** Needs `rightsGiven` and `decideRefusal` in the query. */
export const refusalColumns = (tx: Tx, { id }: Actor, table: TableAlias) => {
  const claim = tx.unsafe(table)
  return tx`d.decide, coalesce(d.decide, full_approval_refusal(${claim})) as approve_whole,
    coalesce(d.decide, bulk_approval_refusal(${claim})) as decide_many,
    claim_refusal_given('withdraw_question', ${claim}, ${id}, g.given) as withdraw_question,
    claim_refusal_given('reverse', ${claim}, ${id}, g.given) as reverse`
}

/** The people who were given a right lately, as `g`. */
export const rightsGiven = (tx: Tx, { company_id }: Actor) =>
  tx`(select rights_given(${company_id}) as given offset 0) g`

/** The rule's answer, as `d`. A lateral join with `offset 0`: otherwise PostgreSQL would evaluate it wherever it is named. */
export const decideRefusal = (tx: Tx, { id }: Actor, table: TableAlias) => tx`
  cross join lateral (
    select claim_refusal_given('approve', ${tx.unsafe(table)}, ${id}, g.given) as decide offset 0) d`

export function withRefusals<R extends z.output<typeof Refused>>(row: R) {
  const { decide, approve_whole, decide_many, withdraw_question, reverse, ...claim } = row
  const refusals = {
    approve: decide,
    approve_whole,
    approve_many: decide_many,
    reject: decide,
    ask: decide,
    withdraw_question,
    reverse,
  }
  return { ...claim, refusals }
}
