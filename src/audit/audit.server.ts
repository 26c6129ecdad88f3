// The record of changes, as its reader may see it: found, told in words, exported, proven.
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { rows, type Part, type Tx } from '#lib/db.server.ts'
import { start } from '#lib/transactions.server.ts'
import { patternOf, searchWords, wordsOf } from '#lib/keyset.server.ts'
import { readCursor, writeCursor } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { plannedFor, preferIndexOrder, takesLong } from '#lib/tuning.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { AuditEntry, audit, type AuditCheck } from './audit.contract.ts'
import { auditSentence } from './audit-sentence.ts'
import { signInHandlers } from './sign-ins.server.ts'
import { wholeActs } from './story.ts'
import { actorOf } from './words.contract.ts'
import { actWords, as_in_files, changesOf, roleWord, tablesLike, wordOf } from './words.ts'

const export_rows = 100_000
const export_batch = 2_000
/** How many entries a search looks at before it answers. */
const search_window = 20_000

type Filter = {
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

export const auditHandlers: Handlers<typeof audit> = {
  ...signInHandlers,

  list: ({ tx, actor, input }) => listEntries(tx, actor, input),

  actors: ({ tx, actor, input }) => {
    const patterns = searchWords(input.search).map(patternOf)
    return rows(
      audit.actors.output.element,
      tx`select id, name, note from (
          select id, full_name as name, email as note, sort_name, role = 'employee' as last
            from profiles where ${
              actor.role === 'super_admin'
                ? tx`role = 'super_admin'`
                : tx`company_id = ${actor.company_id}`
            } and search_text like all (${patterns})
          union all select id, name, 'API key', lower(name), false from api_keys
            where company_id = ${actor.company_id} and lower(name) like all (${patterns})) a
        order by last, sort_name, id limit 20`,
    )
  },

  export: async ({ tx, actor, input }) => {
    const parts = [byte_order_mark + csvLine(columns)]
    let after: string | undefined
    let written = 0
    do {
      const page = await listEntries(tx, actor, { ...input, after, limit: export_batch })
      for (const entry of page.entries) parts.push(csvLine(cellsOf(entry, page.names)))
      written += page.entries.length
      if (written > export_rows) throw new Problem('too_many_entries')
      after = page.next ?? undefined
    } while (after)
    return { name: 'audit.csv', type: 'text/csv; charset=utf-8', body: parts.join('') }
  },

  verify: async ({ tx, actor, as_of }) => {
    await takesLong(tx)
    const company = actor.role === 'super_admin' ? null : actor.company_id
    const [found] = await tx<[AuditResult]>`select *, now() as as_of from verify_audit(${company})`
    return {
      entries: found.entries,
      good: !found.fault,
      sentence: auditSentence(found),
      audit_id: found.audit_id,
      as_of: as_of ?? found.as_of,
    } satisfies AuditCheck
  },
}

type AuditResult = Parameters<typeof auditSentence>[0] & {
  audit_id: number | null
  as_of: string
}

type Span = { began: string | null; ended: string | null; first_id: number; last_id: number }

/** Each filter is one of the indexes; what is left is looked at on the way. */
function whichOf(tx: Tx, actor: Actor, filter: Filter, span: Span | undefined): Part {
  const { table, act, actor_id, about } = filter
  const [key] = readCursor(filter.after, 1) ?? []
  const whose =
    actor.role === 'super_admin' ? tx`l.of_platform` : tx`l.company_id = ${actor.company_id}`
  return tx`${whose}
    ${key ? tx`and l.id < ${key}::text::bigint` : tx``}
    ${table ? tx`and l.table_name = ${table}` : tx``}
    ${act ? tx`and l.act = ${act}` : tx``}
    ${actor_id ? tx`and l.actor_id = ${actor_id}` : tx``}
    ${about ? aboutPerson(tx, about) : tx``}
    ${span ? tx`and l.id between ${span.first_id} and ${span.last_id}` : tx``}
    ${span?.began ? tx`and l.at >= ${span.began}` : tx``}
    ${span?.ended ? tx`and l.at < ${span.ended}` : tx``}`
}

/** Found by the index of such entries. */
const aboutPerson = (tx: Tx, person_id: string) => tx`
  and l.table_name in ('profiles', 'dependents') and l.row_id = any (array(
    select ${person_id}::text union all
    select d.id::text from dependents d where d.person_id = ${person_id}))`

/** The days are the company's own; the provider's are those of UTC. */
async function spanOf(tx: Tx, actor: Actor, { from, to }: Filter): Promise<Span | undefined> {
  if (!from && !to) return undefined
  const [span] = await tx<[Span]>`
    select began, ended, s.* from (
      select (${from ?? null}::date::timestamp at time zone z.zone) as began,
        ((${to ?? null}::date + 1)::timestamp at time zone z.zone) as ended
      from (select coalesce((select time_zone from companies where id = ${actor.company_id}), 'UTC')
        as zone) z) t, audit_span(began, ended) s`
  return span
}

async function listEntries(tx: Tx, actor: Actor, filter: Filter) {
  void start(plannedFor(tx))
  const which = whichOf(tx, actor, filter, await spanOf(tx, actor, filter))
  const words = wordsOf(filter.search)
  const size = words.length > 0 ? search_window : filter.limit + 1
  if (words.length > 0) await preferIndexOrder(tx)
  const found = await rows(
    AuditEntry,
    tx`
      select e.id, e.at, e.actor_id, who.name as actor_name, e.actor_role,
        nullif(e.address, '') as address, e.act, e.table_name, e.row_id, named.subject,
        c.name as company_name, c.currency, e.before, e.after, case when e.erased_at is null then null
          when num_nonnulls(e.before, e.after) = 0 then 'all' else 'address' end as erased
      from (select * from audit_log l where ${which} order by l.id desc limit ${size}) e
      left join lateral (select name, currency from companies where id = e.company_id limit 1) c
        on true
      cross join lateral (select coalesce(
          (select p.full_name from profiles p where p.id = e.actor_id),
          case when e.actor_role = 'api_key'
            then (select k.name from api_keys k where k.id = e.actor_id) end,
          case when e.table_name = 'companies' and e.act = 'insert' and e.actor_role = 'system'
            then founder_of(e.company_id, e.at) end) as name offset 0) who
      cross join lateral (select ${subjectOf(tx)} as subject offset 0) named
      where ${matches(tx, words)}
      order by e.id desc limit ${filter.limit + 1}`,
  )
  const entries = wholeActs(found, filter.limit)
  const names = await namesIn(tx, entries)
  const more = found.length > filter.limit ? keyAt(entries.at(-1)) : null
  if (more || words.length === 0) return { entries, names, next: more, searched_to: null }
  return { entries, names, ...(await howFar(tx, which)) }
}

/**
 * The name of the thing that an entry is about. Looked up for each alone: joined, tables were read whole for the fifty
 * entries of a page.
 */
const subjectOf = (tx: Tx) => tx`
  coalesce(case e.table_name
      when 'profiles' then ${personOf(tx)} when 'grants' then ${personOf(tx)}
      when 'company_rights' then (select p.full_name || ', ' || r.kind from company_rights r
        join profiles p on p.id = r.person_id
        where r.company_id = e.company_id and r.id = nullif(e.row_id, '')::uuid)
      when 'claim_limits' then (${limitOf(tx)})
      when 'transfers' then (${reversedOf(tx)})
      when 'dependents' then (select d.full_name from dependents d
        where d.company_id = e.company_id and d.id = nullif(e.row_id, '')::uuid) end,
    e.after ->> 'full_name', e.before ->> 'full_name',
    case when e.table_name = 'companies' then c.name end,
    e.after ->> 'name', e.before ->> 'name',
    case when e.table_name = 'group_plans' then (select g.name from employee_groups g
      where g.company_id = e.company_id and g.id = nullif(e.row_id, '')::uuid) end,
    e.after ->> 'title', e.before ->> 'title', e.after ->> 'file_name', e.before ->> 'file_name',
    case when e.after ->> 'event' = 'contribution' then e.after ->> 'note'
      when e.after ->> 'event' = 'contribution_reversed' then null
      when e.row_id ~ '^[0-9]{1,18}$' then '#' || e.row_id
      when e.table_name = 'book_codes' then replace(e.row_id, '_', ' ') end)`

const personOf = (tx: Tx) =>
  tx`(select p.full_name from profiles p where p.id = nullif(e.row_id, '')::uuid)`

/** Which limit an entry is about, also of one that is gone: for which claims, and of which kind. */
const limitOf = (tx: Tx) => tx`
  select coalesce(t.name, w.says ->> 'category', 'all claims') || ', ' || case w.says ->> 'kind'
      when 'per_year' then 'per plan year' when 'per_dependent' then 'per dependent'
      when 'frequency' then 'number of claims' else 'first months' end
    from (select coalesce((select to_jsonb(c) from claim_limits c where c.company_id = e.company_id
        and c.id = nullif(e.row_id, '')::uuid), e.after, e.before) as says) w
      left join claim_types t on t.company_id = e.company_id and t.id::text = w.says ->> 'type_id'`

/** The reference of what a reversal takes back. */
const reversedOf = (tx: Tx) => tx`
  select r.note from transfers t
    join transfers r on r.company_id = t.company_id
      and r.id = substring(t.cause from '^contribution_reversed ([0-9]+)$')::bigint
    where t.company_id = e.company_id and t.id = nullif(e.row_id, '')::bigint`

const keyAt = (entry: AuditEntry | undefined) => (entry ? writeCursor([String(entry.id)]) : null)

/** Each word stands somewhere in the entry, in a name of it, or in what its kind is called. */
const matches = (tx: Tx, words: string[]): Part =>
  words.reduce(
    (all, word) => tx`${all}
      and (lower(concat_ws(' ', named.subject, who.name, c.name, e.address, e.actor_role,
          e.before::text, e.after::text)) like ${patternOf(word)}
        or e.table_name = any (${tablesLike(word)}))`,
    tx`true`,
  )

/** The end of what a search looked through, if there is more behind it. */
async function howFar(tx: Tx, which: Part) {
  const [window] = await tx<[{ looked: number; last_id: number | null; last_at: string | null }]>`
    select count(*) as looked, min(id) as last_id, min(at) as last_at
    from (select l.id, l.at from audit_log l where ${which}
      order by l.id desc limit ${search_window}) w`
  const full = window.looked === search_window && window.last_id !== null
  return {
    next: full ? writeCursor([String(window.last_id)]) : null,
    searched_to: full ? window.last_at : null,
  }
}

/** Entries name people by their ids; whom the reader may see, they see by name. */
async function namesIn(tx: Tx, entries: AuditEntry[]): Promise<Record<string, string>> {
  const ids = new Set<string>()
  for (const side of entries.flatMap(({ before, after }) => [before, after])) {
    for (const [field, value] of Object.entries(side ?? {})) {
      if (!/_(ids?|by)$/.test(field)) continue
      for (const id of [value].flat()) if (typeof id === 'string') ids.add(id)
    }
  }
  const asked = [...ids].filter((id) => /^[\da-f-]{36}$/.test(id))
  if (asked.length === 0) return {}
  const found = await tx<{ id: string; name: string }[]>`
    select id, full_name as name from profiles where id = any (${asked}::uuid[])
    union all select id, name from companies where id = any (${asked}::uuid[])
    union all select id, name from api_keys where id = any (${asked}::uuid[])
    union all select id, name from claim_types where id = any (${asked}::uuid[])
    union all select id, name from employee_groups where id = any (${asked}::uuid[])`
  return Object.fromEntries(found.map(({ id, name }) => [id, name]))
}

const columns = [
  'entry',
  'at',
  'who',
  'role',
  'from address',
  'company',
  'act',
  'what',
  'name',
  'changes',
]

function cellsOf(entry: AuditEntry, names: Record<string, string>) {
  const changes = changesOf(entry, names, as_in_files)
  return [
    entry.id,
    entry.at,
    actorOf(entry),
    roleWord(entry.actor_role),
    entry.address,
    entry.company_name,
    actWords[entry.act],
    wordOf(entry.table_name),
    entry.subject,
    entry.erased === 'all'
      ? 'Erased at the person’s request'
      : changes
          .map(({ field, before, after }) =>
            entry.act === 'update'
              ? `${field}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`
              : `${field}: ${after ?? before}`,
          )
          .join('; '),
  ]
}
