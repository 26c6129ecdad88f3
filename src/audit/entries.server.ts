// Entries of the record: found by their filters, a page at a time, each act whole.
import { rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import { start } from '#lib/transactions.server.ts'
import { patternOf, wordsOfSearch } from '#lib/keyset.server.ts'
import { readCursor, writeCursor } from '#lib/cursor.ts'
import { planForValues, preferIndexOrder, type OwnTx } from '#lib/tuning.server.ts'
import type { Actor } from '#actor.ts'
import { AuditEntry } from './audit.contract.ts'
import { beforeOf, contextOf, subjectOf } from './subjects.server.ts'
import { tablesLike } from './words.ts'

/** How many entries a search looks at before it answers. */
const search_window = 20_000

type AuditFilter = {
  search?: string | undefined
  from?: string | undefined
  to?: string | undefined
  table?: string | undefined
  act?: string | undefined
  actor_id?: string | undefined
  about?: string | undefined
  after?: string | undefined
  limit: number
}

type EntrySpan = { began: string | null; ended: string | null; first_id: number; last_id: number }

/** Filters that have an index; the others are checked on each row that those find. */
function whichOf(tx: Tx, actor: Actor, filter: AuditFilter, span: EntrySpan | undefined): SqlPart {
  const { table, act, actor_id, about } = filter
  const whose =
    actor.role === 'super_admin' ? tx`l.of_platform` : tx`l.company_id = ${actor.company_id}`
  return tx`${whose}
    ${table ? tx`and l.table_name = ${table}` : tx``}
    ${act ? tx`and l.act = ${act}` : tx``}
    ${actor_id ? tx`and l.actor_id = ${actor_id}` : tx``}
    ${about ? aboutPerson(tx, about) : tx``}
    ${span ? tx`and l.id between ${span.first_id} and ${span.last_id}` : tx``}
    ${span?.began ? tx`and l.at >= ${span.began}` : tx``}
    ${span?.ended ? tx`and l.at < ${span.ended}` : tx``}`
}

const aboutPerson = (tx: Tx, person_id: string) =>
  tx`and l.id = any (array(select e from entries_about(${person_id}) e))`

/** The days are the company's own; the provider's are those of UTC. */
async function spanOf(
  tx: Tx,
  actor: Actor,
  { from, to }: AuditFilter,
): Promise<EntrySpan | undefined> {
  if (!from && !to) return undefined
  const [span] = await tx<[EntrySpan]>`
    select began, ended, s.* from (
      select (${from ?? null}::date::timestamp at time zone z.zone) as began,
        ((${to ?? null}::date + 1)::timestamp at time zone z.zone) as ended
      from (select coalesce((select time_zone from companies where id = ${actor.company_id}), 'UTC')
        as zone) z) t, audit_span(began, ended) s`
  return span
}

/** The id of an act: entries of one act have the same start, actor and request. */
const actOf = (tx: Tx) =>
  tx`left(md5(concat_ws(' ', extract(epoch from l.at), l.actor_id, l.request_id)), 12)`

/** Approval by the policy is written within the employee's submission, though the employee approves nothing. */
const byPolicy = (tx: Tx) =>
  tx`coalesce(l.table_name = 'claims' and l.act = 'update' and l.after ->> 'automatic' = 'true', false)`

/** A page of entries, and the further entries of acts that begin on it; the next page leaves those out. */
export async function listEntries(tx: OwnTx, actor: Actor, filter: AuditFilter) {
  void start(planForValues(tx))
  const which = whichOf(tx, actor, filter, await spanOf(tx, actor, filter))
  const words = wordsOfSearch(filter.search)
  const size = words.length > 0 ? search_window : filter.limit + 1
  if (words.length > 0) await preferIndexOrder(tx)
  const [key, acts = ''] = readCursor(filter.after, 2) ?? []
  const shown_acts = acts ? acts.split(' ') : []
  const of_page = tx`${which} ${key ? tx`and l.id < ${key}::text::bigint` : tx``}
    ${shown_acts.length > 0 ? tx`and ${actOf(tx)} <> all (${shown_acts})` : tx``}`
  const found = await entriesOf(
    tx,
    tx`${of_page} order by l.id desc limit ${size}`,
    tx`${matches(tx, words)} order by e.id desc limit ${filter.limit + 1}`,
  )
  const page = found.slice(0, filter.limit)
  const edge = await edgeOf(tx, { of_page, page, found, searches: words.length > 0 })
  if (!edge) return { entries: page, names: await namesIn(tx, page), next: null, searched_to: null }
  const begun = new Set(page.map(({ act_id }) => act_id))
  const below = await entriesOf(
    tx,
    tx`${which} and l.id < ${edge.id} and ${actOf(tx)} = any (${[...begun, ...shown_acts]})
      and l.id >= (select s.first_id from audit_span(${edge.at}, null) s) order by l.id desc`,
    tx`${matches(tx, words)} order by e.id desc`,
  )
  const entries = [...page, ...below.filter(({ act_id }) => begun.has(act_id))]
  const next = writeCursor([
    String(edge.id),
    [...new Set(below.map(({ act_id }) => act_id))].join(' '),
  ])
  return { entries, names: await namesIn(tx, entries), next, searched_to: edge.searched_to }
}

/** The entries of `inner` that `outer` leaves, with what they are about. */
const entriesOf = (tx: Tx, inner: SqlPart, outer: SqlPart) =>
  rows(
    AuditEntry,
    tx`
      select e.id, e.at, e.act_id, who.id as actor_id, who.name as actor_name, who.role as actor_role,
        nullif(e.address, '') as address, e.act, e.table_name, e.row_id, named.subject,
        c.name as company_name, c.currency, ${beforeOf(tx)} as before, e.after,
        ${contextOf(tx)} as context, case when e.erased_at is null then null
          when num_nonnulls(e.before, e.after) = 0 then 'all' else 'address' end as erased
      from (select *, ${actOf(tx)} as act_id, ${byPolicy(tx)} as by_policy
        from audit_log l where ${inner}) e
      left join lateral (select name, currency, founded_by from companies where id = e.company_id limit 1) c
        on true
      cross join lateral (select case when not e.by_policy then e.actor_id end as id,
          case when e.by_policy then 'system' else e.actor_role end as role,
          case when e.by_policy then 'The policy' else coalesce(
            (select p.full_name from profiles p where p.id = coalesce(e.actor_id,
              case when e.table_name = 'companies' and e.act = 'insert' then c.founded_by end)),
            case when e.actor_role = 'api_key'
              then (select k.name from api_keys k where k.id = e.actor_id) end) end as name offset 0) who
      cross join lateral (select ${subjectOf(tx)} as subject offset 0) named
      where ${outer}`,
  )

type FoundEntries = { of_page: SqlPart; page: AuditEntry[]; found: AuditEntry[]; searches: boolean }

/** The end of the page, if more follows below it; a search ends at the entry where it stopped looking. */
async function edgeOf(tx: Tx, { of_page, page, found, searches }: FoundEntries) {
  const last = page.at(-1)
  if (last && found.length > page.length) return { id: last.id, at: last.at, searched_to: null }
  if (!searches) return undefined
  const [window] = await tx<[{ looked: number; last_id: number | null; last_at: string | null }]>`
    select count(*) as looked, min(id) as last_id, min(at) as last_at
    from (select l.id, l.at from audit_log l where ${of_page}
      order by l.id desc limit ${search_window}) w`
  const { looked, last_id, last_at } = window
  return looked === search_window && last_id !== null && last_at !== null
    ? { id: last_id, at: last_at, searched_to: last_at }
    : undefined
}

/** Each word is found in the entry, in a name of it or in the word for its kind; 'claim 5' finds what has the number. */
function matches(tx: Tx, words: string[]): SqlPart {
  const [kind = '', digits = ''] = words.length === 2 ? words : []
  const [, number] = /^#?(\d{1,18})$/.exec(digits) ?? []
  const tables = numbered[kind]
  if (number && tables) {
    return tx`e.table_name = any (${tables}) and named.subject = ${`#${number}`}`
  }
  return words.reduce(
    (all, word) => tx`${all}
      and (lower(concat_ws(' ', named.subject, who.name, c.name, e.address, who.role,
          e.before::text, e.after::text)) like ${patternOf(word)}
        or e.table_name = any (${tablesLike(word)}))`,
    tx`true`,
  )
}

/** Tables whose rows are called by their number. */
const numbered: Record<string, string[]> = { claim: ['claims'], payout: ['pay_runs'] }

/** Names for the ids of people in the entries, as far as the reader may see those people. */
async function namesIn(tx: Tx, entries: AuditEntry[]): Promise<Record<string, string>> {
  const ids = new Set<string>()
  const collect = (of: unknown, named: boolean): void => {
    if (typeof of === 'string' && named) ids.add(of)
    if (of === null || typeof of !== 'object') return
    for (const [field, value] of Object.entries(of))
      collect(value, Array.isArray(of) ? named : /_(ids?|by|by_key)$/.test(field))
  }
  for (const { before, after } of entries) collect([before, after], false)
  const known_ids = [...ids].filter((id) => /^[\da-f-]{36}$/.test(id))
  if (known_ids.length === 0) return {}
  const found = await tx<{ id: string; name: string }[]>`
    select id, full_name as name from profiles where id = any (${known_ids}::uuid[])
    union all select id, name from companies where id = any (${known_ids}::uuid[])
    union all select id, name from api_keys where id = any (${known_ids}::uuid[])
    union all select id, name from claim_types where id = any (${known_ids}::uuid[])
    union all select id, name from employee_groups where id = any (${known_ids}::uuid[])`
  return Object.fromEntries(found.map(({ id, name }) => [id, name]))
}
