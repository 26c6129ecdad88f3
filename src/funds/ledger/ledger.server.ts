// The books: accounts as they are or were, every entry, contributions, and the proof.
import { Category } from '#categories.ts'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import { preferIndexOrder, allowLongStatements } from '#lib/tuning.server.ts'
import { pageOf } from '#lib/cursor.ts'
import { keyset, withCursor } from '#lib/keyset.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { LedgerResult, ledgerSentence } from './ledger-sentence.ts'
import { accountsOf, entriesAsCsv, entriesOf, accountOrder } from './entries.server.ts'
import { Contribution, FundAccount, UsedAndPaidSums, type ledger } from './ledger.contract.ts'
import { noYear, yearOf, type Year } from '#funds/plans/years.server.ts'

export const ledgerHandlers: Handlers<typeof ledger> = {
  accounts: async ({ tx, actor, input }) => {
    const year = await yearOf(tx, actor, input.plan_year)
    const { as_of = null, person_id = null } = input
    const single = await rows(FundAccount, accountsOf(tx, year, as_of, person_id))
    if (person_id) return single
    return [...single, ...(await rows(FundAccount, peopleSums(tx, year, as_of)))]
  },

  statement: async ({ tx, actor, input }) => {
    const year = await yearOf(tx, actor, input.plan_year)
    return entriesOf(tx, year, input)
  },

  export_statement: async ({ tx, actor, input }) =>
    entriesAsCsv(tx, await yearOf(tx, actor, input.plan_year), input),

  used_and_paid: async ({ tx, actor, input }) => {
    const { plan_year, company_id } = await yearOf(tx, actor, input.plan_year)
    const { from = null, to = null } = input
    return rows(
      UsedAndPaidSums,
      tx`
        select category, coalesce(used, 0)::bigint as used_cents, coalesce(paid, 0)::bigint as paid_cents
        from unnest(${Category.options}::text[]) with ordinality as c (category, at)
        left join (
          select category, sum(change_cents) filter (where kind = any (used_kinds())) as used,
            -- Money paid for a claim that is reversed stays with the person until it comes back.
            sum(change_cents) filter (where kind in ('paid', 'overpaid')) as paid
          from fund_changes
          where company_id = ${company_id} and plan_year = ${plan_year}
            and (${from}::date is null or day >= ${from}::date)
            and (${to}::date is null or day <= ${to}::date)
          group by category) f using (category)
        order by c.at`,
    )
  },

  verify: async ({ tx, actor, input, as_of }) => {
    const company_id = input.company_id ?? actor.company_id
    if (!company_id || (actor.role !== 'super_admin' && company_id !== actor.company_id)) {
      throw new Problem('not_found')
    }
    await allowLongStatements(tx)
    const found = await row(
      LedgerResult,
      tx`select *, now() as as_of from verify_ledger(${company_id})`,
    )
    return {
      ...found,
      ...(as_of && { as_of }),
      good: !found.fault,
      sentence: ledgerSentence(found),
    }
  },

  contribute: async ({ tx, input }) => {
    const { company_id, amount_cents, occurred_on, reference, confirmed } = input
    const [company] = await tx<[{ plan_year: string | null }?]>`
      select coalesce((select starts_on from plan_years y where y.company_id = c.id
          and y.starts_on = plan_year_of(c.id, ${occurred_on}) and y.closed_at is null),
        current_plan_year(id)) as plan_year
      from companies c where id = ${company_id}`
    if (!company) throw new Problem('not_found')
    if (!company.plan_year) throw noYear()
    const [largest] = await tx<[{ cents: number | null }]>`
      select largest_contribution(${company_id}) as cents`
    if (!confirmed && isUnusual(amount_cents, largest.cents))
      throw new Problem('contribution_unusual')
    const [made] = await besideFields(
      once,
      tx<[{ id: number }]>`
        select contribute(${company_id}, ${company.plan_year}, ${amount_cents}, ${occurred_on},
          ${reference}) as id`,
    )
    return row(Contribution, contributions(tx, company_id, tx`and t.id = ${made.id}`, 1))
  },

  reverse_contribution: async ({ tx, input: { company_id, id, reason } }) => {
    await tx`select reverse_contribution(${company_id}, ${id}, ${reason})`
    return row(Contribution, contributions(tx, company_id, tx`and t.id = ${id}`, 1))
  },

  contributions: async ({ tx, input: { company_id, after, limit } }) => {
    await preferIndexOrder(tx)
    const { after_cursor } = keyset(tx, [['t.id', 'bigint']], true, after)
    const found = await rows(
      ListedContribution,
      contributions(tx, company_id, after_cursor, limit + 1),
    )
    const { page, next } = pageOf(found, limit)
    return { contributions: page, next }
  },
}

/** Ten times the largest contribution so far is more likely a typo; for a first one, ten million. */
const isUnusual = (amount_cents: number, largest_cents: number | null) =>
  largest_cents === null ? amount_cents > 1e9 : amount_cents >= largest_cents * 10

/** If two record the same at one moment, the ledger accepts one, and the other reads why theirs is refused. */
const once = {
  contribution_already_recorded: 'reference',
  day_to_come: 'occurred_on',
  day_long_past: 'occurred_on',
  transfer_already_posted: ['reference', 'contribution_already_recorded'],
} as const

const ListedContribution = withCursor(Contribution)

const contributions = (tx: Tx, company_id: string, which: SqlPart, limit: number) => tx`
  select t.id, t.plan_year, t.amount_cents, t.occurred_on, t.note as reference, t.posted_at,
    p.full_name as actor_name, r.posted_at as reversed_at, r.note as reversed_because,
    json_build_object('reverse', reversal_refusal(t.company_id, t.id)) as refusals,
    json_build_array(t.id::text) as row_cursor
  from transfers t left join profiles p on p.id = t.actor_id
    left join transfers r on r.company_id = t.company_id and r.undoes = t.id
  where t.company_id = ${company_id} and t.event = 'contribution' ${which}
  order by t.id desc limit ${limit}`

const peopleSums = (tx: Tx, year: Year, as_of: string | null) => tx`
  select null as id, kind, category, null as person_name, sum(change_cents)::bigint as balance_cents
  from (
    select kind, category, change_cents from fund_changes
      where ${as_of}::date is not null and company_id = ${year.company_id}
        and plan_year = ${year.plan_year} and day <= ${as_of}::date
    union all
    select kind, category, balance_cents from fund_totals
      where ${as_of}::date is null and company_id = ${year.company_id}
        and plan_year = ${year.plan_year}) c
  where kind in ('available', 'held', 'payable', 'paid', 'overpaid')
  group by kind, category
  order by ${accountOrder(tx)}`
