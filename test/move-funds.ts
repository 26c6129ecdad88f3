// Somebody's money of a category, moved as claims and pay runs move it, without a claim: by the owner.
import type { Sql } from '#lib/db.server.ts'

export type Purse = { company: string; year: string; person: string; category: string }

type Step = 'hold' | 'release' | 'approve' | 'return' | 'reverse' | 'reverse_paid' | 'recover'

export const moveFunds = (sql: Sql, step: Step, of: Purse, cents: number, cause: string) =>
  sql`select private.move_funds(row(${of.company}, ${of.year}, ${of.person}, ${of.category})::private.purse,
    ${step}, ${cents}, private.origin(${cause}), null)`

/** Approves a part of a hold; the rest is released first. */
export async function approveFunds(sql: Sql, of: Purse, cents: number[], cause: string) {
  const [held = 0, approved = held] = cents
  await sql.begin(async (tx) => {
    if (approved < held) await moveFunds(tx as never, 'release', of, held - approved, cause)
    await moveFunds(tx as never, 'approve', of, approved, cause)
  })
}

export const payFunds = (sql: Sql, of: Purse, cents: number, cause: string) =>
  sql`select transfer_all(f.company_id, f.plan_year, 'claim_paid', array[
      (f.id, t.id, ${cents}, private.origin(${`claim_paid ${cause}`}), f.person_id)::private.posting])
    from accounts f join accounts t using (company_id, plan_year, person_id, category)
    where f.company_id = ${of.company} and f.plan_year = ${of.year} and f.person_id = ${of.person}
      and f.category = ${of.category} and f.kind = 'payable' and t.kind = 'paid'`
