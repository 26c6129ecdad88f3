// The entries of a ledger and the balances after them: read in one way, whoever reads them.
import { Category } from '#categories.ts'
import { byte_order_mark, csv_entries_max, csvLine } from '#lib/csv.ts'
import { rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import { preferIndexOrder, type OwnTx } from '#lib/tuning.server.ts'
import { decimal } from '#lib/money.ts'
import { pageOf, readCursor } from '#lib/cursor.ts'
import { withCursor } from '#lib/keyset.server.ts'
import type { FileAnswer } from '#lib/file-answer.server.ts'
import { Problem } from '#problems.ts'
import { FundEntry, type CompanyEntryFilter } from './ledger.contract.ts'
import { AccountKind, type FundEvent } from '#funds/terms.contract.ts'
import { noteText } from '#funds/words.ts'
import type { Year } from '#funds/plans/years.server.ts'

/** Events whose reason is kept outside the ledger, so that erasing the person deletes it. */
const reasoned: FundEvent[] = [
  'adjusted_up',
  'adjusted_down',
  'overpaid_paid_back',
  'overpaid_written_off',
]

const export_batch = 5_000

/** The end of a day at the company: entries posted before it are of that day or earlier. */
const endOf = (tx: Tx, day: string | null, year: Year) =>
  tx`((${day}::date + 1)::timestamp at time zone ${year.time_zone})`

/** The company's own accounts, or one person's. A past balance is the one after the last entry of that time. */
export const accountsOf = (
  tx: Tx,
  year: Year,
  as_of: string | null,
  person_id: string | null,
) => tx`
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
  order by ${accountOrder(tx)}`

export const accountOrder = (tx: Tx) => tx`array_position(${AccountKind.options}::text[], kind),
  array_position(${Category.options}::text[], category)`

type EntryFilter = CompanyEntryFilter & { after?: string | undefined; limit: number }

/** All entries, a batch at a time. */
export async function* everyEntry(tx: OwnTx, year: Year, filter: Omit<EntryFilter, 'limit'>) {
  let after: string | undefined
  let read = 0
  do {
    const { entries, next } = await entriesOf(tx, year, { ...filter, after, limit: export_batch })
    read += entries.length
    if (read > csv_entries_max) throw new Problem('too_many_entries')
    yield entries
    after = next ?? undefined
  } while (after)
}

export async function entriesAsCsv(
  tx: OwnTx,
  year: Year,
  filter: Omit<EntryFilter, 'limit'>,
): Promise<FileAnswer> {
  const lines = [csvLine(entry_columns)]
  for await (const entries of everyEntry(tx, year, filter)) {
    for (const entry of entries) lines.push(csvLine(cellsOf(entry, year.currency)))
  }
  return {
    name: fileName(year, filter),
    type: 'text/csv; charset=utf-8',
    body: byte_order_mark + lines.join(''),
  }
}

const ListedEntry = withCursor(FundEntry)

function fileName({ plan_year, ends_on }: Year, filter: Omit<EntryFilter, 'limit'>) {
  const { kind, category, from, to } = filter
  const period = from || to ? `${from ?? plan_year}-to-${to ?? ends_on}` : plan_year
  return `${['statement', category, kind, period].filter(Boolean).join('-')}.csv`
}

/**
 * `k` is a subquery of its own (`offset 0`): the row rules of claims would keep a function of ours out of the index, and read
 * all.
 */
export async function entriesOf(tx: OwnTx, year: Year, filter: EntryFilter) {
  await preferIndexOrder(tx)
  const key = readCursor(filter.after, 2)
  const { account_id, limit, kind = null, category = null } = filter
  const { company_id, time_zone } = year
  const which = tx`t.company_id = ${company_id} and t.plan_year = ${year.plan_year}
    ${filter.from ? tx`and t.posted_at >= (${filter.from}::date::timestamp at time zone ${time_zone})` : tx``}
    ${filter.to ? tx`and t.posted_at < ${endOf(tx, filter.to, year)}` : tx``}
    ${
      kind || category
        ? tx`and exists (select from accounts a where a.company_id = t.company_id
          and a.plan_year = t.plan_year and a.id in (t.from_account, t.to_account)
          and a.kind = coalesce(${kind}, a.kind) and (${category}::text is null or a.category = ${category}))`
        : tx``
    }`
  // A transfer out of the accounts of a kind counts as less, as it does for one account.
  const less = tx`${account_id === undefined} and f.kind = ${kind} and o.kind <> ${kind}`
  const found = await rows(
    ListedEntry,
    tx`
      select t.id, json_build_array(t.posted_at::text, t.id::text) as row_cursor,
        s.number, t.posted_at, t.occurred_on, t.event,
        case when t.event = any (${reasoned}) then reason_of(${company_id}, t.person_id, t.source_id)
          else t.note end as note,
        case when ${less} then -t.amount_cents else t.amount_cents end as amount_cents,
        t.balance_cents, t.claim_id, c.id is not null as claim_opens,
        person.full_name as person_name, actor.full_name as actor_name,
        json_build_object('id', f.id, 'kind', f.kind, 'category', f.category,
          'balance_cents', case when f.readable then t.from_balance_cents end) as "from",
        json_build_object('id', o.id, 'kind', o.kind, 'category', o.category,
          'balance_cents', case when o.readable then t.to_balance_cents end) as "to"
      from (${
        account_id !== undefined
          ? accountEntries(tx, which, account_id, key, limit + 1)
          : filter.person_id
            ? personEntries(tx, { ...year, person_id: filter.person_id }, which, key, limit + 1)
            : allEntries(tx, which, key, limit + 1)
      }) t
      cross join lateral (${sideOf(tx, year, tx`t.from_account`)}) f
      cross join lateral (${sideOf(tx, year, tx`t.to_account`)}) o
      left join transfer_seals s on s.company_id = ${company_id} and s.transfer_id = t.id
      left join claims c on c.company_id = ${company_id} and c.id = t.claim_id
      left join profiles person on person.id = t.person_id
      left join profiles actor on actor.id = t.actor_id
      order by t.id desc`,
  )
  const { page, next } = pageOf(found, limit)
  return { entries: page, next }
}

/** One end of an entry, by its key (`offset 0`): people know the company's accounts by name alone. */
const sideOf = (tx: Tx, { company_id, plan_year }: Year, id: SqlPart) => tx`
  select * from account_names n
  where n.company_id = ${company_id} and n.plan_year = ${plan_year} and n.id = ${id} offset 0`

const allEntries = (tx: Tx, which: SqlPart, key: string[] | undefined, limit: number) => tx`
  select t.*, null::bigint as balance_cents from transfers t
  where ${which} ${key ? tx`and t.id < ${key[1] ?? ''}::text::bigint` : tx``}
  order by t.id desc limit ${limit}`

const accountEntries = (
  tx: Tx,
  which: SqlPart,
  account_id: number,
  key: string[] | undefined,
  limit: number,
) => {
  const older_than_key = key
    ? tx`and t.posted_at <= ${key[0] ?? ''}::text::timestamptz + interval '1 millisecond'
        and t.id < ${key[1] ?? ''}::text::bigint`
    : tx``
  const side = (column: 'from_account' | 'to_account', sign: string, after: string) => tx`
    (select t.company_id, t.id, t.plan_year, t.from_account, t.to_account, t.event, t.claim_id, t.source_id, t.note,
        t.from_balance_cents, t.to_balance_cents, t.person_id, t.actor_id, t.occurred_on, t.posted_at,
        ${tx.unsafe(sign)} t.amount_cents as amount_cents, ${tx(after)} as balance_cents
      from transfers t where ${which} and t.${tx(column)} = ${account_id} ${older_than_key}
      order by t.posted_at desc, t.id desc limit ${limit})`
  return tx`
    select * from (${side('from_account', '-', 'from_balance_cents')}
      union all ${side('to_account', '+', 'to_balance_cents')}) e
    order by posted_at desc, id desc limit ${limit}`
}

/** Entries of all accounts of one person: the newest of each account, and of those the newest. */
const personEntries = (
  tx: Tx,
  { company_id, plan_year, person_id }: Year & { person_id: string },
  which: SqlPart,
  key: string[] | undefined,
  limit: number,
) => {
  const older_than_key = key ? tx`and t.id < ${key[1] ?? ''}::text::bigint` : tx``
  const side = (column: 'from_account' | 'to_account') => tx`
    (select t.* from transfers t where ${which} and t.${tx(column)} = a.id ${older_than_key}
      order by t.posted_at desc, t.id desc limit ${limit})`
  return tx`
    select distinct on (e.id) e.*, null::bigint as balance_cents
    from (select a.id from accounts a where a.company_id = ${company_id}
      and a.plan_year = ${plan_year} and a.person_id = ${person_id}) a
    cross join lateral (${side('from_account')} union all ${side('to_account')}) e
    order by e.id desc limit ${limit}`
}

const entry_columns = [
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

const of = (cents: number | null, currency: string) =>
  cents === null ? null : decimal(cents, currency)

const cellsOf = (entry: FundEntry, currency: string) => [
  entry.number,
  entry.posted_at,
  entry.occurred_on,
  entry.event,
  entry.claim_id,
  [entry.from.kind, entry.from.category].filter(Boolean).join(' '),
  of(entry.from.balance_cents, currency),
  [entry.to.kind, entry.to.category].filter(Boolean).join(' '),
  of(entry.to.balance_cents, currency),
  entry.person_name,
  decimal(entry.amount_cents, currency),
  of(entry.balance_cents, currency),
  currency,
  noteText(entry),
  entry.actor_name ?? 'system',
]
