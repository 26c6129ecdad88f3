// The books: accounts as they are or were, every entry, contributions, and the proof.
import type { Fragment } from 'postgres'
import { Category } from '#categories.ts'
import { besideFields } from '#lib/beside-fields.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { decimal } from '#lib/money.ts'
import { goInOrder } from '#lib/keyed.server.ts'
import { pageOf, readKey } from '#lib/page-key.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { sentenceOf } from './check.ts'
import {
  Contribution,
  FundAccount,
  FundEntry,
  LedgerCheck,
  type ledger,
} from './ledger.contract.ts'
import { AccountKind } from './terms.contract.ts'
import { noYear, yearOf, type Year } from './years.server.ts'

const export_rows = 100_000
const export_batch = 5_000

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

  export_statement: async ({ tx, actor, input }) => {
    const year = await yearOf(tx, actor, input.plan_year)
    const lines = [csvLine(columns)]
    let after: string | undefined
    do {
      const { entries, next } = await entriesOf(tx, year, { ...input, after, limit: export_batch })
      for (const entry of entries) lines.push(csvLine(cellsOf(entry, year.currency)))
      if (lines.length > export_rows) throw new Problem('too_many_entries')
      after = next ?? undefined
    } while (after)
    return {
      name: `statement ${year.plan_year}.csv`,
      type: 'text/csv; charset=utf-8',
      body: byte_order_mark + lines.join(''),
    }
  },

  verify: async ({ tx, actor, input }) => {
    const company_id = input.company_id ?? actor.company_id
    if (!company_id || (actor.role !== 'super_admin' && company_id !== actor.company_id)) {
      throw new Problem('not_found')
    }
    await tx`set local statement_timeout = '110s'` // a ledger of millions takes its time
    const [found] = await tx<[Omit<LedgerCheck, 'good' | 'sentence'> & { fault: string | null }]>`
      select * from verify_ledger(${company_id})`
    return { ...found, good: !found.fault, sentence: sentenceOf(found) }
  },

  contribute: async ({ tx, input }) => {
    const { company_id, amount_cents, occurred_on, reference, confirmed } = input
    const [company] = await tx<[{ plan_year: string | null; to_come: boolean }?]>`
      select coalesce((select starts_on from plan_years y where y.company_id = c.id
          and y.starts_on = plan_year_of(c.id, ${occurred_on}) and y.closed_at is null),
        current_plan_year(id)) as plan_year,
        ${occurred_on}::date > company_today(id) as to_come
      from companies c where id = ${company_id}`
    if (!company) throw new Problem('not_found')
    if (!company.plan_year) throw noYear()
    if (company.to_come) throw Problem.at('occurred_on', 'day_to_come')
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
    await goInOrder(tx)
    const [id] = readKey(after, 1) ?? []
    const beyond = tx`and (${id ?? null}::text is null or t.id < ${id ?? null}::text::bigint)`
    const found = await rows(Contribution, contributions(tx, company_id, beyond, limit + 1))
    const { page, next } = pageOf(found, limit, (contribution) => [String(contribution.id)])
    return { contributions: page, next }
  },
}

/** Ten times what ever came in at once is more likely a slip; of a first one, ten million are. */
const isUnusual = (amount_cents: number, largest_cents: number | null) =>
  largest_cents === null ? amount_cents > 1e9 : amount_cents >= largest_cents * 10

/** Two who record the same at one moment: the ledger lets one of them, the other reads why not. */
const once = {
  contribution_already_recorded: 'reference',
  transfer_already_posted: ['reference', 'contribution_already_recorded'],
} as const

const contributions = (tx: Tx, company_id: string, which: Fragment, limit: number) => tx`
  select t.id, t.plan_year, t.amount_cents, t.occurred_on, t.note as reference, t.posted_at,
    p.full_name as actor_name, r.posted_at as reversed_at, r.note as reversed_because
  from transfers t left join profiles p on p.id = t.actor_id
    left join transfers r on r.company_id = t.company_id and r.event = 'contribution_reversed'
      and r.cause = 'contribution_reversed ' || t.id
  where t.company_id = ${company_id} and t.event = 'contribution' ${which}
  order by t.id desc limit ${limit}`

/** When the day ended at the company: what was posted before is of that day or earlier. */
const endOf = (tx: Tx, day: string | null, year: Year) =>
  tx`((${day}::date + 1)::timestamp at time zone ${year.time_zone})`

