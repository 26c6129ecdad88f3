// Jobs on claims, by the clock and after readings: marks, expired questions, counts, second evaluations.
import { z } from 'zod'
import type { Sql, Tx } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import type { Log } from '#lib/log.server.ts'
import { oneByOne } from '#lib/one-by-one.server.ts'
import { decide, withReceipts } from '#claims/rules/decide.ts'
import { withLimits } from '#claims/rules/limits.ts'
import { KnownDraft, ReadFacts, suspicionOf } from '#claims/rules/rule-facts.ts'
import type { TraceStep } from './words.contract.ts'

const at_once = 500
const changes_at_once = 10_000

/** Notifies of deadlines, marks overdue claims and ends claims whose question got no answer; each batch is a transaction. */
export const keepClaims: Task = async (_, { sql }) => {
  await repeatUntilFewer(() => sql`select private.notify_half_way(${at_once}) as done`)
  await repeatUntilFewer(() => sql`select private.mark_overdue(${at_once}) as done`)
  await repeatUntilFewer(() => sql`select private.notify_twice_overdue(${at_once}) as done`)
  await repeatUntilFewer(() => sql`select private.expire_claims(${at_once}) as done`)
}

async function repeatUntilFewer(batch: () => PromiseLike<readonly unknown[]>) {
  for (;;) {
    const [row] = (await batch()) as { done: number }[]
    if ((row?.done ?? 0) < at_once) return
  }
}

/** Adds to the counts what acts did, and runs again in a moment. The schedule starts it if it was not running. */
export const countClaims: Task = async (_, { sql, log }) => {
  await rollUpAll(sql, log)
  await sql`
    select add_job('claims:count', key => 'claims:count', run_at => now() + interval '2 seconds')`
}

export async function rollUpAll(sql: Sql, log?: Log) {
  // A look at the index for each company, however many changes it has.
  const companies = await sql<{ company_id: string }[]>`
    with recursive found as (
      (select company_id from claim_changes order by company_id limit 1)
      union all
      select (select c.company_id from claim_changes c where c.company_id > f.company_id
        order by c.company_id limit 1) from found f where f.company_id is not null)
    select company_id from found where company_id is not null`
  await oneByOne(companies, log, ({ company_id }) => rollUpCompany(sql, company_id))
}

async function rollUpCompany(sql: Sql, company_id: string) {
  for (;;) {
    const [done] = await sql<[{ rolled_up: number }]>`
      select private.roll_up_claims(${company_id}, ${changes_at_once}) as rolled_up`
    if (done.rolled_up < changes_at_once) return
  }
}

const OfClaim = z.object({ company_id: z.uuid(), id: z.int() })
const ReconsideredClaim = z.object({
  spot_check_draw: z.int(),
  people_decide: z.boolean(),
  facts: ReadFacts,
  draft: KnownDraft,
})

const ComparedClaim = ReconsideredClaim.pick({ facts: true, draft: true })

/** Evaluates the rules once more when a receipt has been read, by the claim's own policy version and draw. */
export const reconsider = evaluationJob(
  ReconsideredClaim,
  async (tx, { company_id, id }, waiting) => {
    const { draft, facts, spot_check_draw, people_decide } = waiting
    // The amount that the claim itself holds was available to it.
    const available_cents = facts.available_cents + draft.amount_cents
    const receipt_ids = facts.receipts.map((receipt) => receipt.id)
    const { trace, ...decided } = decide(
      { ...draft, receipt_ids },
      { ...facts, available_cents, spot_check_draw, people_decide },
    )
    const [last] = await tx<{ trace: TraceStep[] }[]>`select e.trace from claim_events e
    where e.company_id = ${company_id} and e.claim_id = ${id} and e.trace is not null
    order by e.number desc limit 1`
    const before = last?.trace ?? []
    const now = people_decide ? withReceipts(trace, before) : withLimits(trace, before)
    await tx`select private.note_evaluation(${company_id}, ${id},
    ${tx.json({ ...decided, spot_check_draw })}, ${JSON.stringify(now)}::json)`
  },
)

/**
 * Compares a claim again when one that it is like begins or ceases to count, so that the queue shows what the claim's page shows.
 */
export const compareAgain = evaluationJob(
  ComparedClaim,
  async (tx, { company_id, id }, { draft, facts }) => {
    await tx`with compared as (
        update claims set suspicion = ${suspicionOf(draft, facts)}
          where company_id = ${company_id} and id = ${id} returning company_id)
      select private.publish_now('admins:' || company_id) from compared`
  },
)

/** A second look at a claim, unless it no longer waits. */
function evaluationJob<W>(
  schema: z.ZodType<W>,
  examine: (tx: Tx, claim: z.output<typeof OfClaim>, evaluation: W) => Promise<void>,
): Task {
  return async (input, { sql }) => {
    const claim = OfClaim.parse(input)
    await sql.begin(async (tx) => {
      const [found] = await tx<[{ waiting: unknown }]>`
        select private.evaluate_again(${claim.company_id}, ${claim.id}) as waiting`
      if (found.waiting !== null) await examine(tx, claim, schema.parse(found.waiting))
    })
  }
}
