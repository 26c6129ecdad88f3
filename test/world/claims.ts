// Claims without a company of their own: of any server, and as the books have to show them.
import type { Category } from '#categories.ts'
import type { Sql } from '#lib/db.server.ts'
import { aKey, type Api } from './people.ts'

type Plain = { amount_cents: number; service_on: string; provider?: string; category?: Category }

/** Submitted with no receipt. */
export async function submitPlainly(api: Api, plain: Plain) {
  const { provider = 'Harbour Clinic', category = 'prevention', ...more } = plain
  const { types } = await api.claims.options({})
  const type_id = types.find((type) => type.category === category)!.id
  const bill_cents = more.amount_cents
  return api.claims.submit(
    { category, type_id, provider, bill_cents, receipt_ids: [], ...more },
    { idempotency_key: aKey() },
  )
}

/** Reversed by HR, as it stands now. */
export async function reverse(
  { api }: { api: Api },
  { id }: { id: number },
  text = 'The receipt was forged',
) {
  const { version } = await api.review.find({ id })
  return api.review.reverse({ id, version, text })
}

/** The ledger verifies, and what waits, is payable and is paid is just what the claims say. */
export async function claimFaults(sql: Sql, company: string): Promise<unknown[]> {
  const [ledger] = await sql<[{ fault: string | null }]>`
    select fault from verify_ledger(${company})`
  const unlike = await sql`
    with expected as (
      select person_id, plan_year, category,
        coalesce(sum(amount_cents) filter (where status = 'pending'), 0) as held,
        coalesce(sum(approved_cents) filter (where payment in ('unpaid', 'in_run', 'returned')), 0)
          as payable,
        coalesce(sum(approved_cents) filter (where payment = 'paid'), 0) as paid
      from claims where company_id = ${company} group by 1, 2, 3),
    kept as (
      select person_id, plan_year, category,
        coalesce(sum(balance_cents) filter (where kind = 'held'), 0) as held,
        coalesce(sum(balance_cents) filter (where kind = 'payable'), 0) as payable,
        coalesce(sum(balance_cents) filter (where kind = 'paid'), 0) as paid
      from accounts where company_id = ${company} and person_id is not null group by 1, 2, 3)
    select * from kept full join expected using (person_id, plan_year, category)
    where (coalesce(kept.held, 0), coalesce(kept.payable, 0), coalesce(kept.paid, 0))
      is distinct from (coalesce(expected.held, 0), coalesce(expected.payable, 0), coalesce(expected.paid, 0))`
  const counts = await sql`
    with kept as (select status, category, type_id, sum(claims) as claims, sum(amount_cents) as cents,
        sum(approved_cents) as approved, sum(overdue) as overdue
      from (select status, category, type_id, claims, amount_cents, approved_cents, overdue
          from claim_totals where company_id = ${company}
        union all select status, category, type_id, claims, amount_cents, approved_cents, overdue
          from claim_changes where company_id = ${company}) c group by 1, 2, 3 having sum(claims) <> 0),
    there as (select status, category, type_id, count(*) as claims, sum(amount_cents) as cents,
        coalesce(sum(approved_cents) filter (where payment <> 'reversed'), 0) as approved,
        count(*) filter (where overdue) as overdue
      from claims where company_id = ${company} group by 1, 2, 3)
    select * from kept full join there using (status, category, type_id)
    where (kept.claims, kept.cents, kept.approved, kept.overdue)
      is distinct from (there.claims, there.cents, there.approved, there.overdue)`
  return [...(ledger.fault ? [ledger.fault] : []), ...unlike, ...counts]
}