/** The company's own accounts, or one person's: a past balance is that after the last entry before. */
const accountsOf = (tx: Tx, year: Year, as_of: string | null, person_id: string | null) => tx`
  select a.id, a.kind, a.category, p.full_name as person_name,
    case when ${as_of}::date is null then a.balance_cents else coalesce((
      select e.balance_cents from (
        (select posted_at, id, from_balance_cents as balance_cents from transfers t
          where t.company_id = a.company_id and t.from_account = a.id
            and t.posted_at < ${endOf(tx, as_of, year)} order by posted_at desc, id desc limit 1)
        union all
        (select posted_at, id, to_balance_cents from transfers t
          where t.company_id = a.company_id and t.to_account = a.id
            and t.posted_at < ${endOf(tx, as_of, year)} order by posted_at desc, id desc limit 1)
        ) e order by e.posted_at desc, e.id desc limit 1), 0) end as balance_cents
  from accounts a left join profiles p on p.id = a.person_id
  where a.company_id = ${year.company_id} and a.plan_year = ${year.plan_year}
    and a.person_id is not distinct from ${person_id}::uuid
  order by ${inOrder(tx)}`

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
  order by ${inOrder(tx)}`

const inOrder = (tx: Tx) => tx`array_position(${AccountKind.options}::text[], kind),
  array_position(${Category.options}::text[], category)`

type Filter = {
  account_id?: number | undefined
  person_id?: string | undefined
  from?: string | undefined
  to?: string | undefined
  after?: string | undefined
  limit: number
}

async function entriesOf(tx: Tx, year: Year, filter: Filter) {
  await goInOrder(tx)
  const key = readKey(filter.after, 2)
  const { account_id, limit } = filter
  const { company_id, time_zone } = year
  const which = tx`t.company_id = ${company_id} and t.plan_year = ${year.plan_year}
    ${filter.from ? tx`and t.posted_at >= (${filter.from}::date::timestamp at time zone ${time_zone})` : tx``}
    ${filter.to ? tx`and t.posted_at < ${endOf(tx, filter.to, year)}` : tx``}`
  const found = await rows(
    FundEntry,
    tx`
      select t.id, s.number, t.posted_at, t.occurred_on, t.event, t.note, t.amount_cents, t.balance_cents,
        claim_of(t.cause) as claim_id, c.id is not null as claim_opens,
        person.full_name as person_name, actor.full_name as actor_name,
        json_build_object('id', f.id, 'kind', f.kind, 'category', f.category,
          'balance_cents', t.from_balance_cents) as "from",
        json_build_object('id', o.id, 'kind', o.kind, 'category', o.category,
          'balance_cents', t.to_balance_cents) as "to"
      from (${
        account_id !== undefined
          ? accountEntries(tx, which, account_id, key, limit + 1)
          : filter.person_id
            ? personEntries(tx, year, which, filter.person_id, key, limit + 1)
            : allEntries(tx, which, key, limit + 1)
      }) t
      join accounts f on f.company_id = ${company_id} and f.plan_year = t.plan_year and f.id = t.from_account
      join accounts o on o.company_id = ${company_id} and o.plan_year = t.plan_year and o.id = t.to_account
      left join transfer_seals s on s.company_id = ${company_id} and s.transfer_id = t.id
      left join claims c on c.company_id = ${company_id} and c.id = claim_of(t.cause)
      left join profiles person on person.id = t.person_id
      left join profiles actor on actor.id = t.actor_id
      order by t.id desc`,
  )
  const { page, next } = pageOf(found, limit, (entry) => [entry.posted_at, String(entry.id)])
  return { entries: page, next }
}

const allEntries = (tx: Tx, which: Fragment, key: string[] | undefined, limit: number) => tx`
  select t.*, null::bigint as balance_cents from transfers t
  where ${which} ${key ? tx`and t.id < ${key[1] ?? ''}::text::bigint` : tx``}
  order by t.id desc limit ${limit}`

const accountEntries = (
  tx: Tx,
  which: Fragment,
  account_id: number,
  key: string[] | undefined,
  limit: number,
) => {
  const beyond = key
    ? tx`and t.posted_at <= ${key[0] ?? ''}::text::timestamptz + interval '1 millisecond'
        and t.id < ${key[1] ?? ''}::text::bigint`
    : tx``
  const side = (column: 'from_account' | 'to_account', sign: string, after: string) => tx`
    (select t.company_id, t.id, t.plan_year, t.from_account, t.to_account, t.event, t.cause, t.note,
        t.from_balance_cents, t.to_balance_cents, t.person_id, t.actor_id, t.occurred_on, t.posted_at,
        ${tx.unsafe(sign)} t.amount_cents as amount_cents, ${tx(after)} as balance_cents
      from transfers t where ${which} and t.${tx(column)} = ${account_id} ${beyond}
      order by t.posted_at desc, t.id desc limit ${limit})`
  return tx`
    select * from (${side('from_account', '-', 'from_balance_cents')}
      union all ${side('to_account', '+', 'to_balance_cents')}) e
    order by posted_at desc, id desc limit ${limit}`
}

/** Entry by entry of all accounts of one person: each account's newest, of which the newest are taken. */
const personEntries = (
  tx: Tx,
  { company_id, plan_year }: Year,
  which: Fragment,
  person_id: string,
  key: string[] | undefined,
  limit: number,
) => {
  const beyond = key ? tx`and t.id < ${key[1] ?? ''}::text::bigint` : tx``
  const side = (column: 'from_account' | 'to_account') => tx`
    (select t.* from transfers t where ${which} and t.${tx(column)} = a.id ${beyond}
      order by t.posted_at desc, t.id desc limit ${limit})`
  return tx`
    select distinct on (e.id) e.*, null::bigint as balance_cents
    from (select a.id from accounts a where a.company_id = ${company_id}
      and a.plan_year = ${plan_year} and a.person_id = ${person_id}) a
    cross join lateral (${side('from_account')} union all ${side('to_account')}) e
    order by e.id desc limit ${limit}`
}

const columns = [
  'number',
  'posted at',
  'occurred on',
  'event',
  'claim',
  'from',
  'from balance',
  'to',
  'to balance',
  'person',
  'amount',
  'balance',
  'currency',
  'note',
  'by',
]

const cellsOf = (entry: FundEntry, currency: string) => [
  entry.number,
  entry.posted_at,
  entry.occurred_on,
  entry.event,
  entry.claim_id,
  [entry.from.kind, entry.from.category].filter(Boolean).join(' '),
  decimal(entry.from.balance_cents, currency),
  [entry.to.kind, entry.to.category].filter(Boolean).join(' '),
  decimal(entry.to.balance_cents, currency),
  entry.person_name,
  decimal(entry.amount_cents, currency),
  entry.balance_cents === null ? null : decimal(entry.balance_cents, currency),
  currency,
  entry.note,
  entry.actor_name ?? 'system',
]
